import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Transform } from 'node:stream'
import type { Request, Response } from 'express'
import { addExposed } from '../../../core/kernel/http/headers.ts'
import { asSent, mounts } from '../../../core/kernel/http/request-context.ts'
import { originOf } from '../../../core/kernel/http/request-url.ts'
import { bodyAsSent } from '../../../core/layers/body-parser.ts'
import { unpacker } from './capture.ts'
import type { LostPrefixes } from './cookies.ts'
import { type Credentials, requestHeaders, type SentHeaders } from './request-headers.ts'
import { responseHeaders } from './response-headers.ts'

/** Milliseconds until a connection must be there. */
const CONNECT_MS = 5000

export interface UpstreamOptions {
  readonly target: URL
  readonly headers: Readonly<Record<string, string>>
  readonly credentials: Credentials
  readonly timeoutMs: number
  readonly secure: boolean
  readonly via: string
  readonly isOwnOrigin: (req: Request, origin: string) => boolean
}

export type UpstreamFault = 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_TIMEOUT'

export interface ForwardedExchange {
  /** The path and query to ask for. */
  readonly path: string
  readonly isWhole: boolean
  /** A body in place of the request's own. */
  readonly body?: Buffer | undefined
  /** The part of a body that was read, with the rest still to come. */
  readonly begin?: Buffer | undefined
  /** Called with each answer whose head has come. Takes over its body, or leaves it to be streamed to the client. */
  readonly onAnswer?: ((answer: IncomingMessage, to: Transform | Response) => boolean) | undefined
  /** Called if there is no answer. */
  readonly onFault: (fault: UpstreamFault, reason: string) => void
}

/** Connections to one API. */
export class Upstream {
  readonly options: UpstreamOptions
  readonly #agent: HttpAgent
  readonly #lost: LostPrefixes = new Map()

  constructor(options: UpstreamOptions) {
    this.options = options
    const isHttps = options.target.protocol === 'https:'
    const keep = { keepAlive: true, scheduling: 'lifo' } as const
    this.#agent = isHttps
      ? new HttpsAgent({ ...keep, rejectUnauthorized: options.secure })
      : new HttpAgent(keep)
  }

  /** Sends a request on, streaming both ways. */
  forward(req: Request, res: Response, exchange: ForwardedExchange): void {
    const { target, timeoutMs } = this.options
    const body = exchange.body ?? bodyAsSent(req)
    const isHttps = target.protocol === 'https:'
    const out = (isHttps ? httpsRequest : httpRequest)({
      agent: this.#agent,
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port,
      method: req.method,
      path: exchange.path,
      headers: this.#headersOf(req, exchange.isWhole, body),
    })
    let timer = setTimeout(() => fail('UPSTREAM_UNREACHABLE', 'no connection within 5 s'), CONNECT_MS)
    let isSettled = false
    const settle = (): boolean => {
      const isFirst = !isSettled
      isSettled = true
      clearTimeout(timer)
      return isFirst
    }
    const fail = (fault: UpstreamFault, reason: string) => {
      if (!settle()) return
      res.off('close', leave)
      out.destroy()
      exchange.onFault(fault, reason)
    }
    const leave = () => {
      if (res.writableFinished) return
      settle()
      out.destroy()
    }
    res.once('close', leave)
    out.on('socket', (socket) => {
      const stop = () => clearTimeout(timer)
      if (out.reusedSocket) stop()
      else socket.once(isHttps ? 'secureConnect' : 'connect', stop)
    })
    out.on('finish', () => {
      clearTimeout(timer)
      if (!isSettled)
        timer = setTimeout(() => fail('UPSTREAM_TIMEOUT', `no answer within ${timeoutMs} ms`), timeoutMs)
    })
    out.on('error', (error: NodeJS.ErrnoException) => {
      // What the client still sends is thrown away, or it would never read the answer.
      if (body === undefined) req.unpipe(out).resume()
      // A connection that was kept may have been closed at the same moment.
      const mayRetry = out.reusedSocket && error.code === 'ECONNRESET' && isRepeatable(req, body)
      if (!mayRetry || isSettled) return fail('UPSTREAM_UNREACHABLE', error.code ?? error.message)
      settle()
      res.off('close', leave)
      this.forward(req, res, exchange)
    })
    out.on('response', (answer) => {
      settle()
      answer.on('error', () => res.destroy())
      const unpacking = exchange.isWhole ? unpacker(req, answer) : undefined
      this.#writeHead(req, res, answer, unpacking !== undefined)
      unpacking?.on('error', () => res.destroy()).pipe(res)
      const to = unpacking ?? res
      if (!exchange.onAnswer?.(answer, to)) answer.pipe(to)
    })
    if (body !== undefined) out.end(body)
    else if (isRepeatable(req, body)) out.end()
    else {
      if (exchange.begin) out.write(exchange.begin)
      req.pipe(out)
    }
  }

  /** The head of an answer, for the client. */
  #writeHead(req: Request, res: Response, answer: IncomingMessage, isUnpacked: boolean): void {
    const { headers, exposed } = responseHeaders({
      raw: answer.rawHeaders,
      target: this.options.target,
      here: hereOf(req),
      lost: this.#lost,
    })
    asSent.add(res)
    for (const name of OURS) res.removeHeader(name)
    for (const [name, value] of headers) {
      if (isUnpacked && (name === 'content-encoding' || name === 'content-length')) continue
      if (name === 'vary') res.vary([value].flat().join(', '))
      else res.setHeader(name, value)
    }
    if (exposed.length > 0) addExposed(res, exposed)
    res.statusCode = answer.statusCode ?? 502
    if (answer.statusMessage) res.statusMessage = answer.statusMessage
  }

  /** Requests in flight finish. */
  close(): void {
    this.#agent.maxFreeSockets = 0
    for (const sockets of Object.values(this.#agent.freeSockets))
      for (const socket of sockets ?? []) socket.destroy()
  }

  #headersOf(req: Request, isWhole: boolean, body: Buffer | undefined): string[] {
    const { target, headers: own, credentials, via, isOwnOrigin } = this.options
    const sent: SentHeaders = {
      ...{ target, own, credentials, via, isWhole, lost: this.#lost },
      raw: body === undefined ? req.rawHeaders : withoutFraming(req.rawHeaders),
      isOwnOrigin: (origin) => isOwnOrigin(req, origin),
    }
    const headers = requestHeaders(sent)
    return body === undefined ? headers : [...headers, 'Content-Length', String(body.length)]
  }
}

/** Headers of this server's own answers. */
const OURS = ['Cache-Control', 'Pragma', 'Expires']

/** Origin and mount, as the client reached us. */
export function hereOf(req: Request): string {
  return `${originOf(req) ?? ''}${mounts.get(req)?.path ?? ''}`
}

function isRepeatable({ method, headers }: Request, body: Buffer | undefined): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return body === undefined && !hasBody && method !== 'POST'
}

/** Of a body that was read here: unpacked, and whole. */
function withoutFraming(raw: readonly string[]): readonly string[] {
  return raw.flatMap((text, at) => {
    const name = (at % 2 === 0 ? text : (raw[at - 1] ?? '')).toLowerCase()
    return /^(?:content-(?:length|encoding)|transfer-encoding)$/.test(name) ? [] : [text]
  })
}
