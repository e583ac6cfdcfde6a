import type { Request, RequestHandler, Response } from 'express'
import type { RenderedAnswer } from './answer-cache.ts'
import { BoundedCache } from './bounded-cache.ts'

export interface ReplayOptions {
  /** Whether what was kept may be believed now, and nobody behind has to see the request. */
  readonly mayReplay: () => boolean
  /** Is told of the requests that are answered here: they do not come as far as where it stands. */
  readonly log?: { note(req: Request, res: Response, milliseconds: number): void } | undefined
}

/** How many bytes are kept, beside those of the router. */
const LIMIT = 40 * 1024 * 1024

/** An answer as it left: every header that Node does not add by itself, and the body. */
interface Sent {
  readonly answer: RenderedAnswer
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
export function replay({ mayReplay, log }: ReplayOptions): RequestHandler {
  const kept = new BoundedCache<Sent>(LIMIT, costOf)

  return function replay(req, res, next) {
    if (!isPlain(req) || !mayReplay()) return next()
    const key = keyOf(req)
    const known = kept.get(key)
    if (known?.answer.reading.isCurrent()) {
      const start = log ? performance.now() : 0
      sendAgain(res, known)
      log?.note(req, res, performance.now() - start)
      return
    }
    res.locals.keep = (sent: Omit<Sent, 'head'>) => kept.set(key, () => ({ ...sent, head: headOf(res) }))
    next()
  }
}

/** To be told of an answer right before it leaves, when all its headers are set. */
export function keepForReplay(res: Response, sent: Omit<Sent, 'head'>): void {
  const { keep } = res.locals
  if (typeof keep === 'function' && res.statusCode === 200) keep(sent)
}

function sendAgain(res: Response, { head, body, length }: Sent): void {
  // Headers that are sent all at once cannot be asked for later, and the log asks for this one.
  res.locals.contentLength = length
  res.writeHead(200, head)
  res.end(body)
}

/** Most requests: the answers to all others depend on more than the URL. */
function isPlain({ method, headers, url }: Request): boolean {
  return (
    method === 'GET' &&
    headers['if-none-match'] === undefined &&
    headers['if-modified-since'] === undefined &&
    !url.includes('_delay')
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
function costOf(key: string, { length, head }: Sent): number {
  const texts = head.reduce((sum, text) => sum + text.length, key.length)
  return length + texts + head.length * 8 + 300
}
