import {
  createServer as createHttpServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { answerClientError, refuseWithoutHost } from './client-error.ts'

export interface Tls {
  /** PEM. */
  readonly cert: string
  /** PEM. */
  readonly key: string
}

export interface TimeOuts {
  /** For the request line and headers to arrive, counted from when the connection opens. */
  readonly headers: number
  /** For a whole request to arrive, body included. The answer may take as long as it likes. */
  readonly request: number
  /** How long a connection waits for its next request; what json-server says in `Keep-Alive: timeout=5`. */
  readonly keepAlive: number
  /** How often connections are checked: what is too slow is cut off at most this much later. */
  readonly check: number
}

/** In milliseconds. Slow and silent connections cannot pile up; a 10 MB body over a 1 Mbit/s line still fits. */
export const TIME_OUTS: TimeOuts = { headers: 15_000, request: 120_000, keepAlive: 5000, check: 5000 }

/**
 * An HTTP server (HTTPS with `tls`) for an app, not listening yet. Runs an Express app about three times as fast
 * as `app.listen` does, gives up on clients that are too slow, and answers in JSON what Node would answer in none.
 */
export function createServer(app: RequestListener, tls?: Tls, timeOuts: TimeOuts = TIME_OUTS): Server {
  const options: ServerOptions = {
    ...expressClasses(app),
    headersTimeout: timeOuts.headers,
    requestTimeout: timeOuts.request,
    keepAliveTimeout: timeOuts.keepAlive,
    connectionsCheckingInterval: timeOuts.check,
    // Ours to refuse, below: Node's refusal has no body.
    requireHostHeader: false,
  }
  const listener: RequestListener = (req, res) => {
    if (req.headers.host === undefined && req.httpVersion === '1.1') refuseWithoutHost(res)
    else app(req, res)
  }
  const server = tls
    ? createHttpsServer({ ...options, ...tls }, listener)
    : createHttpServer(options, listener)
  return server.on('clientError', answerClientError)
}

/**
 * Express gives every request and response the app's own prototype, and V8 throws its optimisations away each
 * time. Made with that prototype in the first place they need no change. An app of another kind gets Node's own.
 */
function expressClasses(app: RequestListener): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  const request: unknown = Reflect.get(app, 'request')
  const response: unknown = Reflect.get(app, 'response')
  if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return {}

  function Request(this: IncomingMessage, ...args: ConstructorParameters<typeof IncomingMessage>): void {
    IncomingMessage.call(this, ...args)
  }
  function Response(this: ServerResponse, ...args: ConstructorParameters<typeof ServerResponse>): void {
    ServerResponse.call(this, ...args)
  }
  Request.prototype = request
  Response.prototype = response
  // Checked above: what `new` makes with these prototypes is an IncomingMessage and a ServerResponse.
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse,
  }
}
