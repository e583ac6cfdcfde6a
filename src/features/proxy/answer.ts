import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'
import type { Engine } from '../../core/engine/engine.ts'
import { exposeTo } from '../../core/kernel/http/headers.ts'
import { mounts } from '../../core/kernel/http/request-context.ts'
import { sendError } from '../../core/kernel/http/send-json.ts'
import { foreignPages, hostsOf } from '../../core/layers/origin-checks.ts'
import { recordRefusal, refuseRequest } from '../../core/layers/parts/guard.ts'
import { DATABASE } from '../../core/router/target.ts'
import type { Generation } from '../feature.ts'
import { servedWorldOf } from '../served-world.ts'
import { captureAnswer, decodedText, isKeepable, readJsonBody } from './forwarding/capture.ts'
import type { ForwardedExchange, Upstream, UpstreamFault } from './forwarding/forward.ts'
import { forwardedPath } from './forwarding/forwarded-path.ts'
import { answersFrom, type Place, placeOf } from './place.ts'
import { keptExchange } from './recorder/kept-exchange.ts'
import { LocalAnswers } from './recorder/local-answers.ts'
import { hasKept, sendKept } from './recorder/send-kept.ts'
import { type Mode, PROXY_DEFAULTS } from './settings.ts'
import type { WorldProxy } from './world-proxy.ts'

const SOURCE = 'X-Mock-Source'
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const NOWHERE = new URL('http://restable.invalid/')

/** Answers from the data, from what was kept, or by asking the API. */
export function answer(
  now: Generation,
  upstream: Upstream | undefined,
  proxyOf: (req: Request) => WorldProxy,
): RequestHandler {
  const { config } = now
  const foreign = foreignPages(config.trustedOrigins, hostsOf(config))
  const answers = new LocalAnswers(now)
  const maxBytes = config.proxy?.maxBytes ?? PROXY_DEFAULTS.maxBytes
  const said = new Set<string>()

  return async function answer(req, res, next) {
    const { method, originalUrl } = req
    const isOurs = method === 'OPTIONS' || originalUrl.startsWith('/__') || DATABASE.test(req.path)
    if (isOurs || (req.path === '/' && READS.has(method))) return next()
    const asked = askedOf(req)
    const { mode, place, isRecorded } = asked
    const isData = answersFrom(mode, place.isHere, isRecorded) === 'data' && !(await isToFill(asked, req))
    if (!upstream || isData) return (await serveOwn(asked, req, res)) ? undefined : next()
    if (!mayForward(req, res)) return
    const path = forwardedPath(originalUrl, upstream.options.target)
    if (path === undefined)
      return refuse(res, 'MALFORMED_URL', 'This path cannot be sent to the API: write it plainly.')
    if (req.headers.via?.includes(upstream.options.via))
      return refuse(res, 'PROXY_LOOP', 'This request came from this server: the API leads back to it.')
    if (READS.has(method)) return read(asked, upstream, path, req, res)
    return write(asked, upstream, path, req, res)
  }

  interface Asking {
    readonly engine: Engine
    readonly proxy: WorldProxy
    readonly place: Place
    readonly mode: Mode
    readonly isRecorded: boolean
  }

  function recorderOf({ proxy, engine }: Pick<Asking, 'proxy' | 'engine'>) {
    return proxy.recorderFor(engine, answers, upstream?.options.target ?? NOWHERE)
  }

  function askedOf(req: Request): Asking {
    const engine = servedWorldOf(req)?.engine ?? now.engine
    const proxy = proxyOf(req)
    const recorder = recorderOf({ proxy, engine })
    const route = proxy.recording.isEmpty ? undefined : recorder.routeOf(pathOf(req))
    const own = placeOf(req, engine)
    const isKept = !own.isHere && !proxy.recording.isEmpty && hasKept(proxy.recording, req)
    const place = route
      ? { resource: route.route.collection, isHere: true, id: route.spot.id }
      : { ...own, isHere: own.isHere || isKept }
    const isRecorded = isKept || recorder.isRecorded(place.resource)
    return { engine, proxy, place, isRecorded, mode: upstream ? modeOf(req, proxy, place.resource) : 'local' }
  }

  /** Whether it is for an item that is missing here, and may be at the API. */
  async function isToFill({ mode, place, engine, proxy }: Asking, { method }: Request): Promise<boolean> {
    const { resource, id } = place
    if (mode !== 'fill' || !READS.has(method) || resource === undefined || id === undefined) return false
    if (proxy.isDeleted(resource, id)) return false
    const { found } = await engine.read({ kind: 'item', collection: resource, id })
    return found === undefined
  }

  /** From what was kept whole, or rows of a recorded route. False for all other rows. */
  async function serveOwn(asked: Asking, req: Request, res: Response): Promise<boolean> {
    const { engine, proxy, place } = asked
    const { recording } = proxy
    if (!recording.isEmpty && (await sendKept(recording, req, res, () => setSource(req, res, 'kept'))))
      return true
    setSource(req, res, 'data')
    const route = recording.isEmpty ? undefined : recorderOf(asked).routeOf(pathOf(req))
    if (!route) return false
    const { total } = route.route
    const size = engine.database.table(route.route.collection)?.size ?? 0
    if (total !== undefined && total > size && place.id === undefined) {
      res.setHeader('X-Mock-Recorded', `${size} of ${total}`)
      exposeTo(req, res, ['X-Mock-Recorded'])
    }
    req.url = recording.cleaner.url(req.url)
    answers.serve(engine, route, req, res)
    return true
  }

  /** Refuses what must not be sent to the API. */
  function mayForward(req: Request, res: Response): boolean {
    const fault = foreign(req, !isInMemory(req))
    if (fault !== undefined) {
      refuseRequest(res, 'proxy', 'FOREIGN_ORIGIN', fault)
      return false
    }
    if (READS.has(req.method)) return true
    if (now.accessOf && now.accessOf(req).user === undefined) {
      refuseRequest(res, 'proxy', 'AUTH_REQUIRED', 'Log in first: only then are writes sent to the API.')
      return false
    }
    if (servedWorldOf(req)?.name === undefined) return true
    refuse(res, 'NOT_IN_SESSION', 'A session cannot write to the API, which belongs to everybody.')
    return false
  }

  function read(asked: Asking, to: Upstream, path: string, req: Request, res: Response): void {
    const keeps = asked.mode === 'record' || asked.mode === 'fill'
    forward(to, req, res, {
      path,
      isWhole: keeps,
      ...(keeps &&
        req.method === 'GET' && { onAnswer: (found, out) => capture(asked, found, out, req, res) }),
      ...(keeps && { instead: () => serveInstead(asked, req, res) }),
    })
  }

  async function write(
    asked: Asking,
    to: Upstream,
    path: string,
    req: Request,
    res: Response,
  ): Promise<void> {
    const sent = await readJsonBody(req, maxBytes)
    if (!sent) return
    const { whole, begin } = sent
    if (whole?.includes('***')) {
      const why = 'The body holds ***, which stands for a secret that was not kept: the API would store it.'
      return refuse(res, 'REDACTED', why)
    }
    const { proxy, place, mode } = asked
    const keeps = mode === 'record' || mode === 'fill'
    const end = () => res.statusCode < 300 && proxy.endAnswers(place.resource)
    if (!keeps) res.once('finish', end)
    forward(to, req, res, {
      ...{ path, begin, body: whole, isWhole: false },
      ...(keeps && { onAnswer: (found, out) => capture(asked, found, out, req, res, whole) }),
    })
  }

  /** Takes an answer that may be kept. */
  function capture(
    asked: Asking,
    found: IncomingMessage,
    out: Transform | Response,
    req: Request,
    res: Response,
    sent?: Buffer,
  ): boolean {
    const { statusCode = 0 } = found
    const isWrite = req.method !== 'GET' && statusCode >= 200 && statusCode < 300
    if (!isWrite && !isKeepable(found)) return false
    if (!isWrite) res.setHeader('Cache-Control', 'no-cache')
    captureAnswer(found, out, maxBytes, async (body) => {
      const text = await decodedText(body, found.headers, maxBytes)
      const exchanged =
        text === undefined
          ? undefined
          : keptExchange({
              req,
              res,
              answer: found,
              text,
              sent,
              cleaner: asked.proxy.recording.cleaner,
              onRounded: sayRounded,
            })
      if (!exchanged) return
      const fail = (error: unknown) =>
        now.log(`${exchanged.method} ${exchanged.url} was not kept: ${String(error)}`)
      await recorderOf(asked).record(exchanged).catch(fail)
    })
    return true
  }

  function sayRounded(path: string, numbers: string): void {
    if (said.has(path) || said.size >= 1000) return
    said.add(path)
    now.log(`${path} is not kept, since JavaScript cannot hold its numbers exactly: ${numbers}.`)
  }

  /** Where the API fails: what was kept. */
  async function serveInstead(asked: Asking, req: Request, res: Response): Promise<boolean> {
    const { engine, proxy } = asked
    const route = recorderOf(asked).routeOf(pathOf(req))
    const isThere =
      hasKept(proxy.recording, req) ||
      (route &&
        (await answers.probe(engine, route, proxy.recording.cleaner.url(req.originalUrl), req, res)) !==
          undefined)
    if (!isThere) return false
    now.log(`${req.method} ${pathOf(req)}: answered from what was kept.`)
    return serveOwn(asked, req, res)
  }

  function forward(
    to: Upstream,
    req: Request,
    res: Response,
    exchange: Omit<ForwardedExchange, 'onFault'> & { readonly instead?: () => Promise<boolean> },
  ): void {
    setSource(req, res, 'api')
    const onFault = async (fault: UpstreamFault, reason: string) => {
      const { host } = to.options.target
      now.log(`${req.method} ${host}: ${reason}.`)
      res.removeHeader(SOURCE)
      if (await exchange.instead?.()) return
      const what = fault === 'UPSTREAM_TIMEOUT' ? 'took too long to answer' : 'cannot be reached'
      refuse(res, fault, `The API at ${host} ${what}: ${reason}.`)
    }
    to.forward(req, res, { ...exchange, onFault: (fault, reason) => void onFault(fault, reason) })
  }
}

function pathOf({ originalUrl }: Request): string {
  return originalUrl.replace(/[?#].*/s, '')
}

function modeOf(req: Request, { modes }: WorldProxy, resource: string | undefined): Mode {
  const asked = req.headers['x-mock-proxy']
  const isAsked = (asked === 'local' || asked === 'through') && !modes.isGuarded(resource)
  return isAsked ? asked : modes.of(resource)
}

/** Requests without a network: no host name of theirs leads elsewhere. */
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
