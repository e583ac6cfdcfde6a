import { endpointFeature } from '../endpoint-feature.ts'
import { SCHEMA_ENDPOINTS, schema } from './endpoints.ts'

export const describeFeature = endpointFeature({
  name: 'describe',
  endpoints: SCHEMA_ENDPOINTS,
  handlers: ({ config, rules, schemas, logic, features, readable: engine }) =>
    schema(async () => {
      const { SelfDescription } = await import('./self-description.ts')
      return new SelfDescription({ config, engine, rules, schemas, logic, features })
    }),
})
