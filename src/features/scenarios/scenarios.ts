import type { Request } from 'express'
import { Database } from '../../core/engine/data/database.ts'
import type { Engine } from '../../core/engine/engine.ts'
import type { Data } from '../../core/engine/types.ts'
import type { FaultSettings } from '../../core/kernel/catalogue/faults-info.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { Lru } from '../../core/kernel/util/lru.ts'
import { readDataOf } from '../../source/load-source.ts'
import type { Beginning, Beginnings, RefusedBeginning } from '../beginnings.ts'
import { namesIn, unknownIn } from './names.ts'
import { type ScenarioSettings, type ScenariosConfig, turnClock } from './settings.ts'

interface Scenario {
  readonly settings: ScenarioSettings
  readonly data: Data
  served: Database
}

/** Orders of scenarios that are remembered. */
const MOST = 100

/** The scenarios of a config, and worlds that begin with one or several. */
export class Scenarios implements Beginnings {
  readonly names: readonly string[]
  readonly base: Beginning | undefined
  readonly #all: ReadonlyMap<string, Scenario>
  readonly #beginnings = new Lru<string, Beginning>({ limit: MOST })

  private constructor(all: ReadonlyMap<string, Scenario>, ofBase: string | undefined) {
    this.#all = all
    this.names = [...all.keys()]
    this.base = ofBase === undefined ? undefined : this.#begin(namesIn(ofBase))
  }

  /** Reads their data. Throws a one-line ConfigError if that cannot be used. */
  static async open({ scenarios = {}, scenario }: ScenariosConfig): Promise<Scenarios> {
    const all = new Map<string, Scenario>()
    for (const [name, settings] of Object.entries(scenarios)) {
      const { data: path } = settings
      const data = path === undefined ? {} : await readDataOf(`scenarios.${name}.data`, path)
      all.set(name, { settings, data, served: Database.of(data) })
    }
    return new Scenarios(all, scenario)
  }

  /** Hides and computes fields as the engine of the base does. */
  async serveBy(engine: Engine): Promise<void> {
    for (const scenario of this.#all.values())
      scenario.served = await engine.served(Database.of(scenario.data))
  }

  of({ headers }: Request): Beginning | RefusedBeginning | undefined {
    const { 'x-mock-scenario': sent } = headers
    return sent === undefined ? undefined : this.find(String(sent))
  }

  find(sent: string): Beginning | RefusedBeginning {
    const names = namesIn(sent)
    const message = unknownIn(names, this.names)
    if (message !== undefined) return { code: 'UNKNOWN_SCENARIO', message: `X-Mock-Scenario: ${message}` }
    return getOrMake(this.#beginnings, names.join(), () => this.#begin(names))
  }

  #begin(names: readonly string[]): Beginning {
    const parts = names.flatMap((name) => this.#all.get(name) ?? [])
    const settings = parts.map((part) => part.settings)
    const turn = settings.flatMap(({ clock }) => clock ?? []).at(-1)
    const faults = settings.flatMap((each) => each.faults ?? [])
    return {
      name: names.join(),
      world: `scenario-${names.join('.')}`,
      data: Object.fromEntries(parts.flatMap(({ data }) => Object.entries(data))),
      get served() {
        return parts.reduce((all, { served }) => all.withAll(served), NOTHING)
      },
      faults: faults.length === 0 ? undefined : added(faults),
      user: settings.flatMap(({ user }) => user ?? []).at(-1),
      turn(clock) {
        // A clock that tests have set may be too close to the end of time.
        if (turn !== undefined) attempt(() => turnClock(clock, turn))
      },
    }
  }
}

const NOTHING = new Database(new Map())

/** Rules add up, in their order. */
function added(all: readonly FaultSettings[]): FaultSettings {
  const seed = all.flatMap((faults) => faults.seed ?? []).at(-1)
  return { ...(seed !== undefined && { seed }), rules: all.flatMap(({ rules = [] }) => rules) }
}
