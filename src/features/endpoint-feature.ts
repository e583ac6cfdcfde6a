import type { Endpoints } from '../core/kernel/catalogue/endpoint.ts'
import type { Feature, Served } from './feature.ts'
import { type HandlersOf, serveEndpoints } from './serve-endpoints.ts'

interface EndpointFeature<Id extends string> extends Omit<Feature, 'endpoints' | 'open'> {
  readonly endpoints: Endpoints<Id>
  readonly handlers: (served: Served) => HandlersOf<Endpoints<Id>>
}

/** A feature that is nothing but endpoints, with a handler each. */
export function endpointFeature<Id extends string>(feature: EndpointFeature<Id>): Feature {
  const { handlers, ...rest } = feature
  const serve = (served: Served) => serveEndpoints(feature.endpoints, handlers(served), served)
  return { ...rest, open: () => ({ under: () => ({ serve }) }) }
}
