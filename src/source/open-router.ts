import type { RequestHandler } from 'express'
import { type ChainDb, chainDbOf } from '../compat/chain-db.ts'
import type { ResourcesSettings } from '../config/resources/resource-settings.ts'
import type { Engine } from '../core/engine/engine.ts'
import { type RouterSettings, routerSettings } from '../core/router/context.ts'
import { type EngineRouter, type EngineRouterOptions, routerOf } from '../core/router/router.ts'
import { openShapes } from '../wings/shapes/open-shapes.ts'
import type { ShapeSetting } from '../wings/shapes/shape-settings.ts'
import { isLowdb, openEngine, withRules } from './open-engine.ts'

export interface RouterOptions extends Partial<RouterSettings>, Pick<EngineRouterOptions, '_isFake' | 'log'> {
  /** @default 'Id' */
  foreignKeySuffix?: string
  /** The primary key. @default 'id' */
  id?: string
  resources?: ResourcesSettings | undefined
  /** The shape of responses around the rows: a preset, such as `laravel`, or a template. */
  shape?: ShapeSetting | undefined
  /** The key that responses have their rows in, such as `data`. */
  wrap?: string | undefined
}

export interface RestRouter extends EngineRouter {
  /** The data as a lodash chain. */
  readonly db: ChainDb
}

/**
 * The REST API of a source, or of an engine.
 * @param besides makes the handler of paths that begin with `/__`
 */
export function openRouter(
  source: string | object,
  options: RouterOptions,
  besides: (engine: Engine) => RequestHandler,
): RestRouter {
  const { foreignKeySuffix = 'Id', id = 'id', _isFake = false, log, resources } = options
  const engine = withRules(openEngine(source, { id, foreignKeySuffix }), resources)
  const lowdb = typeof source === 'object' && isLowdb(source) ? source : undefined
  const settings = { ...routerSettings(options), _isFake, log }
  const router = routerOf(engine, { ...settings, shapes: openShapes(options), besides: besides(engine) })
  return Object.defineProperty(router as RestRouter, 'db', { get: () => lowdb ?? chainDbOf(engine) })
}
