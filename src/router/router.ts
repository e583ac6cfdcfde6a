import type { Request, RequestHandler, Response } from 'express'
import methodOverride from 'method-override'
import { chain } from '../http/chain.ts'
import { createBodyParser } from '../layers/body-parser.ts'
import { pause } from '../layers/delay.ts'
import type { ResourcesSettings } from '../resources/resource-settings.ts'
import type { Access } from '../storage/access/rights.ts'
import type { CommitMeta } from '../storage/change.ts'
import type { Engine } from '../storage/engine/engine.ts'
import { viewedContexts } from './access-contexts.ts'
import { type ChainDb, createChainDb } from './chain-db.ts'
import type { RouterContext, SealOf } from './context.ts'
import { isGetOrHead } from './dispatch.ts'
import { isLowdb, openEngine, withRules } from './open-engine.ts'
import { Notices } from './query/notices.ts'
import { queryOf } from './query/query-string.ts'
import { sendError } from './respond.ts'
import { ResponseCache } from './response/response-cache.ts'
import { type RouterSettings, routerSettings } from './router-settings.ts'
import { serve } from './serve.ts'
import { type Render, render } from './show.ts'

export interface RouterOptions extends Partial<RouterSettings> {
  /** @default 'Id' */
  foreignKeySuffix?: string
  /** The primary key. @default 'id' */
  id?: string
  /** What each resource is, by its name: schema, unique fields, references, timestamps, ids. */
  resources?: ResourcesSettings | undefined
  /** Writes are answered as if they had happened, and nothing is stored. @default false */
  _isFake?: boolean
  /** Receives warnings about requests. The console by default. */
  log?: ((line: string) => void) | undefined
  /** Who asks for a write, for listeners of the engine. @internal */
  metaOf?: ((req: Request) => CommitMeta) | undefined
  /** What is stored instead of secrets that a request sends. @internal */
  sealOf?: SealOf | undefined
  /** Compresses what the router does not compress itself. Without it the router compresses nothing. @internal */
  compress?: RequestHandler | undefined
  /** What a client may see and do, where there are accounts. @internal */
  accessOf?: ((req: Request) => Access) | undefined
  /** Answers addresses beside the data that begin with `/__`. @internal */
  besides?: ((engine: Engine) => RequestHandler) | undefined
  /** Cache of responses, shared with the layers that answer from it before the router runs. @internal */
  answers?: ResponseCache | undefined
  /** Says what had no effect; shared by routers that serve the same API. @internal */
  notices?: Notices | undefined
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
  const context: RouterContext = {
    engine,
    isFake,
    ...routerSettings(options),
    notices: options.notices ?? new Notices(log ?? ((line) => console.warn(line))),
    answers: options.answers ?? new ResponseCache(),
    metaOf: options.metaOf,
    sealOf: options.sealOf,
    compress: options.compress,
  }
  const viewed = options.accessOf && viewedContexts(context, engine, options.accessOf)
  const prepare = chain([methodOverride(), createBodyParser({ isLast: true, ...(log && { log }) })])

  const besides = options.besides?.(engine)

  function handle(req: Request, res: Response): void {
    const isRead = isGetOrHead(req)
    if (isRead && !(besides && req.url.startsWith('/__'))) void answer(req, res)
    else {
      const before = isRead && besides ? besides : prepare
      before(req, res, (error?: unknown) => (error ? sendError(res, error) : void answer(req, res)))
    }
  }

  async function answer(req: Request, res: Response): Promise<void> {
    try {
      if (req.url.includes('_delay') || Object.hasOwn(req, 'query')) await delay(req, res)
      // What is served may depend on what others wrote.
      const news = engine.catchUp(viewed ? undefined : () => namesIn(req))
      if (news) await news
      await serve(viewed ? viewed(req) : context, served.render, req, res)
    } catch (error) {
      sendError(res, error)
    }
  }

  let db = typeof source === 'object' && isLowdb(source) ? source : undefined
  const served: RestRouter = Object.defineProperties(handle as RequestHandler as RestRouter, {
    render: { value: render, writable: true },
    // Created on first access: from then on the engine has to look at all of it before each request.
    db: {
      get() {
        db ??= createChainDb(engine)
        return db
      },
    },
  })
  return served
}

const LONGEST_DELAY = 2 ** 31 - 1

/** `?_delay=500` */
async function delay(req: Request, res: Response): Promise<void> {
  const asked = Math.min(Number.parseFloat(String(queryOf(req)._delay)) || 0, LONGEST_DELAY)
  if (asked > 0) await new Promise<void>((resolve) => pause(asked)(req, res, () => resolve()))
}

/** Parameters that are about no other resource than the path. */
const PLAIN = /^(?:(?:_page|_limit|_start|_end|_sort|_order|[a-z]\w*)=[\w-]*(?:&|$))*$/i

/** The resources that a plain read is about, by its path; undefined if it may be about others, too. */
function namesIn(req: Request): readonly string[] | undefined {
  const [path = '', query = ''] = req.url.split('?', 2)
  // A middleware may have asked for more than the URL does.
  const isPlain = !Object.hasOwn(req, 'query') && PLAIN.test(query) && !/^\/db\b|%/i.test(path)
  return isPlain ? path.split('/') : undefined
}
