import type { ApiModel } from '../api-model.ts'
import { refTo } from './contents.ts'
import type { Operations, PathItem, Paths, Wanted } from './operations.ts'
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
  return Object.fromEntries([
    ['/db', { get: operations.make({ ...all, answer: { schema: refTo('Database') } }) }],
    ...(isFree('health-check')
      ? [get('/health-check', 'getHealth', 'Whether the server is up', HEALTH)]
      : []),
    ...(isFree('stats')
      ? [get('/stats', 'getStats', 'Number of items per collection, and total revenue', STATS)]
      : []),
    ...(hasLayer(settings, 'jwt') && !settings.readOnly ? loginPaths(operations) : []),
    ...(settings.snapshots ? snapshotPaths(operations) : []),
    get('/__service', 'getService', 'The running server', ANY),
    get('/__rules', 'getRules', 'The rewrite rules', { type: 'object', additionalProperties: TEXT }),
    get('/__schema', 'getSchema', 'JSON Schema of the data', ANY),
    get('/__openapi', 'getOpenApi', 'This document', ANY),
    get('/__events', 'getEvents', 'Live requests and changes', TEXT, 'text/event-stream'),
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

function snapshotPaths(operations: Operations): [string, PathItem][] {
  const isReadOnly = operations.settings.readOnly
  const list = { path: '/__snapshots__', tag: TAG }
  const one = { path: '/__snapshots__/{id}', tag: TAG, parameters: [SNAPSHOT_ID], mayBeMissing: true }
  const make = (wanted: Wanted) => operations.make(wanted)
  const read = (wanted: Omit<Wanted, 'deed'>) => make({ ...wanted, deed: 'about' })
  const write = (wanted: Omit<Wanted, 'deed'>) => make({ ...wanted, deed: 'manage' })
  const snapshot = { schema: SNAPSHOT }
  const writes = isReadOnly
    ? { list: {}, one: {} }
    : {
        list: {
          post: write({
            ...list,
            id: 'saveSnapshot',
            summary: 'Save a snapshot',
            answer: { ...snapshot, status: 201 },
          }),
        },
        one: {
          put: write({
            ...one,
            id: 'restoreSnapshot',
            summary: 'Restore a snapshot',
            answer: { schema: ANY },
          }),
          delete: write({
            ...one,
            id: 'deleteSnapshot',
            summary: 'Delete a snapshot',
            answer: { schema: ANY },
          }),
        },
      }
  const all = { schema: { type: 'array', items: SNAPSHOT } }
  return [
    [
      list.path,
      {
        get: read({ ...list, id: 'listSnapshots', summary: 'All snapshots, newest first', answer: all }),
        ...writes.list,
      },
    ],
    [
      one.path,
      {
        get: read({ ...one, id: 'getSnapshot', summary: 'Get a snapshot', answer: snapshot }),
        ...writes.one,
      },
    ],
  ]
}

const SNAPSHOT_ID = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', examples: ['db-1700000000000'] },
}

const SNAPSHOT = objectOf({ id: TEXT, file: TEXT, createdAt: { type: 'string', format: 'date-time' } })

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

const CREDENTIALS = objectOf({ email: TEXT, password: { type: 'string', format: 'password' } })

const SESSION = objectOf({ accessToken: TEXT, token: TEXT, expiresIn: { type: 'integer' }, user: ANY })

function objectOf(properties: Record<string, object>): object {
  return { type: 'object', properties, required: Object.keys(properties) }
}
