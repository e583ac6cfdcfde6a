import {
  createServer as createHttpServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { createRequire } from 'node:module'
import type { Express } from 'express'
import { closeWhenRead } from '../../core/kernel/http/close-when-read.ts'
import type { Tls } from '../../features/tls.ts'
import { refuseExpectation, refuseWithoutHost, respondToClientError } from './client-error.ts'

/** HTTPS takes a while to load, and few servers use it. */
const require = createRequire(import.meta.url)

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
    const { headers } = req
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
      closeWhenRead(req)
    if (headers.host === undefined && req.httpVersion === '1.1') refuseWithoutHost(res)
    else app(req, res)
  }
  const server = tls ? httpsServer({ ...options, ...tls }, listener) : createHttpServer(options, listener)
  return server
    .on('clientError', respondToClientError)
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

/** Lets a client that waits (`Expect: 100-continue`) send its body once something starts to read it. */
function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const read = req._read
  req._read = function continueAndRead(size) {
    req._read = read
    if (!res.headersSent) res.writeContinue()
    read.call(req, size)
  }
}

/**
 * Express gives every request and response the app's own prototype, and V8 discards its optimizations each time.
 * Created with that prototype in the first place, they need no change: so the prototypes become those of two classes.
 * Classes, because V8 reserves space in an object for the fields of all classes it extends; an object made by a function
 * grows field by field, until V8 gives up and turns it into a dictionary.
 */
export function giveClasses(app: Express): void {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {}
  Object.assign(app, {
    request: becomeLike(Request.prototype, app.request),
    response: becomeLike(Response.prototype, app.response),
  })
}

function becomeLike(prototype: object, old: object): object {
  Object.setPrototypeOf(prototype, Object.getPrototypeOf(old))
  return Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(old))
}

/** The classes of an app's requests and responses, unless those are Node's own. */
export function classesOf(app: RequestListener): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  const request: unknown = Reflect.get(app, 'request')
  const response: unknown = Reflect.get(app, 'response')
  if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return {}
  return {
    IncomingMessage: request.constructor as typeof IncomingMessage,
    ServerResponse: response.constructor as typeof ServerResponse,
  }
}
