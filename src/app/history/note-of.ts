import type { Request } from 'express'
import { sessionOf } from '../../http/session-of.ts'
import { safeUrl } from '../../layers/log/_log-line.ts'
import type { ChangeNote } from '../../storage/history/recorded.ts'

/** What the history tells of a request: no more than a log would. */
export function noteOf(req: Request): ChangeNote {
  const session = sessionOf(req)
  return { method: req.method, url: safeUrl(req), ...(session && { session }) }
}
