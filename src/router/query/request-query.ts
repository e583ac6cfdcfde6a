import type { Request } from 'express'
import { parseQueryString } from './query-string.ts'

/**
 * The query of a request. If the application has a writable `req.query` (Express 4, and what
 * `create()` returns), that one counts, since middleware may have edited it; Express 5's own is read-only, and
 * parses lists differently from json-server.
 */
export function queryOf(req: Request): Record<string, unknown> {
  if (Object.hasOwn(req, 'query')) return req.query
  return parseQueryString(/\?([^#]*)/.exec(req.url)?.[1])
}
