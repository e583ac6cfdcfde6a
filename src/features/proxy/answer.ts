import type { Request, RequestHandler, Response } from 'express'
import type { Config } from '../../config/config.ts'
import type { Engine } from '../../core/engine/engine.ts'
import { exposeTo } from '../../core/kernel/http/headers.ts'
import { mounts } from '../../core/kernel/http/request-context.ts'
import { sendError } from '../../core/kernel/http/send-json.ts'
import { foreignPages, hostsOf } from '../../core/layers/origin-checks.ts'
import { recordRefusal, refuseRequest } from '../../core/layers/parts/guard.ts'
import { DATABASE } from '../../core/router/target.ts'
import type { Generation } from '../feature.ts'
import { servedWorldOf } from '../served-world.ts'
import { type Exchange, Upstream, type UpstreamFault } from './forwarding/forward.ts'
import { forwardedPath } from './forwarding/forwarded-path.ts'
import { answersFrom, placeOf } from './place.ts'
import type { Mode } from './settings.ts'
import type { WorldProxy } from './world-proxy.ts'

const SOURCE = 'X-Mock-Source'
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Answers from the data, from what was kept, or by asking the API. */
export function answer(
  now: Generation,
  upstream: Upstream | undefined,
  proxyOf: (req: Request) => WorldProxy,
): RequestHandler {
  const foreign = foreignPages(now.config.trustedOrigins, hostsOf(now.config))

  return function answer(req, res, next) {
    const { method, originalUrl } = req
    const isOurs = method === 'OPTIONS' || originalUrl.startsWith('/__') || DATABASE.test(req.path)
    if (isOurs || (req.path === '/' && READS.has(method))) return next()
    const engine = servedWorldOf(req)?.engine ?? now.engine
    const proxy = proxyOf(req)
    const place = placeOf(req, engine)
    const mode = upstream ? modeOf(req, proxy, place.resource) : 'local'
    if (!upstream || answersFrom(mode, place.isHere, false) === 'data') {
      setSource(req, res, 'data')
      return next()
    }
    if (!mayForward(req, res)) return
    forward(req, res, upstream)
  }

  /** Refuses what must not be sent to the API. */
  function mayForward(req: Request, res: Response): boolean {
    const { method } = req
    const fault = isInMemory(req) ? undefined : foreign(req)
    if (fault !== undefined) {
      refuseRequest(res, 'proxy', 'FOREIGN_ORIGIN', fault)
      return false
    }
    if (READS.has(method)) return true
    if (now.accessOf && now.accessOf(req).user === undefined) {
      refuseRequest(res, 'proxy', 'AUTH_REQUIRED', 'Log in first: only then are writes sent to the API.')
      return false
    }
    if (servedWorldOf(req)?.name === undefined) return true
    refuse(res, 'NOT_IN_SESSION', 'A session cannot write to the API, which belongs to everybody.')
    return false
  }

  function forward(req: Request, res: Response, to: Upstream, own: Partial<Exchange> = {}): void {
    const path = forwardedPath(req.originalUrl, to.options.target)
    if (path === undefined) return refuse(res, 'MALFORMED_URL', 'This path cannot be sent to the API: write it plainly.')
    if (req.headers.via?.includes(to.options.via)) {
      return refuse(res, 'PROXY_LOOP', 'This request came from this server: the API leads back to it.')
    }
    setSource(req, res, 'api')
    const onFault = (fault: UpstreamFault, reason: string) => {
      const { host } = to.options.target
      now.log(`${req.method} ${host}: ${reason}.`)
      res.removeHeader(SOURCE)
      const what = fault === 'UPSTREAM_TIMEOUT' ? 'took too long to answer' : 'cannot be reached'
      refuse(res, fault, `The API at ${host} ${what}: ${reason}.`)
    }
    to.forward(req, res, { path, isWhole: false, onFault, ...own })
  }
}

function modeOf(req: Request, { modes }: WorldProxy, resource: string | undefined): Mode {
  const asked = req.headers['x-mock-proxy']
  const isAsked = (asked === 'local' || asked === 'through') && !modes.isGuarded(resource)
  return isAsked ? asked : modes.of(resource)
}

/** Requests of this program: no page, and no host name that another could have. */
function isInMemory(req: Request): boolean {
  return mounts.has(req) && !('remotePort' in req.socket)
}

function setSource(req: Request, res: Response, source: 'data' | 'api' | 'kept'): void {
  res.setHeader(SOURCE, source)
  exposeTo(req, res, [SOURCE])
}

function refuse(res: Response, code: Parameters<typeof sendError>[1], message: string): void {
  recordRefusal(res, 'proxy')
  sendError(res, code, message)
}
