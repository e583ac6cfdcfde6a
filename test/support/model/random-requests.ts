import fc from 'fast-check'
import type { Ask } from '../http/exchange.ts'
import { where } from './random-filters.ts'
import { widePath, wideTable, wideValue } from './wide-table.ts'

/** A database, and what is asked of it. `{etag}` in a header stands for the last one that was seen. */
export interface Session {
  readonly data: Readonly<Record<string, unknown>>
  readonly asks: readonly Ask[]
}

const KEYS = [1, 2, 3, 4, 7, '7', '2', 'x', 'x y', 'ä/ö', '', 1.5, -1, '010', true, null] as const

/** Ids as files have them: counted, mixed, twice, missing. */
const ids = fc.oneof(
  { weight: 3, arbitrary: fc.constant((at: number): unknown => at + 1) },
  fc.constant((at: number): unknown => (at === 2 ? '7' : at + 1)),
  fc.constant((at: number): unknown => `u${at}`),
  fc.constant((at: number): unknown => (at % 4 === 3 ? 2 : at + 1)),
  fc.array(fc.oneof(fc.constantFrom(...KEYS), fc.constant(undefined)), { minLength: 8, maxLength: 8 }).map(
    (all) =>
      (at: number): unknown =>
        all[at],
  ),
)
const key = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.constantFrom(...KEYS))
const scalar = fc.oneof(
  fc.constantFrom('a', 'B', 'b c', '10', 'ä', '😀', 'a%_\\', 'x\0y', '', 'true'),
  fc.constantFrom(0, 1, 2, 2.5, -1, 10, 1e21),
  fc.boolean(),
  fc.constant(null),
)
const fields = {
  name: fc.constantFrom('a', 'B', 'b c', 'ab', 'ä'),
  n: fc.constantFrom(0, 1, 2, 2.5, 10),
  s: scalar,
  at: fc.record({ x: scalar, tags: fc.array(scalar, { maxLength: 2 }) }, { requiredKeys: [] }),
  email: fc.constantFrom('a@x', 'b@x', 'c@x', null),
}

function rowsOf(own: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<readonly unknown[]> {
  const row = fc.record(own, { requiredKeys: [], noNullPrototype: true })
  return fc.tuple(ids, fc.array(row, { maxLength: 8 })).map(([idOf, rows]) =>
    rows.map((one, at) => {
      const id = idOf(at)
      return id === undefined ? one : { id, ...one }
    }),
  )
}

const data = fc.record({
  users: rowsOf(fields),
  posts: rowsOf({ ...fields, userId: key, tagIds: fc.array(key, { maxLength: 3 }) }),
  comments: rowsOf({ ...fields, postId: key, userId: key }),
  tags: rowsOf({ name: fields.name }),
  items: wideTable,
  settings: fc.record(fields, { requiredKeys: [], noNullPrototype: true }),
})

const RELATED: Readonly<Record<string, readonly string[]>> = {
  users: ['_embed=posts', '_embed=posts.comments', '_embed=comments&_embed=posts'],
  posts: ['_expand=user', '_embed=comments', '_expand=tags', '_embed=comments.user&_expand=user'],
  comments: ['_expand=post', '_expand=post.user', '_expand=post&post.name=a', '_expand=post&_sort=post.n'],
  tags: ['_embed=posts', '_embed=posts.user'],
  items: ['_embed=nothing', '_expand=user'],
}
const collection = fc.constantFrom('users', 'posts', 'comments', 'tags', 'items', 'items')
const operator = fc.constantFrom(
  ...['', '', '', '_ne', '_gte', '_lte', '_like', '_gt', '_lt', ':lt', '_in', '_nin', ':contains'],
  ...['_startsWith', '_endsWith', '_null', '_between', '_nope'],
)
const path = fc.oneof(
  widePath,
  fc.constantFrom('id', 'name', 'n', 's', 'at.x', 'at.tags', 'userId', 'postId', 'tagIds', 'email', 'nope'),
)
const text = fc.oneof(wideValue, fc.constantFrom('1', '2', '7', 'a', 'B', 'ä', 'true', 'false', '1,2', 'a@x'))

function pair(name: string, value: string): string {
  return `${encoded(name)}=${encoded(value)}`
}

/** What is half a character is sent as the sign for one that is unknown. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

const filter = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(path, operator, text).map(([name, op, value]) => pair(name + op, value)) },
  text.map((value) => pair('q', value)),
  where.map((value) => pair('_where', JSON.stringify(value))),
  fc.tuple(path, text).map(([name, value]) => pair('filter', JSON.stringify({ [name]: value }))),
)
const order = fc.oneof(
  fc.tuple(path, fc.constantFrom('asc', 'desc')).map(([by, way]) => [pair('_sort', by), `_order=${way}`]),
  fc.tuple(path, path).map(([by, then]) => [pair('_sort', `-${by},${then}`)]),
  path.map((by) => [pair('sort', JSON.stringify([by, 'DESC']))]),
)
const count = fc.integer({ min: -2, max: 9 })
const cut = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 4 }), count).map(([page, size]) => [`_page=${page}`, `_limit=${size}`]),
  fc.tuple(count, count).map(([from, to]) => [`_start=${from}`, `_end=${to}`]),
  fc.tuple(count, count).map(([from, most]) => [`_start=${from}`, `_limit=${most}`]),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), count)
    .map(([page, size]) => [`_page=${page}`, `_per_page=${size}`]),
  fc.constantFrom(['range=[0,3]'], ['range=[2,4]'], ['_limit=2']),
)
const shape = fc.constantFrom(
  '_fields=id,name',
  '_omit=at,s',
  '_fields=at.x,user.name',
  'callback=f',
  '_strict=true',
)

function query(name: string): fc.Arbitrary<string> {
  const none: string[] = []
  return fc
    .tuple(
      fc.array(filter, { maxLength: 2 }),
      fc.option(order, { nil: none }),
      fc.option(cut, { nil: none }),
      fc.option(fc.constantFrom(...(RELATED[name] ?? [])), { nil: undefined }),
      fc.option(shape, { nil: undefined, freq: 4 }),
    )
    .map(([filters, sort, window, relation, shown]) =>
      [...filters, ...sort, ...window, relation, shown].filter(Boolean).join('&'),
    )
}

const idText = key.map((one) => encodeURIComponent(String(one)))
const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { 'if-none-match': '{etag}' },
    { 'accept-encoding': 'gzip' },
    { prefer: 'handling=strict' },
    { range: 'items=0-2' },
  ),
)
const conditions = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { 'if-match': '{etag}' },
    { 'if-match': '*' },
    { 'if-none-match': '*' },
    { prefer: 'return=minimal' },
    { prefer: 'return=representation' },
  ),
)
const body = fc.record(
  { ...fields, userId: key, postId: key, a: scalar, id: key },
  { requiredKeys: [], noNullPrototype: true },
)

function send(method: string, to: string, sent: unknown, own = {}, type = 'application/json'): Ask {
  return { method, path: to, headers: { 'content-type': type, ...own }, body: JSON.stringify(sent) }
}

const read: fc.Arbitrary<Ask> = fc.oneof(
  {
    weight: 8,
    arbitrary: collection.chain((name) =>
      fc
        .tuple(query(name), headers, fc.constantFrom('GET', 'GET', 'GET', 'HEAD'))
        .map(([asked, own, method]) => ({ method, path: `/${name}?${asked}`, headers: own })),
    ),
  },
  {
    weight: 3,
    arbitrary: collection.chain((name) =>
      fc
        .tuple(idText, fc.constantFrom('', '_fields=name', ...(RELATED[name] ?? [])), headers)
        .map(([id, asked, own]) => ({ method: 'GET', path: `/${name}/${id}?${asked}`, headers: own })),
    ),
  },
  fc
    .tuple(
      fc.constantFrom('users/{}/posts', 'posts/{}/comments', 'users/{}/comments', 'tags/{}/posts'),
      idText,
      query('posts'),
    )
    .map(([nested, id, asked]) => ({ method: 'GET', path: `/${nested.replace('{}', id)}?${asked}` })),
  fc.tuple(idText, idText).map(([post, id]) => ({ method: 'GET', path: `/posts/${post}/comments/${id}` })),
  fc
    .constantFrom('/db', '/settings', '/nope', '/users/1/nope', '/settings/1')
    .map((at) => ({ method: 'GET', path: at })),
)

const write: fc.Arbitrary<Ask> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(collection, body, conditions)
      .map(([name, row, own]) => send('POST', `/${name}`, row, own)),
  },
  fc
    .tuple(collection, fc.array(body, { maxLength: 3 }))
    .map(([name, rows]) => send('POST', `/${name}`, rows)),
  fc.tuple(idText, body).map(([id, row]) => send('POST', `/posts/${id}/comments`, row)),
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('PUT', 'PATCH'),
        collection,
        idText,
        body,
        conditions,
        fc.constantFrom('', '?_upsert=true'),
      )
      .map(([method, name, id, row, own, upsert]) =>
        send(method, `/${name}/${id}${method === 'PUT' ? upsert : ''}`, row, own),
      ),
  },
  fc
    .tuple(collection, idText, fc.constantFrom('a', 'n', 'at', 's'), scalar)
    .map(([name, id, field, value]) =>
      send('PATCH', `/${name}/${id}`, { [field]: value, name: null }, {}, 'application/merge-patch+json'),
    ),
  fc.tuple(collection, idText, scalar).map(([name, id, value]) => {
    const patch = [
      { op: 'add', path: '/s', value },
      { op: 'remove', path: '/name' },
    ]
    return send('PATCH', `/${name}/${id}`, patch, {}, 'application/json-patch+json')
  }),
  {
    weight: 2,
    arbitrary: fc
      .tuple(collection, idText, fc.constantFrom('', '?_dependent=comments', '?_dependent=posts'), conditions)
      .map(([name, id, dependent, own]) => ({
        method: 'DELETE',
        path: `/${name}/${id}${dependent}`,
        headers: own,
      })),
  },
  fc
    .tuple(collection, filter)
    .map(([name, asked]) => send('PATCH', `/${name}?${asked}`, { s: 'many', id: 3 })),
  fc.tuple(collection, filter).map(([name, asked]) => ({ method: 'DELETE', path: `/${name}?${asked}` })),
  fc
    .tuple(fc.constantFrom('PUT', 'PATCH', 'POST', 'DELETE'), body)
    .map(([method, row]) => send(method, '/settings', row)),
  fc
    .tuple(fc.constantFrom('PUT', 'PATCH'), idText, idText, body)
    .map(([method, post, id, row]) => send(method, `/posts/${post}/comments/${id}`, row)),
)

/** Databases with relations, odd ids and odd values, and requests of every kind. */
export const session: fc.Arbitrary<Session> = fc.record({
  data,
  asks: fc.array(fc.oneof({ weight: 3, arbitrary: read }, { weight: 2, arbitrary: write }), {
    minLength: 15,
    maxLength: 30,
  }),
})
