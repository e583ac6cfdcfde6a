import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import _ from 'lodash'
import methodOverride from 'method-override'
import { bodyParser } from '../layers/body-parser.ts'
import { pause } from '../layers/pause.ts'
import { type ChainDb, createChainDb } from './chain-db.ts'
import type { RouterContext } from './context.ts'
import { dispatch, isRead, METHODS } from './dispatch.ts'
import { isLowdb, openStore } from './open-store.ts'
import { queryOf } from './request-query.ts'
import { exposeHeaders, sendError } from './respond.ts'
import { findTarget } from './target.ts'

export interface RouterOptions {
  /** @default 'Id' */
  foreignKeySuffix?: string
  /** The primary key. @default 'id' */
  id?: string
  /** A deleted row takes the rows that depend on it with it. @default false */
  cascade?: boolean
  /** Writes are answered as if they had happened, and nothing is stored. @default false */
  _isFake?: boolean
}

/** Sends `res.locals.data`. Replace it to wrap or change every answer. */
export type Render = (req: Request, res: Response) => void | Promise<void>

export interface RestRouter extends RequestHandler {
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
  const context: RouterContext = { store, isFake, cascade }

  const chain = express.Router()
  chain.use(methodOverride(), ...bodyParser, waitAsAsked)
  chain.use((req, res, next) => void serve(context, served, req, res).catch(next))
  chain.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => sendError(res, error))

  let db = typeof source === 'object' && isLowdb(source) ? source : undefined
  const served: RestRouter = Object.defineProperties(chain as RequestHandler as RestRouter, {
    render: { value: send, writable: true },
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
function waitAsAsked(req: Request, res: Response, next: NextFunction): void {
  const delay = Math.min(Number.parseFloat(String(queryOf(req)._delay)), LONGEST_DELAY)
  if (delay > 0) pause(delay)(req, res, next)
  else next()
}

async function serve(context: RouterContext, router: RestRouter, req: Request, res: Response): Promise<void> {
  if (isRead(req) && /^\/db\/?$/i.test(req.path)) {
    exposeHeaders(req, res)
    res.jsonp(context.store.data)
    return
  }
  const target = findTarget(context.store, req.path)
  if (target && req.method === 'OPTIONS') {
    const allowed = METHODS[target.kind]
    res.set('Allow', allowed).send(allowed)
    return
  }
  const answer = target && (await dispatch(context, target, req, res))
  res.status(answer ? (answer.status ?? 200) : 404)
  const data = answer?.data ?? {}
  // A render of the user's own may change what it is given; what is stored must not change with it.
  res.locals.data = router.render === send ? data : _.cloneDeep(data)
  await router.render(req, res)
}

function send(_req: Request, res: Response): void {
  res.jsonp(res.locals.data)
}
