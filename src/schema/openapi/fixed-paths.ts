import type { ApiModel } from '../api-model.ts'
import { objectOf, refTo } from './contents.ts'
import type { Operations, PathItem, Paths } from './operations.ts'
import { accountPaths } from './server/account-paths.ts'
import { controlPaths } from './server/control-paths.ts'
import { historyPaths } from './server/history-paths.ts'
import { sessionPaths } from './server/session-paths.ts'
import { snapshotPaths } from './server/snapshot-paths.ts'
import { hasLayer } from './settings.ts'

const TAG = 'server'
const ANY = { type: 'object', additionalProperties: true }
const TEXT = { type: 'string' }

/** Paths besides the data. A resource of the same name takes precedence. */
export function fixedPaths(model: ApiModel, operations: Operations): Paths {
  const { settings } = operations
  const isFree = (name: string) => model.resources.every((resource) => resource.name !== name)
  const get = (
    path: string,
    id: string,
    summary: string,
    schema: object,
    mediaType?: string,
  ): [string, PathItem] => {
    const answer = { schema, ...(mediaType !== undefined && { mediaType }) }
    return [path, { get: operations.make({ deed: 'about', path, id, tag: TAG, summary, answer }) }]
  }
  const all = { deed: 'database', path: '/db', id: 'getDatabase', tag: TAG, summary: 'All data' } as const
  const described = [
    ['/db', { get: operations.make({ ...all, answer: { schema: refTo('Database') } }) }],
    get('/__schema', 'getSchema', 'JSON Schema of the data', ANY),
    ['/__schema/{resource}', { get: operations.make(SCHEMA_OF_ONE) }],
    get('/__openapi', 'getOpenApi', 'This document', ANY),
    get('/__openapi.json', 'getOpenApiJson', 'This document', ANY),
  ]
  if (settings.isRouter) return Object.fromEntries(described)
  return Object.fromEntries([
    ...described,
    ...(isFree('health-check')
      ? [get('/health-check', 'getHealth', 'Whether the server is up', HEALTH)]
      : []),
    ...(isFree('stats')
      ? [get('/stats', 'getStats', 'Number of items per collection, and total revenue', STATS)]
      : []),
    ...(hasLayer(settings, 'jwt') ? loginPaths(operations) : []),
    ...(hasLayer(settings, 'accounts') ? accountPaths(operations, TAG) : []),
    ...(settings.snapshots ? snapshotPaths(operations, TAG) : []),
    ...(settings.sessions ? sessionPaths(operations, TAG) : []),
    ...controlPaths(operations, TAG),
    get('/__service', 'getService', 'The running server', ANY),
    get('/__rules', 'getRules', 'The rewrite rules', { type: 'object', additionalProperties: TEXT }),
    get('/__events', 'getEvents', 'Live requests and changes', TEXT, 'text/event-stream'),
    ...historyPaths(operations),
  ])
}

function loginPaths(operations: Operations): [string, PathItem][] {
  return ['/login', '/auth/login'].map((path) => {
    const post = operations.make({
      deed: 'login',
      path,
      id: 'login',
      tag: TAG,
      summary: 'Log in',
      body: { schema: CREDENTIALS },
      answer: { schema: SESSION },
    })
    return [path, { post }]
  })
}

const HEALTH = objectOf({
  status: { const: 'ok' },
  uptime: { type: 'number' },
  timestamp: { type: 'string', format: 'date-time' },
})

const STATS = {
  type: 'object',
  properties: { totalRevenue: { type: 'number' } },
  additionalProperties: { type: 'number' },
}

const SCHEMA_OF_ONE = {
  deed: 'about',
  path: '/__schema/{resource}',
  id: 'getSchemaOf',
  tag: TAG,
  summary: 'JSON Schema of one resource',
  parameters: [{ name: 'resource', in: 'path', required: true, schema: TEXT }],
  answer: { schema: ANY },
  mayBeMissing: true,
} as const

const CREDENTIALS = objectOf({ email: TEXT, password: { type: 'string', format: 'password' } })

const SESSION = objectOf({ accessToken: TEXT, token: TEXT, expiresIn: { type: 'integer' }, user: ANY })
