import type { RequestHandler } from 'express'
import { exposeTo } from '../../http/exposed-headers.ts'
import { SESSION_HEADER, setSession } from '../../http/session-of.ts'

export function isSessionName(name: string): boolean {
  return NAME.test(name)
}

const NAME = /^[\w.-]{1,64}$/
const COOKIE = /(?:^|;)\s*mock_session="?([\w.-]{1,64})"?\s*(?:;|$)/
/** As the route is matched: in any case, with a slash or without. */
const EVENTS = /^\/__events\/?\?/i

/** Notes the session that a request names: by header, `/__events` query or cookie. Behind the guards, it is opened. */
export function readSession(): RequestHandler {
  return function readSession(req, res, next) {
    const header = req.headers['x-mock-session']
    const { cookie } = req.headers
    if (header === undefined && cookie === undefined && !req.url.startsWith('/__')) return next()
    const name = header === undefined ? (inQuery(req.url) ?? inCookie(cookie)) : String(header)
    if (name === undefined) return next()
    const isValid = isSessionName(name)
    setSession(req, isValid ? name : '')
    if (isValid) {
      res.setHeader(SESSION_HEADER, name)
      exposeTo(req, res, [SESSION_HEADER])
    }
    next()
  }
}

/** Undefined also for a name that cannot be: a cookie may be left over from another server. */
function inCookie(cookie: string | undefined): string | undefined {
  return COOKIE.exec(cookie ?? '')?.[1]
}

function inQuery(url: string): string | undefined {
  if (!EVENTS.test(url)) return undefined
  return new URLSearchParams(url.slice(url.indexOf('?'))).get('session') ?? undefined
}
