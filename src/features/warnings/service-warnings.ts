import type { OpenedSchemas } from '../../config/resources/open-resources.ts'
import type { Engine } from '../../core/engine/engine.ts'
import { endpointsIn, type Feature, featuresOn, type Generation } from '../feature.ts'
import type { Config } from '../settings.ts'
import { configWarnings } from './config-warnings.ts'
import { dataWarnings, repetitionWarnings, sizeOf } from './data-warnings.ts'
import { fieldWarnings, fitWarnings, logicWarnings, nameWarnings, ruleWarnings } from './resource-warnings.ts'

type Checked = Pick<Generation, 'config' | 'engine' | 'schemas' | 'logic'>

/** In bytes. */
const SMALL = 1_000_000

/** Logs the warnings about a service at its start and after each reload. */
export class ServiceWarnings {
  readonly #log: (line: string) => void
  readonly #features: readonly Feature[]
  readonly #current = new Map<string, readonly string[]>()
  #counting = 0
  #reading = 0

  constructor(log: (line: string) => void, features: readonly Feature[]) {
    this.#log = log
    this.#features = features
  }

  checkConfig(config: Config): void {
    this.#warn('config', configWarnings(config, featuresOn(this.#features, config)))
  }

  /** @param isChecked whether the same data was checked before */
  async checkData(parts: Checked, file: string | undefined, isChecked = false): Promise<void> {
    const { config, engine, schemas, logic } = parts
    this.#warn('names', nameWarnings(config, engine.names(), endpointsIn(this.#features)))
    this.#warn('rules', ruleWarnings(config, engine))
    this.#warn('logic', logicWarnings(config, engine, logic))
    if (!config.quiet) this.#warn('fields', await fieldWarnings(config, engine, schemas))
    if (isChecked || config.quiet) return
    this.#warn('data', await dataWarnings(engine, file))
    if (file === undefined) return
    const checked = this.#checkKeys(engine, file)
    // A large file is checked in the background: the start does not wait.
    if ((await sizeOf(file)) <= SMALL) await checked
  }

  close(): void {
    this.#counting++
    this.#reading++
  }

  async #checkKeys(engine: Engine, file: string): Promise<void> {
    const turn = ++this.#reading
    const lines = await repetitionWarnings(file, engine.names()).catch(() => [])
    if (turn === this.#reading) this.#warn('keys', lines)
  }

  /** In the background. @param old the schemas that the same rows were compared with before */
  checkFit({ config, engine, schemas }: Checked, old?: OpenedSchemas): void {
    if (old && isSame(old, schemas)) return
    const turn = ++this.#counting
    if (config.quiet || schemas.size === 0) return
    const isWanted = () => turn === this.#counting
    fitWarnings(engine, schemas, isWanted).then(
      (lines) => isWanted() && this.#warn('fit', lines),
      () => {},
    )
  }

  /** Replaces the warnings of a check. Each line is logged once as long as it applies. */
  #warn(check: string, warnings: readonly string[]): void {
    const before = this.#current.get(check) ?? []
    for (const warning of warnings) if (!before.includes(warning)) this.#log(warning)
    this.#current.set(check, warnings)
  }
}

function isSame(a: OpenedSchemas, b: OpenedSchemas): boolean {
  return a.size === b.size && [...a].every(([name, schema]) => b.get(name) === schema)
}
