import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ownRequests } from '../../core/kernel/http/request-context.ts'
import type { App } from './app.ts'
import { refuseAfterClose } from './client-error.ts'
import { type Fetch, type FetchOptions, fetchFrom } from './fetch-from.ts'
import {
  type HandleRequest,
  type HostRequest,
  type MountedHandler,
  mountedHandler,
  mountPath,
} from './mounted-handler.ts'

export interface ServiceHandlers {
  readonly app: App
  readonly handle: HandleRequest
  /** For the program that runs the server: past all guards. */
  readonly control: HandleRequest
}

interface InProcess {
  readonly handler: MountedHandler
  readonly fetch: Fetch
  readonly fetchControl: Fetch
  /** Like `fetch`, for requests that may act as any user. */
  readonly fetchAs: Fetch
  /** Lets the requests that came through these finish, and refuses others. */
  closeRequests(): Promise<void>
}

/**
 * The ways into a service besides a port of its own.
 * @param origin of paths without one
 * @param root the path that leads here, where hosts do not cut it off
 */
export function inProcess(
  { app, handle, control }: ServiceHandlers,
  { origin, root }: { readonly origin: string; readonly root: string },
): InProcess {
  const open = new Set<ServerResponse>()
  let isClosed = false
  const unlessClosed =
    (way: MountedHandler): MountedHandler =>
    (req, res, next) =>
      isClosed ? refuseAfterClose(res) : way(req, res, next)
  const mounted = unlessClosed(mountedHandler(app, handle, root))
  const handler: MountedHandler = (req, res, next) => {
    if (req.httpVersionMajor > 1) {
      const passOn = next && (() => next())
      void serveHttp2(req, res, (request, base) => fetchFrom(app, handler, request, base, passOn))
      return
    }
    open.add(res)
    res.once('close', () => open.delete(res))
    const passOn = (error?: unknown) => {
      // Another app takes over the response.
      open.delete(res)
      next?.(error)
    }
    mounted(req, res, next && passOn)
  }
  const fetchBy =
    (way: MountedHandler): Fetch =>
    (input, { base = root, ...init }: FetchOptions = {}) => {
      const isWhole = typeof input === 'object' && 'method' in input && Object.keys(init).length === 0
      const url = typeof input === 'string' ? new URL(input, origin || 'http://localhost') : input
      return fetchFrom(app, way, isWhole ? input : new Request(url, init), base)
    }
  return {
    handler,
    fetch: fetchBy(handler),
    fetchAs: fetchBy((req, res) => {
      ownRequests.add(req)
      handler(req, res)
    }),
    fetchControl: fetchBy(unlessClosed(mountedHandler(app, control, ''))),
    closeRequests() {
      isClosed = true
      return finish(open)
    },
  }
}

const GRACE_MS = 5000

/** Lets responses finish. Those not done after a while are cut off. */
async function finish(open: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = [...open].map((res) => once(res, 'close'))
  const cutOff = setTimeout(() => {
    for (const res of open) res.destroy()
  }, GRACE_MS)
  await Promise.allSettled(closed)
  clearTimeout(cutOff)
}

/** Serves a request of HTTP/2, as Vite has them with HTTPS: its classes are not those that Express extends. */
async function serveHttp2(
  req: HostRequest,
  res: ServerResponse,
  serve: (request: Request, base: string) => Promise<Response>,
): Promise<void> {
  const left = new AbortController()
  res.once('close', () => left.abort())
  try {
    const response = await serve(requestOf(req, left.signal), mountPath(req))
    const cookies = response.headers.getSetCookie()
    for (const [name, value] of response.headers) res.setHeader(name, value)
    if (cookies.length > 0) res.setHeader('set-cookie', cookies)
    res.writeHead(response.status)
    if (response.body) await pipeline(Readable.fromWeb(response.body), res)
    else res.end()
  } catch {
    // The connection was lost, or a fault cut it.
    const stream: unknown = Reflect.get(res, 'stream')
    if (stream instanceof Duplex) stream.destroy()
  }
}

function requestOf(req: HostRequest, signal: AbortSignal): Request {
  const { method = 'GET', headers, url } = req
  const { ':scheme': scheme = 'https', ':authority': authority = headers.host ?? 'localhost' } = headers
  const sent = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
  const init = {
    method,
    signal,
    headers: sent.map(([name, value]) => [name, String(value)] as [string, string]),
  }
  const body =
    method === 'GET' || method === 'HEAD'
      ? {}
      : { body: Readable.toWeb(req as IncomingMessage), duplex: 'half' }
  return new Request(`${scheme}://${authority}${req.originalUrl ?? url}`, { ...init, ...body } as RequestInit)
}
