import type { OpenedSchemas } from '../../resources/open-resources.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import { isPostgres } from '../../storage/postgres/address.ts'
import type { Config } from '../config/config.ts'
import { remarksOnData } from './data-warnings.ts'
import { remarksOnNames } from './name-warnings.ts'
import { remarksOnFields, remarksOnFit, remarksOnRules } from './rule-warnings.ts'
import { remarksOn } from './warnings.ts'

export interface DataToCheck {
  readonly schemas: OpenedSchemas
  /** That the data is in, if it is. */
  readonly file: string | undefined
  /** Whether the same rows were checked before. */
  readonly isKnown?: boolean
}

/** Everything that is said about a service at its start and after each reload. */
export class ServiceRemarks {
  readonly #log: (line: string) => void
  /** What is being said of each subject. */
  readonly #said = new Map<string, readonly string[]>()
  /** Which count of rows that do not fit is the latest. */
  #counting = 0

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  onConfig(config: Config): void {
    this.#say('config', remarksOn(config))
  }

  /** Checks the rows only if they are new and somebody is listening. */
  async onData(
    config: Config,
    engine: Engine,
    { schemas, file, isKnown = false }: DataToCheck,
  ): Promise<void> {
    this.#say('names', remarksOnNames(config, engine.names()))
    this.#say('rules', config.hosted ? [] : remarksOnRules(config, engine))
    if (!config.quiet && !config.hosted) {
      this.#say('fields', await remarksOnFields(config, engine, schemas))
    }
    // The rest reads all there is: a database may hold more than fits here.
    if (isKnown || config.quiet || config.hosted || isPostgres(config.source)) return
    this.#say('data', await remarksOnData(engine, file))
  }

  close(): void {
    this.#counting++
  }

  /** In the background. `known` are schemas that the same rows were compared with before. */
  onFit(config: Config, engine: Engine, schemas: OpenedSchemas, known?: OpenedSchemas): void {
    if (known && isSame(known, schemas)) return
    const turn = ++this.#counting
    if (config.quiet || config.hosted || schemas.size === 0) return
    const isWanted = () => turn === this.#counting
    remarksOnFit(engine, schemas, isWanted).then(
      (lines) => isWanted() && this.#say('fit', lines),
      () => {},
    )
  }

  /** Everything there currently is to say about a subject, each line once as long as it applies. */
  #say(about: string, remarks: readonly string[]): void {
    const known = this.#said.get(about) ?? []
    for (const remark of remarks) if (!known.includes(remark)) this.#log(remark)
    this.#said.set(about, remarks)
  }
}

function isSame(a: OpenedSchemas, b: OpenedSchemas): boolean {
  return a.size === b.size && [...a].every(([name, schema]) => b.get(name) === schema)
}
