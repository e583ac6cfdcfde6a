import type { Request } from 'express'
import type { ConnectionFault } from '../../catalogue/faults-info.ts'
import { preferencesOf } from '../../http/headers.ts'

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

/** The longest delay and hang, in milliseconds: ten minutes. */
export const LONGEST = 600_000

const IN_QUERY = /^[^?]*\?(?:.*?&)?_status=([45]\d\d)(?:[&#]|$)/

/** The status of `?_status=503`. Anything else is ignored. */
export function queriedStatus(url: string): number | undefined {
  const status = IN_QUERY.exec(url)?.[1]
  return status === undefined ? undefined : Number(status)
}

/** The fault that `Prefer` names (`code=503`, `delay=2000`, `when=after`), or else the query. */
export function requestedFault(req: Request, queried?: number): Fault | undefined {
  const preferences = preferencesOf(req)
  const [code = '', delay = ''] = [preferences.get('code'), preferences.get('delay')]
  const preferred = /^[45]\d\d$/.test(code) ? Number(code) : undefined
  const wait = /^\d+$/.test(delay) ? Math.min(Number(delay), LONGEST) : undefined
  const status = preferred ?? queried
  if (status === undefined && wait === undefined) return undefined
  const isAfter = preferences.get('when')?.toLowerCase() === 'after'
  const applied = [
    ...(preferred === undefined ? [] : [`code=${preferred}`]),
    ...(wait === undefined ? [] : [`delay=${wait}`]),
    ...(isAfter ? ['when=after'] : []),
  ]
  const how = [
    ...(status === preferred ? [] : [`_status=${status}`]),
    ...(applied.length > 0 ? [`"Prefer: ${applied.join(', ')}"`] : []),
  ]
  const reason = `The request asked for this failure with ${how.join(' and ')}.`
  return { delay: wait ?? 0, status, isAfter, ...(applied.length > 0 && { applied }), reason }
}
