import type { Request } from 'express'
import { preferencesOf } from '../../http/prefer.ts'
import { type Fault, LONGEST } from './fault.ts'

/** The first `_status` in the query, if it is an error. */
const IN_QUERY = /[?&]_status=([45]\d\d)(?:[&#]|$)/

/** What a request itself asks for in `Prefer`: `code=503`, `delay=2000`, `when=after`. Anything else means nothing. */
export function preferredFault(req: Request): Fault | undefined {
  const preferences = preferencesOf(req)
  const [code = '', delay = ''] = [preferences.get('code'), preferences.get('delay')]
  const status = /^[45]\d\d$/.test(code) ? Number(code) : undefined
  const wait = /^\d{1,6}$/.test(delay) && Number(delay) <= LONGEST ? Number(delay) : undefined
  if (status === undefined && wait === undefined) return undefined
  const isAfter = preferences.get('when') === 'after'
  const applied = [
    ...(status === undefined ? [] : [`code=${status}`]),
    ...(wait === undefined ? [] : [`delay=${wait}`]),
    ...(isAfter ? ['when=after'] : []),
  ]
  const reason = `The request asked for this failure with "Prefer: ${applied.join(', ')}".`
  return { delay: wait ?? 0, status, isAfter, applied, reason }
}

/** What a request asks for in its query: `?_status=503`. */
export function queriedFault(url: string): Fault | undefined {
  const status = IN_QUERY.exec(url)?.[1]
  if (status === undefined) return undefined
  const reason = `The request asked for this failure with _status=${status}.`
  return { delay: 0, status: Number(status), isAfter: false, reason }
}
