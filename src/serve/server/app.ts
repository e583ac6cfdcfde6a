import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import express, { type Express } from 'express'
import type { ChainDb } from '../../compat/chain-db.ts'
import {
  acceptExpress4Paths,
  acceptExpress4Requests,
  acceptExpress4Responses,
} from '../../compat/express-4.ts'
import { dropOrigin } from '../../core/kernel/http/request-url.ts'
import { parseQueryString } from '../../core/router/query/query-string.ts'
import { sendFailure } from '../../core/router/respond.ts'
import { createServer, giveClasses } from './server.ts'

export interface App extends Express {
  /** Where middleware packages made for json-server look for the data: `app.db = router.db`. */
  db?: ChainDb
}

/**
 * An Express application that behaves like json-server's: pretty JSON, lists in queries, errors without a stack.
 * Code written for Express 4 keeps working on it.
 */
export function create(): App {
  const app: App = express()
  app.disable('x-powered-by')
  app.set('json spaces', 2)
  app.set('query parser', parseQueryString)
  acceptPaths(app)
  giveClasses(app)
  acceptExpress4Requests(app)
  acceptExpress4Responses(app)
  acceptNoHandlers(app)
  respondInJson(app)
  return Object.assign(app, { listen: listenOn(app) })
}

/** Express creates an app's router lazily, with the settings at that moment. */
function acceptPaths(app: Express): void {
  const router = Object.getOwnPropertyDescriptor(app, 'router')
  if (router === undefined) return
  Object.defineProperty(app, 'router', {
    ...router,
    get() {
      Object.defineProperty(app, 'router', router)
      acceptExpress4Paths(app.router)
      return app.router
    },
  })
}

/** `app.use([])`: a list of middlewares may be empty. */
function acceptNoHandlers(app: Express): void {
  const { use } = app
  Object.assign(app, {
    use(this: Express, ...args: unknown[]) {
      const isEmpty = args.length > 0 && args.every(Array.isArray) && args.flat(Infinity).length === 0
      return isEmpty ? this : Reflect.apply(use, this, args)
    },
  })
}

/** Responds if no handler did: Express itself would send HTML, including the stack. */
function respondInJson(app: Express): void {
  const handle: unknown = Reflect.get(app, 'handle')
  if (typeof handle !== 'function') return
  Object.assign(app, {
    handle(req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) {
      // Where it is mounted in another app, that one has read the URL already.
      if (next === undefined && !req.url?.startsWith('/')) dropOrigin(req)
      handle.call(app, req, res, next ?? ((error?: unknown) => finish(res as express.Response, error)))
    },
  })
}

function finish(res: express.Response, error: unknown): void {
  if (error) sendFailure(res, error)
  else if (res.headersSent) res.destroy()
  else res.status(404).json({})
}

function listenOn(app: Express): (...args: Parameters<Server['listen']>) => Server {
  return function listen(...args) {
    const server = createServer(app)
    const done: unknown = args.at(-1)
    // Express 5 passes failures to the callback, which Express 4 callbacks would take for success.
    if (typeof done === 'function' && done.length > 0) server.once('error', (error) => done(error))
    return server.listen(...args)
  }
}
