import type { Request, RequestHandler, Response } from 'express'
import type { AnswerCache, Sent } from './answer-cache.ts'

export interface ReplayOptions {
  /** What the router keeps: an answer can be replayed as long as it is there. */
  readonly answers: AnswerCache
  /** Whether what was kept may be believed now, and nobody behind has to see the request. */
  readonly mayReplay: () => boolean
  /** Are told of the requests that are answered here: they do not come as far as where these stand. */
  readonly logs: readonly Log[]
}

interface Log {
  note(req: Request, res: Response, milliseconds: number, length: number): void
}

let chains = 0

/**
 * Stands in front of everything and sends again what was sent before, all headers together, to whoever asks the same
 * while the data is the same. Only for a chain whose answers depend on nothing but the URL, the data and those
 * headers of a request that are looked at here: one that counts, waits or refuses must see every request.
 */
export function replay({ answers, mayReplay, logs }: ReplayOptions): RequestHandler {
  // Another chain has other rules and headers, and a request may still be on its way through the one before.
  const chain = String(++chains)

  return function replay(req, res, next) {
    if (!isPlain(req) || !mayReplay()) return next()
    const name = nameOf(chain, req)
    const sent = answers.getSent(name)
    if (sent) {
      sendAgain(req, res, sent, logs)
      return
    }
    const keep: Keep = (sent) => answers.keepSent(name, { ...sent, head: headOf(res) })
    Reflect.set(res.locals, KEEP, keep)
    next()
  }
}

type Keep = (sent: Omit<Sent, 'head'>) => void

/** Where a request on its way to the router carries what is to be told of its answer. */
const KEEP = Symbol('keep')

/** To be told of an answer right before it leaves, when all its headers are set. */
export function keepForReplay(req: Request, res: Response, sent: Omit<Sent, 'head'>): void {
  if (sent.answer.keptAs === undefined) return
  const keep: unknown = Reflect.get(res.locals, KEEP)
  // Also a rewrite rule may ask for a delay, and then everybody has to wait.
  const mayKeep = res.statusCode === 200 && !req.url.includes('_delay')
  if (typeof keep === 'function' && mayKeep) keep(sent)
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
function nameOf(chain: string, { headers, url }: Request): string {
  return `${chain}\n${headers.host ?? ''}\n${headers.origin ?? ''}\n${headers['accept-encoding'] ?? ''}\n${url}`
}

/** Node documents `getRawHeaderNames` for the requests that one sends only; what one answers has it of the same class. */
function headOf(res: Response): string[] {
  const names = (res as Response & { getRawHeaderNames(): string[] }).getRawHeaderNames()
  return names.flatMap((name) => [name, String(res.getHeader(name))])
}
