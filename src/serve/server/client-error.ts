import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorBody, statusOf } from '../../core/kernel/catalogue/errors.ts'
import { currentResponse } from './close-servers.ts'

type Refusal = readonly [code: ErrorCode, message: string]

const MALFORMED: Refusal = [
  'MALFORMED_REQUEST',
  'The request is not valid HTTP: check its method, URL and headers',
]

const BY_REASON: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    'HEADERS_TOO_LARGE',
    'URL and headers together may not exceed 16 KB: send less, or send it in the body',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'BODY_TOO_LARGE',
    'The chunk extensions of the body are too large: leave them out',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request took too long to arrive: send it again, faster'],
}

/** The client is gone, or there is no connection yet. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_TLS_HANDSHAKE_TIMEOUT'])

/** How long a client may keep sending after a refusal: cut off immediately, it might never read why. */
const LINGER_MS = 1000

/** Responds in JSON, like every other error, to what never became a request. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Only the first fault gets a response: everything after it is bound to be faulty too.
  if (socket.writableEnded) return
  // An error in the middle of another response would be read as part of it.
  const hasBegun = currentResponse(socket)?.headersSent === true
  if (!socket.writable || UNREACHABLE.has(error.code ?? '') || hasBegun) {
    socket.destroy()
    return
  }
  socket.end(rawResponse(BY_REASON[error.code ?? ''] ?? MALFORMED))
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

export function refuseWithoutHost(res: ServerResponse): void {
  sendRefusal(res, ['MALFORMED_REQUEST', 'The Host header is missing: HTTP/1.1 requires it'])
}

/** A client with another expectation waits for it before sending the body. */
export function refuseExpectation(_req: IncomingMessage, res: ServerResponse): void {
  const message = 'Only "Expect: 100-continue" is supported: send the request without this header'
  sendRefusal(res, ['EXPECTATION_FAILED', message])
}

export function refuseAfterClose(res: ServerResponse): void {
  sendRefusal(res, ['SERVER_CLOSED', 'The server was closed: open another one, or close it later'])
}

function sendRefusal(res: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = responseOf(refusal)
  res.writeHead(status, headers).end(body)
}

function rawResponse(refusal: Refusal): string {
  const { status, headers, body } = responseOf(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

function responseOf([code, message]: Refusal) {
  const body = JSON.stringify(errorBody(code, message), null, 2)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  return { status: statusOf(code), headers, body }
}
