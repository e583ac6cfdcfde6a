import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createRequire } from 'node:module'
import { answerClientError, refuseExpectation, refuseWithoutHost } from './client-error.ts'
import { classesOf } from './express-classes.ts'

/** HTTPS takes a while to load, and few servers use it. */
const require = createRequire(import.meta.url)

export interface Tls {
  readonly cert: string
  readonly key: string
}

export interface TimeOuts {
  /** For the headers to arrive, counted from when the connection opens; with HTTPS, including the handshake. */
  readonly headers: number
  /** For a whole request to arrive, body included. The response may take as long as it needs. */
  readonly request: number
  /** How long an idle connection waits for its next request; json-server's `Keep-Alive: timeout=5`. */
  readonly keepAlive: number
  /** How often connections are checked: slow ones are cut off at most this much later. */
  readonly check: number
}

/** In milliseconds. Slow and silent connections cannot pile up; a 10 MB body over a 1 Mbit/s line still fits. */
export const TIME_OUTS: TimeOuts = { headers: 15_000, request: 120_000, keepAlive: 5000, check: 5000 }

/** A server, not listening yet: three times as fast as `app.listen`, hard on slow clients, with errors in JSON. */
export function createServer(app: RequestListener, tls?: Tls, timeOuts: TimeOuts = TIME_OUTS): Server {
  const options: ServerOptions = {
    ...classesOf(app),
    headersTimeout: timeOuts.headers,
    requestTimeout: timeOuts.request,
    keepAliveTimeout: timeOuts.keepAlive,
    connectionsCheckingInterval: timeOuts.check,
    // Refused below: Node's refusal has no body.
    requireHostHeader: false,
  }
  const listener: RequestListener = (req, res) => {
    if (req.headers.host === undefined && req.httpVersion === '1.1') refuseWithoutHost(res)
    else app(req, res)
  }
  const server = tls ? httpsServer({ ...options, ...tls }, listener) : createHttpServer(options, listener)
  return server
    .on('clientError', answerClientError)
    .on('checkExpectation', refuseExpectation)
    .on('checkContinue', (req, res) => {
      continueWhenRead(req, res)
      server.emit('request', req, res)
    })
}

function httpsServer(options: ServerOptions & Tls, listener: RequestListener): Server {
  const https: typeof import('node:https') = require('node:https')
  return https.createServer({ ...options, handshakeTimeout: options.headersTimeout }, listener)
}

/** Tells a client that asked first (`Expect: 100-continue`) to send its body once something starts to read it. */
function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const read = req._read
  req._read = function continueAndRead(size) {
    req._read = read
    if (!res.headersSent) res.writeContinue()
    read.call(req, size)
  }
}
