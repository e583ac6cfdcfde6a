import { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import type { App } from './app.ts'
import type { MountedHandler } from './mounted-handler.ts'
import { classesOf } from './server.ts'

export interface FetchOptions extends RequestInit {
  /** The path that leads here, where it is not the root: `/api`. Links and the page keep it. */
  readonly base?: string
}

export type Fetch = (input: string | URL | Request, init?: FetchOptions) => Promise<Response>

/**
 * Sends a `Request` to a handler without a network: Node's own request and response, on a connection in memory. They are
 * not written as HTTP and read again, so that nothing which replaces `node:http` for tests, such as MSW, comes between.
 * @param base the path that leads to the handler
 * @param next called, instead of a response, for what the handler does not know
 */
export function fetchFrom(
  app: App,
  handle: MountedHandler,
  request: Request,
  base: string,
  next?: () => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = request
    signal.throwIfAborted()
    const connection = new Connection(new URL(request.url))
    const { IncomingMessage: In = IncomingMessage, ServerResponse: Out = ServerResponse } = classesOf(app)
    // Node takes any stream for a connection; its types do not say so.
    const req = new In(connection as never)
    fillIn(req, request, base)
    const res = new Out(req)
    // Without it, the body arrives as it is, and its end is that of the connection.
    res.useChunkedEncodingByDefault = false
    onHead(res, (head) => resolve(responseTo(request, res, head, connection)))
    res.assignSocket(connection as never)
    connection.on('drain', () => drain(res))
    // A fault may cut the connection at the very end.
    res.once('finish', () => queueMicrotask(() => connection.complete()))

    const abort = () => connection.lose(signal.reason)
    signal.addEventListener('abort', abort)
    connection.once('close', () => {
      signal.removeEventListener('abort', abort)
      if (!res.writableFinished) req.destroy()
      reject(connection.failure)
    })
    handle(req, res, next)
  })
}

/** A request as Node's parser would make it. */
function fillIn(req: IncomingMessage, request: Request, base: string): void {
  const { host, pathname, search } = new URL(request.url)
  const headers: Record<string, string> = { ...Object.fromEntries(request.headers), host }
  if (request.body && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  const isBelow = base !== '' && `${pathname}/`.startsWith(`${base}/`)
  const path = (isBelow ? pathname.slice(base.length) : pathname) || '/'
  Object.assign(req, {
    method: request.method,
    url: `${path}${search}`,
    originalUrl: `${pathname}${search}`,
    baseUrl: isBelow ? base : '',
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    headers,
    rawHeaders: Object.entries(headers).flat(),
  })
  const body = request.body?.getReader()
  const end = () => {
    req.complete = true
    req.push(null)
  }
  req._read = () => {
    // As Node's own `_read` does: in Bun and Deno, there would be no second call.
    Object.assign(Reflect.get(req, '_readableState'), { readingMore: false })
    if (!body) return end()
    body.read().then(
      ({ done, value }) => (done ? end() : req.push(value)),
      (error: unknown) => req.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  }
  req.socket.once('close', () => void body?.cancel().catch(() => {}))
}

/** Calls back with status line and headers, when they are final, instead of writing them to the connection. */
function onHead(res: ServerResponse, onStored: (head: string) => void): void {
  const store: unknown = Reflect.get(res, '_storeHeader')
  if (typeof store !== 'function') throw new TypeError('This version of Node is not supported')
  const storeHeader = (...args: unknown[]): void => {
    store.apply(res, args)
    Object.assign(res, { _headerSent: true, chunkedEncoding: false })
    onStored(String(Reflect.get(res, '_header')))
  }
  Object.assign(res, { _storeHeader: storeHeader })
}

/** Emits `drain`, as Node's server does: a response does not listen to its connection. */
function drain(res: ServerResponse): void {
  if (!res.writableNeedDrain) return
  const flag = Object.getOwnPropertySymbols(res).find(({ description }) => description === 'kNeedDrain')
  if (flag) Reflect.set(res, flag, false)
  res.emit('drain')
}

function responseTo(
  { method }: Request,
  { statusCode: status, statusMessage: statusText }: ServerResponse,
  head: string,
  connection: Connection,
): Response {
  const headers = new Headers()
  for (const line of head.split('\r\n').slice(1)) {
    const [, name, value = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
    if (name !== undefined && !OF_CONNECTIONS.has(name.toLowerCase())) headers.append(name, value)
  }
  const body = method === 'HEAD' || WITHOUT_BODY.has(status) ? null : connection.openBody()
  return new Response(body, { status, statusText, headers })
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** Bytes of a response that wait to be read. */
const ROOM = 64 * 1024

/** The server's side of a connection, as far as requests, responses and faults use it. */
class Connection extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly encrypted: boolean
  failure: unknown = new TypeError('fetch failed: the server closed the connection')
  #body: ReadableStreamDefaultController<Uint8Array> | undefined
  #onPull: (() => void) | undefined
  #isComplete = false

  constructor({ protocol }: URL) {
    super()
    this.encrypted = protocol === 'https:'
  }

  openBody(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller
        },
        pull: () => {
          const resume = this.#onPull
          this.#onPull = undefined
          resume?.()
        },
        cancel: () => {
          this.#body = undefined
          this.destroy()
        },
      },
      { highWaterMark: ROOM, size: ({ length }) => length },
    )
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    // A copy: the bytes may be those of a cached response.
    if (chunk.length > 0) this.#body?.enqueue(new Uint8Array(chunk))
    if ((this.#body?.desiredSize ?? 1) > 0) done()
    else this.#onPull = done
  }

  override _final(done: () => void): void {
    done()
    this.destroy()
  }

  override _destroy(_error: unknown, done: () => void): void {
    if (this.#isComplete) this.#body?.close()
    else this.#body?.error(this.failure)
    done()
  }

  /** The response is whole, unless something has closed the connection before. */
  complete(): void {
    if (this.writableEnded || this.destroyed) return
    this.#isComplete = true
    this.end()
  }

  lose(reason: unknown): void {
    this.failure = reason
    this.destroy()
  }

  setTimeout(): this {
    return this
  }

  destroySoon(): void {
    this.end()
  }

  resetAndDestroy(): void {
    this.destroy()
  }
}
