export interface FaultRule {
  readonly on?: boolean | undefined
  readonly match?:
    | {
        readonly method?: string | readonly string[] | undefined
        /** As in rewrite rules: `/products/*`. */
        readonly path?: string | undefined
      }
    | undefined
  /** The share of the matching requests that it applies to; 1 by default. */
  readonly rate?: number | undefined
  readonly skip?: number | undefined
  readonly times?: number | undefined
  /** Milliseconds to wait: a number, or the least and the most. */
  readonly delay?: number | readonly [number, number] | undefined
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  readonly fault?: ConnectionFault | undefined
  /** `after`: the request runs first, and what it writes is saved. */
  readonly when?: 'after' | undefined
}

/** The connection is reset, closed without an answer, left open without one, or closed half-way through it. */
export type ConnectionFault = 'reset' | 'empty' | 'hang' | 'truncate'

export interface FaultSettings {
  /** The same seed and the same requests give the same failures. Random by default. */
  readonly seed?: string | number | undefined
  readonly rules?: readonly FaultRule[] | undefined
}

export interface FaultRuleInfo extends FaultRule {
  readonly id: number
  readonly on: boolean
  readonly matched: number
  readonly hits: number
}

export interface FaultDecision {
  readonly number: number
  /** When, ISO 8601, by the server's clock. */
  readonly at: string
  readonly method: string
  /** As the client sent it, secrets masked. */
  readonly url: string
  readonly rule: number
  /** The number it drew, from 0 to below 1; it applies if that is below its `rate`. */
  readonly draw: number
  /** Why it did not apply (`passed`, `skipped`, `spent`, `preempted`), or what it did: `503`, `reset`, `delay`. */
  readonly outcome: string
  readonly fired: boolean
  readonly delay?: number
}

export interface FaultsInfo {
  readonly seed: string | number
  readonly rules: readonly FaultRuleInfo[]
  readonly isConfig: boolean
  readonly decisions: readonly FaultDecision[]
}
