import type { Request } from 'express'
import {
  endpoints,
  INTEGER,
  listOf,
  OPEN,
  objectOf,
  TEXT,
  TIME,
} from '../../core/kernel/catalogue/endpoint.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import type { Exchange } from '../../core/kernel/catalogue/exchange.ts'
import { only } from '../../core/kernel/http/chain.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import { worldOf } from '../../core/kernel/http/world.ts'
import { collectPieces, prettyJson } from '../../core/kernel/json/pretty-json.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { refuseRequest } from '../../core/layers/parts/guard.ts'
import { urlMatcher } from '../../core/layers/parts/url-matcher.ts'
import { sendPieces } from '../send-pieces.ts'
import type { HandlersOf } from '../serve-endpoints.ts'
import { wholeIn } from '../whole-in.ts'
import type { Recorded } from './recorded.ts'
import type { RequestLog } from './request-log.ts'

const BODY = objectOf({ text: TEXT, size: INTEGER, isCut: { type: 'boolean' } })
const SENT = {
  ...{ id: INTEGER, time: TIME, method: TEXT, path: TEXT, status: INTEGER, ms: { type: 'number' } },
  ...{ size: INTEGER, requestHeaders: OPEN, responseHeaders: OPEN },
}
const EXCHANGE = { ...objectOf(SENT), properties: { ...SENT, requestBody: BODY, responseBody: BODY } }

export const REQUEST_ENDPOINTS = endpoints(
  { kind: 'manage', isFor: 'admins of the base', isPrivate: true },
  {
    getRequests: [
      'GET /__requests',
      'The last requests, newest first',
      {
        takes: { _limit: INTEGER, since: INTEGER, method: TEXT, status: INTEGER, path: TEXT },
        gives: listOf(EXCHANGE),
        errors: ['INVALID_QUERY'],
      },
    ],
    forgetRequests: ['DELETE /__requests', 'Forget the last requests'],
  },
)

const PATH = /^\/__requests/i

/** With `jwt`, who has a token may see what others sent, and in another world, who names it. */
export const tokenFirst = only({ url: PATH }, function tokenFirst(req, res, next) {
  const isKnown = worldOf(req).name !== undefined || Reflect.get(req, 'user') !== undefined
  if (isKnown || !PATH.test(req.url)) next()
  else refuseRequest(res, 'jwt', 'AUTH_REQUIRED', 'Log in first, and send the token.')
})

export function requestsOf(log: RequestLog): HandlersOf<typeof REQUEST_ENDPOINTS> {
  return {
    async getRequests(req, res) {
      const most = wholeIn(req, '_limit') ?? Number.POSITIVE_INFINITY
      const isAsked = filterIn(req)
      const pace = new TimeSlice()
      const found: Exchange[] = []
      for (const recorded of log.list()) {
        if (found.length >= most) break
        if (!isAsked(recorded)) continue
        found.push(recorded.describe())
        if (pace.isUsedUp) await pace.yieldToEventLoop()
      }
      sendPieces(res, await collectPieces(prettyJson(found)))
    },
    forgetRequests(_req, res) {
      log.clear()
      sendJson(res, 200, {})
    },
  }
}

function filterIn(req: Request): (recorded: Recorded) => boolean {
  const since = wholeIn(req, 'since') ?? 0
  const methods = namesIn(req, 'method').map((name) => name.toUpperCase())
  const statuses = namesIn(req, 'status')
  const path = namesIn(req, 'path').join()
  const isMatch = path === '' ? () => true : matcherOf(path)
  return ({ id, method, status, url }) =>
    id > since &&
    (methods.length === 0 || methods.includes(method)) &&
    (statuses.length === 0 || statuses.includes(String(status))) &&
    isMatch(url)
}

/** `?method=PUT,PATCH`, or one by one. */
function namesIn({ query }: Request, name: string): readonly string[] {
  return [query[name]].flat().flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
}

function matcherOf(path: string): (url: string) => boolean {
  const isMatch = attempt(() => urlMatcher(path))
  if (isMatch) return isMatch
  throw new StorageError('INVALID_QUERY', 'path must be a pattern as in rewrite rules: /products/*')
}
