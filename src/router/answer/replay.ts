import type { Request, RequestHandler, Response } from 'express'
import { memoryOf } from './answer-cache.ts'
import { BoundedCache } from './bounded-cache.ts'

export interface ReplayOptions {
  /** Whether what was kept may be believed now, and nobody behind has to see the request. */
  readonly mayReplay: () => boolean
  /** Are told of the requests that are answered here: they do not come as far as where these stand. */
  readonly logs: readonly Log[]
}

interface Log {
  note(req: Request, res: Response, milliseconds: number, length: number): void
}

/** How many bytes are kept, beside those of the router. */
const LIMIT = 40 * 1024 * 1024

/** An answer as it left: every header that Node does not add by itself, and the body. */
interface Sent {
  /** Whether it would be the same now. */
  readonly isCurrent: () => boolean
  readonly body: string | Buffer
  /** In bytes. */
  readonly length: number
  /** Names and values in turn. */
  readonly head: string[]
}

/**
 * Stands in front of everything and sends again what was sent before, all headers at once, to whoever asks the same
 * while the data is the same. Only for a chain whose answers depend on nothing but the URL, the data and those
 * headers of a request that are looked at here: one that counts, waits or refuses must see every request.
 */
export function replay({ mayReplay, logs }: ReplayOptions): RequestHandler {
  const kept = new BoundedCache<Sent>(LIMIT, costOf)

  return function replay(req, res, next) {
    if (!isPlain(req) || !mayReplay()) return next()
    const key = keyOf(req)
    const known = kept.get(key)
    if (known?.isCurrent()) {
      sendAgain(req, res, known, logs)
      return
    }
    Reflect.set(res.locals, KEEP, (sent: Omit<Sent, 'head'>) =>
      kept.set(key, () => ({ ...sent, head: headOf(res) })),
    )
    next()
  }
}

/** Where a request on its way to the router carries what is to be told of its answer. */
const KEEP = Symbol('keep')

/** To be told of an answer right before it leaves, when all its headers are set. */
export function keepForReplay(req: Request, res: Response, sent: Omit<Sent, 'head'>): void {
  const keep: unknown = Reflect.get(res.locals, KEEP)
  // Also a rewrite rule may ask for a delay, and then everybody has to wait.
  const mayKeep = res.statusCode === 200 && !req.url.includes('_delay')
  if (typeof keep === 'function' && mayKeep && sent.isCurrent()) keep(sent)
}

function sendAgain(req: Request, res: Response, { head, body, length }: Sent, logs: readonly Log[]): void {
  const start = logs.length > 0 ? performance.now() : 0
  res.writeHead(200, head)
  res.end(body)
  for (const log of logs) log.note(req, res, performance.now() - start, length)
}

/** Most requests: the answers to all others depend on more than the URL. */
function isPlain({ method, headers }: Request): boolean {
  return (
    method === 'GET' &&
    headers['if-none-match'] === undefined &&
    headers['if-modified-since'] === undefined &&
    headers['x-http-method-override'] === undefined
  )
}

/** Links name the host, an origin is let in by its name, and bodies are compressed for those who can read that. */
function keyOf({ headers, url }: Request): string {
  return `${headers.host ?? ''}\n${headers.origin ?? ''}\n${headers['accept-encoding'] ?? ''}\n${url}`
}

/** Node documents `getRawHeaderNames` for the requests that one sends only; what one answers has it of the same class. */
function headOf(res: Response): string[] {
  const names = (res as Response & { getRawHeaderNames(): string[] }).getRawHeaderNames()
  return names.flatMap((name) => [name, String(res.getHeader(name))])
}

/** Counted as if nobody else had the body and the texts, and with what objects around them take. */
function costOf(key: string, { body, head }: Sent): number {
  const texts = head.reduce((sum, text) => sum + text.length, key.length)
  return memoryOf(body) + texts + head.length * 8 + 500
}
