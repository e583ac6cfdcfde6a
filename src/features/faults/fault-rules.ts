import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import type {
  FaultDecision,
  FaultRule,
  FaultSettings,
  FaultsInfo,
} from '../../core/kernel/catalogue/faults-info.ts'
import { maskUrl } from '../../core/layers/parts/mask-secrets.ts'
import { MOST_RULES } from '../fault-options.ts'
import { ActiveRule, type Fault } from './fault-rule.ts'

const MOST_DECISIONS = 200
const LONGEST_URL = 500

/** The fault rules, of the config or set later, and the log of their decisions. */
export class FaultRules {
  readonly #config: FaultSettings
  #seed: string | number = 0
  active: readonly ActiveRule[] = []
  #isConfig = true
  #lastId = 0
  #decisions: FaultDecision[] = []

  constructor(config: FaultSettings = {}) {
    this.#config = config
    this.reset()
  }

  /** The same rules, with counters and draws started again. */
  copy(): FaultRules {
    const copy = new FaultRules(this.#config)
    copy.#seed = this.#seed
    copy.active = this.active.map((rule) => rule.restarted(this.#seed))
    copy.#isConfig = this.#isConfig
    copy.#lastId = this.#lastId
    return copy
  }

  get info(): FaultsInfo {
    return {
      seed: this.#seed,
      isConfig: this.#isConfig,
      rules: this.active.map(({ info }) => info),
      decisions: [...this.#decisions],
    }
  }

  use(settings: FaultSettings): void {
    this.#start(settings, false)
  }

  reset(): void {
    this.#start(this.#config, true)
  }

  /** Puts a rule in front of the others, which keep their counters. */
  add(rule: FaultRule): void {
    if (this.active.length >= MOST_RULES) {
      throw new ConfigError(`There are ${MOST_RULES} rules. Remove one first: DELETE /__faults/<id>`)
    }
    this.active = [this.#activate(rule), ...this.active]
    this.#isConfig = false
  }

  turn(id: number, on: boolean): boolean {
    const rule = this.active.find((one) => one.id === id)
    if (rule) rule.isOn = on
    return rule !== undefined
  }

  remove(id: number): boolean {
    const others = this.active.filter((rule) => rule.id !== id)
    if (others.length === this.active.length) return false
    this.active = others
    this.#isConfig = false
    return true
  }

  /** The fault of the first rule that applies. Rules behind it still draw and count: no rule changes another's luck. */
  decide(method: string, url: string, at: string): Fault | undefined {
    let decided: Fault | undefined
    for (const rule of this.active) {
      const verdict = rule.decide(method, url, decided !== undefined)
      if (verdict === undefined) continue
      const { draw, outcome, fault } = verdict
      const delay = fault && fault.delay > 0 ? { delay: fault.delay } : {}
      const number = (this.#decisions.at(-1)?.number ?? 0) + 1
      const decision = { number, at, method, url: shownUrl(url), rule: rule.id, draw, outcome }
      this.#decisions.push({ ...decision, fired: fault !== undefined, ...delay })
      if (this.#decisions.length > MOST_DECISIONS) this.#decisions.shift()
      decided ??= fault
    }
    return decided
  }

  #start({ seed = Math.floor(Math.random() * 2 ** 31), rules = [] }: FaultSettings, isConfig: boolean): void {
    this.#seed = seed
    this.#lastId = 0
    this.#decisions = []
    this.active = rules.map((rule) => this.#activate(rule))
    this.#isConfig = isConfig
  }

  #activate(rule: FaultRule): ActiveRule {
    this.#lastId += 1
    return new ActiveRule(this.#lastId, rule, this.#seed)
  }
}

function shownUrl(url: string): string {
  const masked = maskUrl(url)
  if (masked.length <= LONGEST_URL) return masked
  // Copied: a slice would keep the whole URL in memory.
  return `${Buffer.from(masked.slice(0, LONGEST_URL)).toString()}…`
}
