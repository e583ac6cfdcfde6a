import type { Request } from 'express'
import { sessionOf } from '../http/session-of.ts'
import { safeUrl } from '../layers/logger.ts'
import type { CommitMeta } from '../storage/change.ts'

/** What the history tells of a request: no more than a log would. */
export function metaOf(req: Request): CommitMeta {
  const session = sessionOf(req)
  return { method: req.method, url: safeUrl(req), ...(session && { session }) }
}
