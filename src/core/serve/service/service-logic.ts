import type { ParsedLogic } from '../../../wings/logic/parse-logic.ts'
import { computedIn, logicHooks } from '../../../wings/logic/resource-logic.ts'
import { Runner } from '../../../wings/logic/runner.ts'
import type { Config } from '../../config/config.ts'
import { addedIn, usersIn } from '../../config/resource-config.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Computed } from '../../engine/resource-rules.ts'
import { isStoredIn } from '../../engine/rules/served-fields.ts'
import { ConfigError } from '../../kernel/catalogue/error-classes.ts'
import type { Clock } from '../../kernel/util/clock.ts'
import { getOrMake } from '../../kernel/util/get-or-make.ts'
import { type OpenedSchemas, ownFields } from '../../resources/open-resources.ts'
import { useRules } from './account-rules.ts'
import { sealOf } from './seal-passwords.ts'

export interface ServiceLogicOptions {
  readonly config: () => Config
  readonly clock: Clock
  readonly report: (line: string) => void
}

interface Ruled {
  readonly config: Config
  readonly schemas: OpenedSchemas
  readonly logic: ParsedLogic | undefined
}

/** Runs the logic file's functions on the engines of a service. Outlives the file: what is planned stays planned. */
export class ServiceLogic {
  readonly #options: ServiceLogicOptions
  /** Also those that are closed: a request may outlast the session that it is in. */
  readonly #runners = new WeakMap<Engine, Runner>()
  readonly #open = new Set<Engine>()
  readonly #computed = new WeakMap<ParsedLogic, ReadonlyMap<string, Computed>>()

  constructor(options: ServiceLogicOptions) {
    this.#options = options
  }

  runnerOf(engine: Engine, clock = this.#options.clock): Runner {
    const { config, report } = this.#options
    const settings = () => {
      const { logicTimeout: timeout, cascade, readOnly } = config()
      const accounts = usersIn(config())
      // Functions outlive their request.
      const seal = sealOf(config())?.()
      return { engine, clock, timeout, cascade, readOnly, accounts, seal, report }
    }
    return getOrMake(this.#runners, engine, () => {
      this.#open.add(engine)
      return new Runner(settings)
    })
  }

  /** Gives an engine the rules of the settings, and the hooks and computed fields of the logic file. */
  async apply(engine: Engine, { config, schemas, logic }: Ruled, clock: Clock): Promise<void> {
    // The same functions each time: then the rows need not be computed again.
    const computed = logic && getOrMake(this.#computed, logic, () => computedIn(logic, this.#options.report))
    const applied = useRules(engine, config, schemas, clock, computed)
    engine.hooks = logic && logicHooks(logic, this.runnerOf(engine, clock))
    await applied
  }

  end(engine: Engine): void {
    this.#runners.get(engine)?.close()
    this.#open.delete(engine)
  }

  close(): void {
    for (const engine of this.#open) this.end(engine)
  }
}

/** Refuses computed fields of what has none, and those that would take the place of a stored field. */
export function checkComputed(logic: ParsedLogic | undefined, engine: Engine, config: Config): void {
  for (const [name, { computed }] of logic?.resources ?? []) {
    const fields = Object.keys(computed)
    if (fields.length === 0) continue
    const refuse = (at: string, why: string) =>
      new ConfigError(`logic: ${logic?.name}: ${name}.computed${at}: ${why}`)
    if (engine.kindOf(name) === 'object') throw refuse('', 'only rows of collections have computed fields.')
    const added = addedIn(config, name)
    const filled = [config.id, ...added.defaults, ...ownFields(added)]
    const rows = engine.database.table(name)?.rows.items() ?? []
    const taken = fields.find((field) => filled.includes(field) || rows.some((row) => isStoredIn(row, field)))
    if (taken === undefined) continue
    throw refuse(
      `.${taken}`,
      `rows of ${name} have a stored field "${taken}". Give the computed one another name, or remove the stored one.`,
    )
  }
}
