import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type { Exchange } from '../kernel/catalogue/exchange.ts'
import { ignoredParts } from '../kernel/http/request-context.ts'
import { originalErrors } from '../kernel/http/send-json.ts'
import { worldOf } from '../kernel/http/world.ts'
import { attempt } from '../kernel/util/attempt.ts'
import type { Feed } from '../kernel/util/feed.ts'
import { CapturedBody } from './parts/captured-body.ts'
import { maskText, maskUrl } from './parts/mask-secrets.ts'
import { isSecretParameter, MASK } from './parts/secrets.ts'

/** Reports requests to the feed: behind compression, for plain bodies, and before all else, for refusals. */
export function recorder(): RequestHandler {
  let count = 0

  return function recorder(req, res, next) {
    const { feed, clock } = worldOf(req)
    if (feed.wantsRequests && !isOurs(req)) {
      count += 1
      record(feed, count, req, res, clock.iso())
    }
    next()
  }
}

function isOurs({ url }: Request): boolean {
  return url.startsWith('/__dashboard/') || /^\/__events\/?(?:\?|$)/.test(url)
}

function record(feed: Feed, id: number, req: Request, res: Response, time: string): void {
  const start = performance.now()
  const sent = captureRequest(req)
  const answered = captureResponse(res)

  const describe = (): Exchange => {
    const { refusedBy } = res.locals
    const ignored = ignoredParts.get(req)
    const responseBody = answered.describeResponse(res.getHeaders())
    const requestBody = sent.describeRequest(req.headers)
    const path = maskUrl(req.originalUrl)
    return {
      id,
      time,
      method: req.method,
      path,
      ...(path !== req.originalUrl && { isMasked: true }),
      status: res.writableFinished ? res.statusCode : 0,
      ms: Math.round((performance.now() - start) * 10) / 10,
      size: answered.size,
      ...(typeof refusedBy === 'string' && { layer: refusedBy }),
      ...(res.statusCode >= 400 && faultOf(res, responseBody?.text)),
      ...(ignored && { ignored }),
      requestHeaders: safeHeaders(req.headers),
      responseHeaders: safeHeaders(res.getHeaders()),
      ...(requestBody && { requestBody }),
      ...(responseBody && { responseBody }),
    }
  }

  res.once('close', () => {
    try {
      feed.emit({ type: 'request', data: describe() })
    } catch (error) {
      // Uncaught, it would end the process.
      console.warn(
        `A request could not be recorded: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  })
}

/** Listens only once something else reads the body: our listener alone would drain it. */
function captureRequest(req: Request): CapturedBody {
  const body = new CapturedBody()
  req.on('newListener', function join(event) {
    if (event !== 'data') return
    req.off('newListener', join)
    req.on('data', (chunk: unknown) => body.take(chunk))
  })
  return body
}

function captureResponse(res: Response): CapturedBody {
  const body = new CapturedBody()
  const { write, end } = res
  res.write = (...args: unknown[]) => {
    body.take(args[0], args[1])
    return Reflect.apply(write, res, args)
  }
  res.end = (...args: unknown[]) => {
    body.take(args[0], args[1])
    return Reflect.apply(end, res, args)
  }
  return body
}

const URL_HEADERS: ReadonlySet<string> = new Set(['referer', 'location'])

function safeHeaders(headers: IncomingHttpHeaders | OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : String(value)
      // Access-Control-Allow-Credentials holds none.
      const isSecret = isSecretParameter(name) && !name.startsWith('access-control-')
      // `Bearer ***`: the scheme is not secret.
      if (isSecret) return [name, text.replace(/^((?:Bearer|Basic|Digest) )?.*$/is, `$1${MASK}`)]
      return [name, URL_HEADERS.has(name) ? maskUrl(text) : maskText(text)]
    }),
  )
}

function faultOf(res: Response, sent = '{}'): { code?: string; message?: string } {
  const { code, message } = originalErrors.get(res) ?? Object(attempt(() => JSON.parse(sent)))
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
  }
}
