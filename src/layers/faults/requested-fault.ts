import type { Request } from 'express'
import { preferencesOf } from '../../http/headers.ts'
import { type Fault, LONGEST } from './fault.ts'

const IN_QUERY = /^[^?]*\?(?:.*?&)?_status=([45]\d\d)(?:[&#]|$)/

/** The status that a request asks for in its query: `?_status=503`. Anything else means nothing. */
export function queriedStatus(url: string): number | undefined {
  const status = IN_QUERY.exec(url)?.[1]
  return status === undefined ? undefined : Number(status)
}

/** What a request asks for in `Prefer` (`code=503`, `delay=2000`, `when=after`), or else in its query. */
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
