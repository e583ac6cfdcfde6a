import type { Request, RequestHandler, Response } from 'express'
import type { Engine } from '../engine/engine.ts'
import type { Access } from '../engine/rules/rights.ts'
import { overrideMethod } from '../kernel/http/override-method.ts'
import { publicPasses } from '../kernel/http/request-context.ts'
import { bodyParsing, takeBody } from '../layers/body-parser.ts'
import { pause } from '../layers/delay.ts'
import { limitedContexts, type RouterContext, type RouterSettings, routerSettings } from './context.ts'
import { Notices } from './query/handle-ignored.ts'
import { queryOf } from './query/query-string.ts'
import { recheckPublicRoute } from './recheck-public-route.ts'
import { sendFailure } from './respond.ts'
import { ResponseCache } from './response/response-cache.ts'
import { serve } from './serve.ts'
import { serveWrite } from './serve-write.ts'
import { type Render, render } from './show.ts'
import { isGetOrHead } from './target.ts'

export interface EngineRouterOptions
  extends Partial<RouterSettings>,
    Partial<
      Pick<
        RouterContext,
        'causeOf' | 'sealOf' | 'compress' | 'responses' | 'shapes' | 'notices' | 'attachments'
      >
    > {
  /** Dry run: the response is that of a write, and nothing is stored. @default false */
  _isFake?: boolean
  /** Receives warnings. The console by default. */
  log?: ((line: string) => void) | undefined
  /** Rights of a client, where there are accounts. */
  accessOf?: ((req: Request) => Access) | undefined
  /** Handles paths that begin with `/__`. */
  besides?: RequestHandler | undefined
}

export interface EngineRouter extends RequestHandler {
  /** Sends `res.locals.data`. Replace it to wrap or change every response. */
  render: Render
}

/** The REST API of an engine. */
export function routerOf(engine: Engine, options: EngineRouterOptions): EngineRouter {
  const { _isFake: isFake = false, log, shapes, besides, attachments } = options
  const context: RouterContext = {
    engine,
    shapes,
    attachments,
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
  const timeOf = () => new Date(engine.now()).toISOString()

  async function handle(req: Request, res: Response): Promise<void> {
    try {
      const own = contextOf ? contextOf(req) : context
      if (shapes) shapes.shapeErrors(req, res, { engine, pathOf: () => req.path, timeOf })
      if (!isGetOrHead(req)) {
        overrideMethod(req, res)
        if (!attachments?.takes(req) && !(await takeBody(req, res, parsing))) return
      } else if (besides && req.url.startsWith('/__')) await run(besides, req, res)
      if (attachments) attachments.receive(req)
      if (req.url.includes('_delay') || Object.hasOwn(req, 'query')) await delay(req, res)
      // Other processes may have written to the store.
      const news = engine.catchUp()
      if (news) await news
      if (shapes) await shapes.enter(engine, own.engine, req, res)
      if (publicPasses.has(req) && !recheckPublicRoute(own, req)) return
      const serving = { context: own, renderer: served.render, req, res }
      await (isGetOrHead(req) ? serve(serving) : serveWrite(serving, engine))
    } catch (error) {
      sendFailure(res, error)
    }
  }

  const served: EngineRouter = Object.assign(handle, { render })
  return served
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
