import type { Request, RequestHandler } from 'express'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { computedIn } from '../../logic/computed-fields.ts'
import { logicHooks } from '../../logic/logic-hooks.ts'
import type { ParsedLogic } from '../../logic/parse-logic.ts'
import { Runner } from '../../logic/runner.ts'
import { serveLogic } from '../../logic/serve-logic.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import type { Computed } from '../../storage/resource-rules.ts'
import type { Access } from '../../storage/rules/rights.ts'
import type { Clock } from '../../util/clock.ts'
import type { Config } from '../config/config.ts'
import { accountsOf } from '../config/sign-in.ts'
import { sealOf } from './seal-passwords.ts'
import { causeOf, type Routers } from './session-routers.ts'

export interface ServiceLogicOptions {
  readonly config: () => Config
  readonly clock: Clock
  readonly report: (line: string) => void
}

/** Runs the logic file's functions on the engines of a service. Outlives the file: what is planned stays planned. */
export class ServiceLogic {
  readonly #options: ServiceLogicOptions
  readonly #runners = new Map<Engine, Runner>()
  readonly #computed = new WeakMap<ParsedLogic, ReadonlyMap<string, Computed>>()

  constructor(options: ServiceLogicOptions) {
    this.#options = options
  }

  runnerOf(engine: Engine, clock = this.#options.clock): Runner {
    const present = this.#runners.get(engine)
    if (present) return present
    const { config, report } = this.#options
    const runner = new Runner(() => {
      const { logicTimeout: timeout, cascade, readOnly } = config()
      const accounts = accountsOf(config())?.collection
      // Functions outlive their request.
      const seal = sealOf(config())?.()
      return { engine, clock, timeout, cascade, readOnly, accounts, seal, report }
    })
    this.#runners.set(engine, runner)
    return runner
  }

  useHooks(engine: Engine, logic: ParsedLogic | undefined, clock?: Clock): void {
    engine.hooks = logic && logicHooks(logic, this.runnerOf(engine, clock))
  }

  /** The same functions each time: then the rows need not be computed again. */
  computedOf(logic: ParsedLogic | undefined): ReadonlyMap<string, Computed> | undefined {
    if (!logic) return undefined
    const computed = this.#computed.get(logic) ?? computedIn(logic, this.#options.report)
    this.#computed.set(logic, computed)
    return computed
  }

  end(engine: Engine): void {
    this.#runners.get(engine)?.close()
    this.#runners.delete(engine)
  }

  close(): void {
    for (const engine of this.#runners.keys()) this.end(engine)
  }
}

interface HandlerParts {
  readonly logic: ParsedLogic | undefined
  readonly serviceLogic: ServiceLogic
  readonly accessOf: ((req: Request) => Access) | undefined
  readonly routers: Routers
  readonly log: (line: string) => void
}

/** The handlers of the logic file, for each engine; undefined if there are none. */
export function logicHandlers(parts: HandlerParts): ((engine: Engine) => RequestHandler) | undefined {
  const { logic, serviceLogic, accessOf, routers, log } = parts
  if (!logic || logic.routes.length === 0) return undefined
  return serveLogic(logic, {
    runnerOf: (engine) => serviceLogic.runnerOf(engine),
    clientOf(req) {
      const { meta, by } = causeOf(req)
      return { ...by, meta, access: accessOf?.(req) }
    },
    compress: routers.compress,
    log,
  })
}

/** A single object is stored as it is. */
export function checkComputed(logic: ParsedLogic, engine: Engine): void {
  for (const [name, { computed }] of logic.resources) {
    const { id } = engine.naming
    const at = `logic: ${logic.name}: ${name}.computed`
    if (Object.hasOwn(computed, id))
      throw new ConfigError(`${at}.${id}: the ${id} of a row has to be stored.`)
    if (Object.keys(computed).length === 0 || engine.kindOf(name) !== 'object') continue
    throw new ConfigError(`${at}: only rows of collections have computed fields.`)
  }
}
