import type { Request, RequestHandler, Response } from 'express'
import { mounts } from '../../kernel/http/request-context.ts'
import { schemeOf } from '../../kernel/http/request-url.ts'
import type { LogLayer } from '../../layers/logger.ts'
import type { ResponseCache, Sent } from './response-cache.ts'
import { holdUntilSent } from './response-memory.ts'

export interface ReplayOptions {
  readonly responses: ResponseCache
  /** Whether a later handler can do without seeing the request: each must say so. */
  readonly quiet: readonly (() => boolean)[]
  /** While these are on, they see every request. */
  readonly unless: { readonly isOn: boolean }
  /** Takes over writes of other processes; undefined where there are none. */
  readonly catchUp: () => Promise<void> | undefined
  /** Told of each response that is sent again. */
  readonly heard: readonly ((req: Request, sent: Sent) => void)[]
  readonly logs: readonly LogLayer[]
}

let chains = 0

/**
 * The fast path in front of everything: replays a cached response, with all headers, for an equal request while the
 * data is unchanged. Only for a chain whose responses depend on nothing but the URL, the data and the request headers
 * checked here: a layer that counts, waits or refuses must see every request.
 */
export function replay({ responses, quiet, unless, catchUp, heard, logs }: ReplayOptions): RequestHandler {
  // A reload makes another chain, with other rules and headers, while requests in flight still use this one.
  const chain = String(++chains)
  const repeat = (req: Request, res: Response, sent: Sent) => {
    for (const hear of heard) hear(req, sent)
    sendAgain(req, res, sent, logs)
  }

  return function replay(req, res, next) {
    const { method, headers, url } = req
    // The responses to other requests depend on more than the URL.
    const isPlain =
      method === 'GET' &&
      headers['if-none-match'] === undefined &&
      headers['if-modified-since'] === undefined &&
      headers['x-http-method-override'] === undefined &&
      headers.prefer === undefined &&
      headers.authorization === undefined &&
      headers['x-mock-session'] === undefined &&
      headers['x-mock-scenario'] === undefined &&
      headers['x-mock-user'] === undefined &&
      !headers.cookie?.includes('mock_session')
    if (!isPlain || unless.isOn) return next()
    for (const isQuiet of quiet) if (!isQuiet()) return next()
    const mount = mounts.get(req)
    // A proxy may serve the same host by both schemes.
    const scheme = mount || headers['x-forwarded-proto'] !== undefined ? schemeOf(req) : ''
    const root = scheme + (mount?.path ?? '')
    // Links contain the host, CORS headers the origin, and bodies may be compressed.
    const name = `${chain}\n${root}\n${headers.host ?? ''}\n${headers.origin ?? ''}\n${headers['accept-encoding'] ?? ''}\n${url}`
    const sent = responses.getSent(name)
    if (sent) {
      const news = catchUp()
      if (!news) return repeat(req, res, sent)
      const sendIfCurrent = () => {
        const current = responses.getSent(name)
        if (current) repeat(req, res, current)
        else next()
      }
      news.then(sendIfCurrent, () => next())
      return
    }
    const store: StoreSent = (sent) => responses.setSent(name, { ...sent, head: headOf(res) })
    Reflect.set(res.locals, STORE, store)
    next()
  }
}

type StoreSent = (sent: Omit<Sent, 'head'>) => void

const STORE = Symbol('store')

/** Call right before sending, with all headers set; from the second time on, as many URLs are requested once. */
export function storeForReplay(req: Request, res: Response, sent: Omit<Sent, 'head'>): void {
  if (sent.response.cacheKey === undefined) return
  const store: unknown = Reflect.get(res.locals, STORE)
  // A rewrite rule may add a delay, for every request.
  const mayStore = res.statusCode === 200 && !req.url.includes('_delay')
  if (typeof store === 'function' && mayStore) store(sent)
}

function sendAgain(
  req: Request,
  res: Response,
  { head, body, length }: Sent,
  logs: readonly LogLayer[],
): void {
  const start = logs.length > 0 ? performance.now() : 0
  if (typeof body !== 'string') holdUntilSent(body, res)
  res.writeHead(200, head)
  res.end(body)
  for (const log of logs) log.note(req, res, start, length)
}

/** Documented only for outgoing requests; responses inherit it from the same class. */
function headOf(res: Response): string[] {
  const names = (res as Response & { getRawHeaderNames(): string[] }).getRawHeaderNames()
  const head: string[] = []
  for (const name of names) head.push(name, String(res.getHeader(name)))
  return head
}
