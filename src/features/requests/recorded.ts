import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Request } from 'express'
import type { Exchange, IgnoredPart } from '../../core/kernel/catalogue/exchange.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import {
  describeRequestBody,
  describeResponseBody,
  keptOf,
  type PassedBody,
  sizeOf,
  withoutBytes,
} from '../../core/layers/parts/captured-body.ts'
import { maskText, maskUrl } from '../../core/layers/parts/mask-secrets.ts'
import { isSecretParameter, MASK } from '../../core/layers/parts/secrets.ts'

/** Bytes of what is around what clients send. */
const ESTIMATE = 2048

/**
 * A request and its response: one flat object that refers to what is there anyway, since the garbage collector copies
 * the last ones of a busy server again and again. `describe` makes the rest.
 */
export class Recorded {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at: number
  method: string
  readonly url: string
  /** Bytes that it takes up, or about that many. */
  bytes: number
  readonly requestHeaders: IncomingHttpHeaders
  requestBody: PassedBody | undefined
  /** 0 until there is a response. */
  status: number
  ms = 0
  /** Of one that was sent again: names and values in turn. */
  responseHeaders: OutgoingHttpHeaders | readonly string[] | undefined
  responseBody: PassedBody | undefined
  layer: unknown
  error: unknown
  ignored: readonly IgnoredPart[] | undefined

  constructor(
    id: number,
    at: number,
    { method, url, headers }: Pick<Request, 'method' | 'url' | 'headers'>,
    status = 0,
    responseHeaders?: readonly string[],
    responseBody?: PassedBody,
  ) {
    this.id = id
    this.at = at
    this.method = method
    this.url = url
    this.bytes = ESTIMATE + keptOf(responseBody)
    this.requestHeaders = headers
    this.requestBody = undefined
    this.status = status
    this.responseHeaders = responseHeaders
    this.responseBody = responseBody
    this.layer = undefined
    this.error = undefined
    this.ignored = undefined
  }

  /** Counts what it takes up, when all of it is there. */
  measure(): void {
    const { requestHeaders: headers } = this
    this.bytes = ESTIMATE + this.url.length + keptOf(this.requestBody) + keptOf(this.responseBody)
    for (const name in headers) this.bytes += headers[name]?.length ?? 0
  }

  dropBodies(): void {
    const { requestBody, responseBody } = this
    this.bytes -= keptOf(requestBody) + keptOf(responseBody)
    this.requestBody = requestBody && withoutBytes(requestBody)
    this.responseBody = responseBody && withoutBytes(responseBody)
  }

  describe(): Exchange {
    const { id, at, method, url, status, ms, layer, ignored } = this
    const headers = headersIn(this.responseHeaders)
    const responseBody = describeResponseBody(this.responseBody, headers)
    const requestBody = describeRequestBody(this.requestBody, this.requestHeaders)
    const path = maskUrl(url)
    return {
      id,
      time: new Date(at).toISOString(),
      method,
      path,
      ...(path !== url && { isMasked: true }),
      status,
      ms: Math.round(ms * 10) / 10,
      size: sizeOf(this.responseBody),
      ...(typeof layer === 'string' && { layer }),
      ...(status >= 400 && faultIn(this.error ?? attempt(() => JSON.parse(responseBody?.text ?? '{}')))),
      ...(ignored && { ignored }),
      requestHeaders: safeHeaders(this.requestHeaders),
      responseHeaders: safeHeaders(headers),
      ...(requestBody && { requestBody }),
      ...(responseBody && { responseBody }),
    }
  }
}

function headersIn(headers: Recorded['responseHeaders'] = {}): OutgoingHttpHeaders {
  if (!isPairs(headers)) return headers
  const names = headers.filter((_, at) => at % 2 === 0)
  return Object.fromEntries(names.map((name, at) => [name.toLowerCase(), headers[2 * at + 1]]))
}

function isPairs(headers: OutgoingHttpHeaders | readonly string[]): headers is readonly string[] {
  return Array.isArray(headers)
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

function faultIn(body: unknown): { code?: string; message?: string } {
  const { code, message } = Object(body)
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
  }
}
