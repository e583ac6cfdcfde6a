/*
 * Every way to a row of `things`, or to the object `settings`. `matrix.slow.test.ts` walks them all, and compares them with what
 * the server says it has: a new address or parameter needs a row here.
 */

/** Row 1 is the owner's, row 2 another's, row 3 nobody's: by `userId`, and by the file of the case that it is about. */
export const DATA = {
  users: [
    { id: 1, username: 'user-1', role: 'user' },
    { id: 2, username: 'user-2', role: 'user' },
    { id: 9, username: 'user-9', role: 'admin' },
  ],
  groups: [
    { id: 1, name: 'first', thingIds: [1, 2] },
    { id: 2, name: 'second', thingIds: [1] },
  ],
  things: [
    { id: 1, name: 'SECRET', revenue: 5, kind: 'x', groupId: 1, userId: 1, rare: 'SECRET-field', about: 1 },
    { id: 2, name: 'plain', revenue: 7, kind: 'x', groupId: 1, userId: 3, about: '2' },
    { id: 3, name: 'bare', revenue: 11, kind: 'y', groupId: 2 },
  ],
  parts: [
    { id: 1, thingId: 1, groupId: 1 },
    { id: 2, thingId: 2, groupId: 2 },
    { id: 3, thingId: 3, groupId: 2 },
  ],
  cases: [
    { id: 1, file: 1 },
    { id: 2, file: 2 },
  ],
  files: [
    { id: 1, userId: 1 },
    { id: 2, userId: 3 },
  ],
  settings: { name: 'SECRET', userId: 1, about: 1 },
}

export interface ReadWay {
  /** The address as the API describes it. */
  readonly of: string
  readonly path: string
  /** Whether it is about `things`, or `settings`, and refused where nothing of them may be read. */
  readonly isDirect?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

function direct(of: string, ...paths: readonly string[]): readonly ReadWay[] {
  return paths.map((path) => ({ of, path, isDirect: true }))
}

function beside(of: string, ...paths: readonly string[]): readonly ReadWay[] {
  return paths.map((path) => ({ of, path }))
}

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

/** Ways to read, each compared with the same question to a server that has only the rows that may be read. */
export const READS: readonly ReadWay[] = [
  ...direct(
    'GET /things',
    '/things',
    '/THINGS',
    '/api/things',
    '/mine',
    '/things?q=SECRET',
    '/things?id=1',
    '/things?ids=1&ids=2',
    '/things?id_in=1,2',
    '/things?rare=SECRET-field',
    '/things?rare_like=SECRET',
    '/things?rare_ne=x',
    '/things?name:startsWith=SEC',
    '/things?userId=1',
    '/things?userId=3',
    '/things?userId_null=true',
    '/things?revenue_gte=1&_sort=revenue&_order=desc',
    '/things?_sort=-rare,name',
    '/things?_page=1&_limit=1',
    '/things?_page=2&_limit=1',
    '/things?_start=0&_end=1',
    '/things?_per_page=1',
    '/things?_per_page=1&_page=3',
    '/things?_cursor=&_limit=1',
    '/things?_cursor=&_limit=1&_sort=-rare',
    `/things?_where=${json({ or: [{ name: 'SECRET' }, { id: 2 }] })}`,
    `/things?_where=${json({ rare: { startsWith: 'S' } })}`,
    `/things?filter=${json({ q: 'SECRET' })}&range=[0,0]&sort=${json(['name', 'ASC'])}`,
    `/things?embed=${json(['group'])}&filter=${json({ id: [1] })}`,
    `/things?_filters=${json({ name: 'SECRET' })}&_page=1&_perPage=1&_sortField=name&_sortDir=DESC`,
    '/things?_embed=parts',
    '/things?_expand=group&group.name=first',
    '/things?_expand=user&user.role=user',
    '/things?_embed=parts.group&_sort=name',
    '/things?_fields=name',
    '/things?_fields=rare',
    '/things?_omit=rare',
    '/things?_fields=rar&_strict=true',
    '/things?rar=1&_strict=true',
    '/things?rar=1',
    '/things?_explain=true',
    '/things?rare=SECRET-field&_explain=true',
    '/things?_delay=1',
    '/things?_status=1',
    '/things?callback=show',
  ),
  { of: 'GET /things', path: '/things?rar=1', headers: { prefer: 'handling=strict' }, isDirect: true },
  ...direct(
    'GET /things/{id}',
    '/things/1',
    '/things/2',
    '/things/3',
    '/things/4',
    '/things//1',
    '/api/things/1',
    '/things/1?_embed=parts',
    '/things/1?_expand=group',
    '/things/1?_fields=name',
    '/things/1?_omit=name',
    '/things/1?rar=1&_strict=true',
    `/things/1?embed=${json(['group'])}`,
    '/things/1?_delay=1',
    '/things/1?_status=1',
    '/things/1?callback=show',
  ),
  ...direct(
    'GET /groups/{id}/things',
    '/groups/1/things',
    '/groups/9/things',
    '/groups/1/things?q=SECRET',
    '/groups/1/things?_limit=1&_page=1',
    '/groups/1/things?_explain=true',
  ),
  ...direct(
    'GET /groups/{id}/things/{childId}',
    '/groups/1/things/1',
    '/groups/1/things/2',
    '/groups/2/things/1',
    '/groups/1/things/1?_expand=group',
  ),
  ...beside(
    'GET /groups/{id}/things/{childId}/parts',
    '/groups/1/things/1/parts',
    '/groups/1/things/2/parts',
    '/groups/2/things/1/parts',
  ),
  ...beside(
    'GET /groups/{id}/things/{childId}/parts/{grandchildId}',
    '/groups/1/things/1/parts/1',
    '/groups/1/things/2/parts/2',
  ),
  ...direct('GET /users/{id}/things', '/users/1/things', '/users/3/things'),
  ...direct('GET /users/{id}/things/{childId}', '/users/1/things/1', '/users/3/things/2'),
  ...direct('GET /settings', '/settings', '/settings?callback=show'),
  ...beside(
    'GET /groups',
    '/groups?_embed=things',
    '/groups?_expand=things',
    '/groups?_embed=things.parts',
    '/groups?_embed=parts.thing',
    '/groups?_embed=things&_fields=things.name',
    '/groups?_embed=thing',
  ),
  ...beside('GET /groups/{id}', '/groups/1', '/groups/1?_embed=things', '/groups/2?_expand=things'),
  ...beside(
    'GET /parts',
    '/parts?_expand=thing',
    '/parts?_embed=thing',
    '/parts?_expand=thing.group',
    '/parts?_expand=thing&thing.name=SECRET',
    '/parts?_expand=thing&thing.name_like=SECRET',
    '/parts?_expand=thing&thing.rare_ne=x',
    '/parts?_expand=thing&thing.rare_null=true',
    '/parts?_expand=thing&_sort=thing.name',
    `/parts?_expand=thing&_where=${json({ thing: { name: 'SECRET' } })}`,
    '/parts?_expand=thing&thing.rare=SECRET-field&_explain=true',
    '/parts?_expand=thing&thing.rar=1&_strict=true',
  ),
  ...beside('GET /parts/{id}', '/parts/1?_expand=thing', '/parts/2?_expand=thing.group'),
  ...beside('GET /things/{id}/parts', '/things/1/parts', '/things/1/parts?_expand=thing'),
  ...beside('GET /things/{id}/parts/{childId}', '/things/1/parts/1?_expand=thing'),
  ...beside('GET /groups/{id}/parts', '/groups/1/parts?_expand=thing'),
  ...beside('GET /groups/{id}/parts/{childId}', '/groups/1/parts/1?_expand=thing'),
  ...beside('GET /users', '/users?_embed=things'),
  ...beside('GET /users/{id}', '/users/1?_embed=things'),
  ...beside('GET /db', '/db', '/db?callback=show'),
  ...beside('GET /stats', '/stats'),
  ...beside('GET /__service', '/__service'),
  ...beside('GET /__schema', '/__schema'),
  ...beside('GET /__schema/{resource}', '/__schema/things', '/__schema/settings'),
  ...beside('GET /__openapi', '/__openapi'),
  ...beside('GET /__openapi.json', '/__openapi.json'),
  ...beside('GET /health-check', '/health-check'),
  ...beside('GET /__rules', '/__rules'),
]

export interface WriteWay {
  readonly of: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The action that is refused first, if it takes two. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
}

const JSON_PATCH = { 'content-type': 'application/json-patch+json' }
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' }
const patch = [{ op: 'replace', path: '/name', value: 'new' }]

function way(of: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): WriteWay {
  const [method = ''] = of.split(' ')
  return { of, method, path, ...(body !== undefined && { body }), ...(headers && { headers }) }
}

/** Ways to create a row of `things`. */
export const CREATES: readonly WriteWay[] = [
  way('POST /things', '/things', { name: 'new' }),
  way('POST /things', '/api/things', { name: 'new' }),
  way('POST /things', '/things', [{ name: 'new' }, { name: 'new' }]),
  way('POST /things', '/things', { name: 'new' }, { prefer: 'return=minimal' }),
  way('POST /groups/{id}/things', '/groups/1/things', { name: 'new' }),
  way('POST /users/{id}/things', '/users/3/things', { name: 'new' }),
  way('POST /__grow', '/__grow', { things: [{ name: 'new' }] }),
  { ...way('PUT /things/{id}', '/things/99?_upsert=true', { name: 'new' }), as: 'update' },
]

/** Ways to change row 1, or the object. */
export const UPDATES: readonly WriteWay[] = [
  way('PUT /things/{id}', '/things/1', { name: 'new' }),
  way('PUT /things/{id}', '/things/1?_upsert=true', { name: 'new' }),
  way('PUT /things/{id}', '/things/1', { name: 'new' }, { 'if-match': '*' }),
  way('PATCH /things/{id}', '/things/1', { name: 'new' }),
  way('PATCH /things/{id}', '/api/things/1', { name: 'new' }),
  way('PATCH /things/{id}', '/things/1', { name: 'new' }, MERGE_PATCH),
  way('PATCH /things/{id}', '/things/1', patch, JSON_PATCH),
  {
    ...way('PATCH /things/{id}', '/things/1', { name: 'new' }, { 'x-http-method-override': 'PATCH' }),
    method: 'POST',
  },
  way('PATCH /things', '/things?id=1', { name: 'new' }),
  way('PATCH /things', '/things?name=SECRET', { name: 'new' }, MERGE_PATCH),
  way('PATCH /things', '/things?q=SECRET-f', patch, JSON_PATCH),
  way('PATCH /groups/{id}/things', '/groups/1/things?id=1', { name: 'new' }),
  way('PUT /groups/{id}/things/{childId}', '/groups/1/things/1', { name: 'new' }),
  way('PATCH /groups/{id}/things/{childId}', '/groups/1/things/1', { name: 'new' }),
  way('PATCH /users/{id}/things', '/users/1/things?_all=true', { name: 'new' }),
  way('PUT /users/{id}/things/{childId}', '/users/1/things/1', { name: 'new' }),
  way('PATCH /users/{id}/things/{childId}', '/users/1/things/1', { name: 'new' }),
  way('PUT /settings', '/settings', { name: 'new' }),
  way('POST /settings', '/settings', { name: 'new' }),
  way('PATCH /settings', '/settings', { name: 'new' }),
  way('PATCH /settings', '/settings', patch, JSON_PATCH),
]

/** Ways to delete row 1. */
export const DELETES: readonly WriteWay[] = [
  way('DELETE /things/{id}', '/things/1'),
  way('DELETE /things/{id}', '/things/1?_dependent=parts'),
  way('DELETE /things/{id}', '/things/1', undefined, { prefer: 'return=representation' }),
  way('DELETE /things', '/things?id=1'),
  way('DELETE /things', `/things?_where=${json({ name: 'SECRET' })}`),
  way('DELETE /groups/{id}/things', '/groups/1/things?name=SECRET'),
  way('DELETE /groups/{id}/things/{childId}', '/groups/1/things/1'),
  way('DELETE /users/{id}/things', '/users/1/things?_all=true'),
  way('DELETE /users/{id}/things/{childId}', '/users/1/things/1'),
  // With the row that it references.
  way('DELETE /groups/{id}', '/groups/3?_dependent=things'),
  way('DELETE /groups', '/groups?id=3&_dependent=things'),
  way('DELETE /users/{id}', '/users/1?_dependent=things'),
]

/** For admins only, where there are accounts. */
export const ADMIN: readonly WriteWay[] = [
  way('GET /__snapshots__', '/__snapshots__'),
  way('POST /__snapshots__', '/__snapshots__', {}),
  way('GET /__snapshots__/{id}', '/__snapshots__/db-1700000000000'),
  way('PUT /__snapshots__/{id}', '/__snapshots__/db-1700000000000'),
  way('DELETE /__snapshots__/{id}', '/__snapshots__/db-1700000000000'),
  way('GET /__sessions', '/__sessions'),
  way('DELETE /__sessions/{name}', '/__sessions/nope'),
  way('POST /__sessions/{name}/reset', '/__sessions/nope/reset', {}),
  way('GET /__clock', '/__clock'),
  way('PUT /__clock', '/__clock', { frozen: false }),
  way('DELETE /__clock', '/__clock'),
  way('POST /__clock/advance', '/__clock/advance', { by: '1s' }),
  way('GET /__faults', '/__faults'),
  way('PUT /__faults', '/__faults', {}),
  way('POST /__faults', '/__faults', { match: { path: '/nope' }, status: 503 }),
  way('DELETE /__faults', '/__faults'),
  way('PATCH /__faults/{id}', '/__faults/77', { on: false }),
  way('DELETE /__faults/{id}', '/__faults/77'),
  way('GET /__history', '/__history'),
  way('GET /__history', '/__History/?_limit=1'),
  way('GET /__changes', '/__changes'),
  way('GET /__changes', '/__changes?since=0'),
  way('POST /__undo', '/__undo', {}),
  way('POST /__redo', '/__redo', {}),
  way('POST /__reset', '/__reset', {}),
  way('POST /__resources', '/__resources', { made: [] }),
  way('GET /__requests', '/__requests'),
  way('DELETE /__requests', '/__requests'),
  // As other parsers, and Express, read them.
  way('POST /__undo', '/__UNDO/', {}),
  way('GET /__sessions', '/__Sessions/'),
]

/** Told over time, in `told.test.ts`. */
export const TOLD: readonly string[] = ['GET /__events']

/** In a session, these change that copy and nothing else. */
export const OPEN_IN_SESSIONS = /^\w+ \/__(?:reset|clock|faults|requests)\b/

/** Resources without rules of their own: their writes are those of any other resource. */
export const OF_OTHERS =
  /^(?:POST|PUT|PATCH|DELETE) \/(?:users|groups|parts)(?:\/\{id\})?(?:\/parts(?:\/\{childId\})?)?$|^(?:POST|PUT|PATCH|DELETE) \/(?:users|groups)\/\{id\}\/things\/\{childId\}\/parts|^\w+ \/users\/\{id\}\/(?:groups|parts|cases|files)|^\w+ \/(?:cases|files)\b|^(?:POST|PUT|PATCH|DELETE) \/things\/\{id\}\/parts|^GET \/users\/\{id\}\/things/

/** About the user who asks, and nobody else: in `test/features/accounts`. */
export const OF_ACCOUNTS =
  /^(?:GET|POST|PATCH) \/(?:auth\/)?(?:register|signup|login|signin|refresh|refresh-token|me|logout)$/
