import type { ConnectionFault } from '../../catalogue/faults-info.ts'

export interface Fault {
  readonly delay: number
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  readonly connection?: ConnectionFault | undefined
  /** The request runs first, and what it writes is saved. */
  readonly isAfter: boolean
  readonly reason: string
  /** What of the `Prefer` header it honors. */
  readonly applied?: readonly string[]
}

/** Nobody waits longer, and no request hangs longer: ten minutes. */
export const LONGEST = 600_000
