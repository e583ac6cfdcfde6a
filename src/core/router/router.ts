import type { Request, RequestHandler, Response } from 'express'
import { type ChainDb, chainDbOf } from '../../compat/chain-db.ts'
import { enterShape } from '../../wings/shapes/requests/request-shape.ts'
import { shapeErrors } from '../../wings/shapes/requests/shape-errors.ts'
import { ResponseShapes } from '../../wings/shapes/response-shape.ts'
import { faultOfShapes, type ShapeSetting } from '../../wings/shapes/shape-settings.ts'
import type { Engine } from '../engine/engine.ts'
import type { Access } from '../engine/rules/rights.ts'
import { ConfigError } from '../kernel/catalogue/error-classes.ts'
import { overrideMethod } from '../kernel/http/override-method.ts'
import { publicPasses } from '../kernel/http/request-context.ts'
import { bodyParsing, takeBody } from '../layers/body-parser.ts'
import { pause } from '../layers/delay.ts'
import type { ResourcesSettings } from '../resources/resource-settings.ts'
import { limitedContexts, type RouterContext, type RouterSettings, routerSettings } from './context.ts'
import { isLowdb, openEngine, withRules } from './open-engine.ts'
import { Notices } from './query/handle-ignored.ts'
import { queryOf } from './query/query-string.ts'
import { recheckPublicRoute } from './recheck-public-route.ts'
import { sendFailure } from './respond.ts'
import { ResponseCache } from './response/response-cache.ts'
import { serve } from './serve.ts'
import { serveWrite } from './serve-write.ts'
import { type Render, render } from './show.ts'
import { isGetOrHead } from './target.ts'

/** Parts that routers of the same API share, and additions of a server. @internal */
type ServerOptions = Partial<
  Pick<RouterContext, 'causeOf' | 'sealOf' | 'compress' | 'responses' | 'shapes' | 'notices'>
>

export interface RouterOptions extends Partial<RouterSettings>, ServerOptions {
  /** @default 'Id' */
  foreignKeySuffix?: string
  /** The primary key. @default 'id' */
  id?: string
  resources?: ResourcesSettings | undefined
  /** The shape of responses around the rows: a preset, such as `laravel`, or a template. */
  shape?: ShapeSetting | undefined
  /** The key that responses have their rows in, such as `data`. */
  wrap?: string | undefined
  /** Dry run: the response is that of a write, and nothing is stored. @default false */
  _isFake?: boolean
  /** Receives warnings. The console by default. */
  log?: ((line: string) => void) | undefined
  /** Rights of a client, where there are accounts. @internal */
  accessOf?: ((req: Request) => Access) | undefined
  /** Handles paths that begin with `/__`. @internal */
  besides?: ((engine: Engine) => RequestHandler) | undefined
}

export interface RestRouter extends RequestHandler {
  /** Sends `res.locals.data`. Replace it to wrap or change every response. */
  render: Render
  /** The data as a lodash chain. */
  readonly db: ChainDb
}

/** The REST API of a source, or of an engine. */
export function router(source: string | object, options: RouterOptions = {}): RestRouter {
  const { foreignKeySuffix = 'Id', id = 'id', _isFake: isFake = false, log } = options
  const engine = withRules(openEngine(source, { id, foreignKeySuffix }), options.resources)
  const shapes = options.shapes ?? openShapes(options)
  const context: RouterContext = {
    engine,
    shapes,
    isFake,
    ...routerSettings(options),
    notices: options.notices ?? new Notices(log ?? ((line) => console.warn(line))),
    responses: options.responses ?? new ResponseCache(),
    causeOf: options.causeOf,
    sealOf: options.sealOf,
    compress: options.compress,
  }
  const contextOf = options.accessOf && limitedContexts(context, engine, options.accessOf)
  const parsing = bodyParsing({ isLast: true, ...(log && { log }) })

  const besides = options.besides?.(engine)
  const timeOf = () => new Date(engine.now()).toISOString()

  async function handle(req: Request, res: Response): Promise<void> {
    try {
      const own = contextOf ? contextOf(req) : context
      if (shapes) shapeErrors(shapes, req, res, { engine, pathOf: () => req.path, timeOf })
      if (!isGetOrHead(req)) {
        overrideMethod(req, res)
        if (!(await takeBody(req, res, parsing))) return
      } else if (besides && req.url.startsWith('/__')) await run(besides, req, res)
      if (req.url.includes('_delay') || Object.hasOwn(req, 'query')) await delay(req, res)
      // Other processes may have written to the store.
      const news = engine.catchUp()
      if (news) await news
      if (shapes) await enterShape(shapes, engine, own.engine, req, res)
      if (publicPasses.has(req) && !recheckPublicRoute(own, req)) return
      const serving = { context: own, renderer: served.render, req, res }
      await (isGetOrHead(req) ? serve(serving) : serveWrite(serving))
    } catch (error) {
      sendFailure(res, error)
    }
  }

  const lowdb = typeof source === 'object' && isLowdb(source) ? source : undefined
  const served: RestRouter = Object.defineProperties(handle as RequestHandler as RestRouter, {
    render: { value: render, writable: true },
    db: { get: () => lowdb ?? chainDbOf(engine) },
  })
  return served
}

function openShapes(options: RouterOptions): ResponseShapes | undefined {
  const fault = faultOfShapes(options)
  if (fault !== undefined) throw new ConfigError(fault)
  return ResponseShapes.open(options)
}

function run(handler: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) =>
    handler(req, res, (error?: unknown) => (error ? reject(error) : resolve())),
  )
}

const LONGEST_DELAY = 2 ** 31 - 1

async function delay(req: Request, res: Response): Promise<void> {
  const milliseconds = Math.min(Number.parseFloat(String(queryOf(req)._delay)) || 0, LONGEST_DELAY)
  if (milliseconds > 0) await run(pause(milliseconds), req, res)
}
