import type { ConnectionFault, FaultRule, FaultRuleInfo } from '../../core/kernel/catalogue/faults-info.ts'
import { Random } from '../../core/kernel/util/random.ts'
import { urlMatcher } from '../../core/layers/parts/url-matcher.ts'

/** The failure that a rule, or the request itself, asks for. */
export interface Fault {
  readonly delay: number
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  readonly connection?: ConnectionFault | undefined
  readonly isAfter: boolean
  readonly reason: string
  /** Preferences it honors, for `Preference-Applied`. */
  readonly applied?: readonly string[]
}

export interface RuleDecision {
  readonly draw: number
  readonly outcome: string
  readonly fault?: Fault
}

/** A rule, and how often it matched and applied. Draws its own numbers: other rules do not change its luck. */
export class ActiveRule {
  readonly id: number
  isOn: boolean
  readonly #rule: Omit<FaultRule, 'on'>
  readonly #isMatch: (method: string, url: string) => boolean
  readonly #random: Random
  #matched = 0
  #hits = 0

  constructor(id: number, rule: FaultRule, seed: string | number) {
    const { on, ...rest } = rule
    this.id = id
    this.isOn = on ?? true
    this.#rule = rest
    this.#isMatch = matcher(rule)
    this.#random = new Random(`${seed} ${id}`)
  }

  restarted(seed: string | number): ActiveRule {
    return new ActiveRule(this.id, { ...this.#rule, on: this.isOn }, seed)
  }

  get info(): FaultRuleInfo {
    return { id: this.id, on: this.isOn, ...this.#rule, matched: this.#matched, hits: this.#hits }
  }

  /** Undefined if it is off, or does not match. Else it draws one number, even if a rule before it applies. */
  decide(method: string, url: string, isDecided = false): RuleDecision | undefined {
    if (!this.isOn || !this.#isMatch(method, url)) return undefined
    const { rate = 1, skip = 0, times = Number.POSITIVE_INFINITY } = this.#rule
    const draw = this.#random.next()
    this.#matched += 1
    if (this.#matched <= skip) return { draw, outcome: 'skipped' }
    if (this.#hits >= times) return { draw, outcome: 'spent' }
    if (draw >= rate) return { draw, outcome: 'passed' }
    if (isDecided) return { draw, outcome: 'preempted' }
    this.#hits += 1
    return { draw, outcome: this.#outcome(), fault: this.#fault(draw / rate) }
  }

  #outcome(): string {
    const { status, fault, when } = this.#rule
    const what = String(status ?? fault ?? 'delay')
    return when === 'after' ? `${what} after` : what
  }

  #fault(luck: number): Fault {
    const { delay = 0, status, headers, body, fault, when } = this.#rule
    const [least, most] = typeof delay === 'number' ? [delay, delay] : delay
    return {
      delay: least + Math.floor(luck * (most - least + 1)),
      status,
      headers,
      body,
      connection: fault,
      isAfter: when === 'after',
      reason: `Fault rule ${this.id} made this request fail; GET /__faults shows it.`,
    }
  }
}

function matcher({ match = {} }: FaultRule): (method: string, url: string) => boolean {
  const methods = match.method === undefined ? [] : [match.method].flat().map((name) => name.toUpperCase())
  const isMatch = match.path === undefined ? undefined : urlMatcher(match.path)
  return (method, url) => (methods.length === 0 || methods.includes(method)) && (isMatch?.(url) ?? true)
}
