import type { Request, RequestHandler, Response } from 'express'
import methodOverride from 'method-override'
import { chain } from '../chain.ts'
import { bodyParser } from '../layers/body-parser.ts'
import { pause } from '../layers/pause.ts'
import { AnswerCache } from './answer-cache.ts'
import { type ChainDb, createChainDb } from './chain-db.ts'
import type { RouterContext } from './context.ts'
import { isRead } from './dispatch.ts'
import { isLowdb, openStore } from './open-store.ts'
import { queryOf } from './request-query.ts'
import { sendError } from './respond.ts'
import { type Render, render, serve } from './serve.ts'

/** How many bytes of written-out answers a router keeps. */
const CACHE_LIMIT = 64 * 1024 * 1024

export interface RouterOptions {
  /** @default 'Id' */
  foreignKeySuffix?: string
  /** The primary key. @default 'id' */
  id?: string
  /** A deleted row takes the rows that depend on it with it. @default false */
  cascade?: boolean
  /** Writes are answered as if they had happened, and nothing is stored. @default false */
  _isFake?: boolean
  /** Compresses answers that the router does not compress itself. Without it the router compresses nothing. */
  compress?: RequestHandler | undefined
}

export interface RestRouter extends RequestHandler {
  /** Sends `res.locals.data`. Replace it to wrap or change every answer. */
  render: Render
  /** The data as a lodash chain. */
  readonly db: ChainDb
}

/**
 * The REST API of a JSON file (a path), of an object that stays yours and is served live, of a database made with
 * lowdb 1, or of another router's `db`.
 *
 * @example app.use(router('db.json'))
 */
export function router(source: string | object, options: RouterOptions = {}): RestRouter {
  const { foreignKeySuffix = 'Id', id = 'id', cascade = false, _isFake: isFake = false } = options
  const store = openStore(source, { id, foreignKeySuffix })
  const context: RouterContext = {
    store,
    isFake,
    cascade,
    answers: new AnswerCache(CACHE_LIMIT),
    compress: options.compress,
  }
  const prepare = chain([methodOverride(), ...bodyParser])

  function handle(req: Request, res: Response): void {
    const answer = () => void serve(context, served.render, req, res).catch(fail)
    const fail = (error: unknown) => sendError(res, error)
    const proceed = () => waitAsAsked(req, res, answer)
    if (isRead(req)) proceed()
    else prepare(req, res, (error?: unknown) => (error ? fail(error) : proceed()))
  }

  let db = typeof source === 'object' && isLowdb(source) ? source : undefined
  const served: RestRouter = Object.defineProperties(handle as RequestHandler as RestRouter, {
    render: { value: render, writable: true },
    // Made when first asked for: a store that nobody else can reach may trust its indexes.
    db: {
      get() {
        db ??= createChainDb(store)
        return db
      },
    },
  })
  return served
}

/** The longest wait that a timer takes. */
const LONGEST_DELAY = 2 ** 31 - 1

/** `?_delay=500` */
function waitAsAsked(req: Request, res: Response, next: () => void): void {
  const mayAsk = req.url.includes('_delay') || Object.hasOwn(req, 'query')
  const delay = mayAsk ? Number.parseFloat(String(queryOf(req)._delay)) : 0
  if (delay > 0) pause(Math.min(delay, LONGEST_DELAY))(req, res, next)
  else next()
}
