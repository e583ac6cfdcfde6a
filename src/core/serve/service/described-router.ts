import { SCHEMA_ENDPOINTS, schema } from '../../../endpoints/self-description.ts'
import { serveEndpoints } from '../../../endpoints/serve-endpoints.ts'
import { resolveConfig } from '../../config/config.ts'
import type { Engine } from '../../engine/engine.ts'
import { routerSettings } from '../../router/context.ts'
import { type RestRouter, type RouterOptions, router as undescribed } from '../../router/router.ts'
import type { SelfDescription } from './self-description.ts'
import { loadSchemas } from './service-parts.ts'

/**
 * The REST API of a JSON file (a path), of an object that stays yours and is served live, of a lowdb 1 database, of
 * another router's `db`, or of your own engine. It describes itself at `/__schema` and `/__openapi`.
 *
 * @example app.use(router('db.json'))
 */
export function router(source: string | object, options: RouterOptions = {}): RestRouter {
  return undescribed(source, {
    ...options,
    besides: (engine) =>
      serveEndpoints(
        SCHEMA_ENDPOINTS,
        schema(() => describe(engine, source, options)),
      ),
  })
}

async function describe(
  engine: Engine,
  source: string | object,
  options: RouterOptions,
): Promise<SelfDescription> {
  const { resources, shape, wrap } = options
  const config = resolveConfig({
    ...engine.naming,
    ...(typeof source === 'string' && { source }),
    ...routerSettings(options),
    ...(resources && { resources }),
    ...(shape !== undefined && { shape }),
    ...(wrap !== undefined && { wrap }),
    sessions: false,
    noFaults: true,
  })
  const schemas = await loadSchemas(config)
  const { SelfDescription } = await import('./self-description.ts')
  return new SelfDescription({
    config,
    engine,
    rules: {},
    schemas,
    endpoints: Object.values(SCHEMA_ENDPOINTS),
  })
}
