import { routerSettings } from '../../core/router/context.ts'
import { loadSchemas } from '../../source/load-parts.ts'
import type { BareRouter, Feature } from '../feature.ts'
import { resolveConfig } from '../settings.ts'
import { SelfDescription } from './self-description.ts'

/** Describes a router that is used without a server. */
export async function describeRouter(
  { engine, source, options }: BareRouter,
  features: readonly Feature[],
): Promise<SelfDescription> {
  const { resources, shape, wrap } = options
  const config = resolveConfig({
    id: engine.naming.id,
    foreignKeySuffix: engine.naming.foreignKeySuffix,
    ...(typeof source === 'string' && { source }),
    ...routerSettings(options),
    ...(resources && { resources }),
    ...(shape !== undefined && { shape }),
    ...(wrap !== undefined && { wrap }),
    sessions: false,
  })
  const schemas = await loadSchemas(config)
  return new SelfDescription({
    config,
    engine,
    rewrites: {},
    schemas,
    features,
  })
}
