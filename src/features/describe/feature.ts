import { endpointFeature } from '../endpoint-feature.ts'
import type { Feature } from '../feature.ts'
import { serveEndpoints } from '../serve-endpoints.ts'
import { SCHEMA_ENDPOINTS, schema } from './endpoints.ts'

// Describing takes code that few starts need.
export const describeFeature: Feature = {
  ...endpointFeature({
    name: 'describe',
    endpoints: SCHEMA_ENDPOINTS,
    handlers: ({ config, rewrites, schemas, logic, features, readable: engine }) =>
      schema(async () => {
        const { SelfDescription } = await import('./self-description.ts')
        return new SelfDescription({ config, engine, rewrites, schemas, logic, features })
      }),
  }),
  beside(router) {
    const describe = async () =>
      (await import('./describe-router.ts')).describeRouter(router, [describeFeature])
    return serveEndpoints(SCHEMA_ENDPOINTS, schema(describe))
  },
}
