import { usersIn } from '../../config/resource-config.ts'
import type { OpenedSchemas } from '../../config/resources/open-resources.ts'
import type { Engine } from '../../core/engine/engine.ts'
import type { Computed } from '../../core/engine/resource-rules.ts'
import type { Clock } from '../../core/kernel/util/clock.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import type { PasswordHasherOf } from '../../core/router/context.ts'
import type { Config } from '../../features/settings.ts'
import { useRules } from '../../source/account-rules.ts'
import type { ParsedLogic } from '../../wings/logic/parse-logic.ts'
import { computedIn, logicHooks } from '../../wings/logic/resource-logic.ts'
import { Runner } from '../../wings/logic/runner.ts'

export interface ServiceLogicOptions {
  readonly config: () => Config
  readonly sealOf: (config: Config) => PasswordHasherOf | undefined
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
  /** Also those that are closed: a request may outlast its world. */
  readonly #runners = new WeakMap<Engine, Runner>()
  readonly #open = new Set<Engine>()
  readonly #computed = new WeakMap<ParsedLogic, ReadonlyMap<string, Computed>>()

  constructor(options: ServiceLogicOptions) {
    this.#options = options
  }

  runnerOf(engine: Engine, clock = this.#options.clock): Runner {
    const { config, sealOf, report } = this.#options
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
