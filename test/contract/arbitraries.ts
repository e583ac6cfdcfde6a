import fc from 'fast-check'
import type { Data } from '../support/oracle/servers.ts'
import { type ContractStep, get, remove, send } from './cases/table.ts'

/** A database and what is asked of it. */
export interface Play {
  readonly data: Data
  readonly steps: readonly ContractStep[]
}

type Id = number | string

/**
 * Small databases with relations, and sequences of requests. They stay away from where the two servers
 * differ on purpose (no orphans, no null foreign keys, no patterns that do not compile, …), so that every
 * answer can be compared as it is. The tables of cases go to those places instead.
 */
export const plays: fc.Arbitrary<Play> = fc
  .record({ users: ids(1, 3), posts: ids(1, 4), comments: ids(0, 5), notes: ids(0, 4) })
  .chain((names) =>
    fc.record({
      data: fc.record({
        users: rows(names.users, {}),
        posts: rows(names.posts, { userId: fc.constantFrom(...names.users) }),
        comments: rows(names.comments, childOf(names.posts, names.users)),
        notes: rows(names.notes, {}),
        settings: fields,
      }),
      steps: fc.array(step(names.users, names.posts), { minLength: 1, maxLength: 12 }),
    }),
  )

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(0.5, -1.25, 1e21, 1e-7, 2 ** 60),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    '',
    'alpha',
    'Beta',
    'ALPHA',
    '5',
    '10',
    'true',
    'null',
    'été',
    '日本',
    'a b',
    '2024-01-31',
    'ß',
    '🙂',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)

const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ x: scalar, y: fc.record({ z: scalar }) }, { requiredKeys: [] }) },
)

const fields = fc.record({ a: value, b: value, s: value, n: value }, { requiredKeys: [] })

const field = fc.constantFrom('id', 'a', 'b', 's', 'n', 'n.x', 'n.y.z', 'n.y', 'userId', 'postId', 'nope')

const asked = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '2',
    '5',
    '10',
    '-1',
    '1.5',
    'true',
    'false',
    'null',
    'alpha',
    'ALPHA',
    'é',
    'b',
    '[object Object]',
  ),
  scalar.map(String),
)

const pattern = fc.constantFrom(
  '',
  'a',
  'A',
  '^a',
  'a$',
  '.',
  '.*',
  '\\d',
  '[a-f]',
  'alpha|beta',
  'l+',
  '(t|r)',
  'É',
  '^$',
  '\\.',
  'x{2}',
  '^[^a]',
)

const condition = fc.oneof(
  fc
    .tuple(field, fc.constantFrom('', '_ne', '_gte', '_lte'), asked)
    .map(([name, op, text]) => pair(name + op, text)),
  fc.tuple(field, pattern).map(([name, text]) => pair(`${name}_like`, text)),
  asked.filter((text) => text !== '').map((text) => pair('q', text)),
)

const sorting = fc
  .tuple(
    fc.array(field, { minLength: 1, maxLength: 3 }),
    fc.array(fc.constantFrom('asc', 'desc', 'DESC', 'up'), { maxLength: 3 }),
  )
  .map(([keys, orders]) => [
    pair('_sort', keys.join(',')),
    ...(orders.length > 0 ? [pair('_order', orders.join(','))] : []),
  ])

const count = fc.integer({ min: -2, max: 6 })

const windowing = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 4 }))
    .map(([page, size]) => [`_page=${page}`, `_limit=${size}`]),
  fc.integer({ min: 1, max: 3 }).map((page) => [`_page=${page}`]),
  fc.tuple(count, count).map(([start, end]) => [`_start=${start}`, `_end=${end}`]),
  fc.tuple(count, count).map(([start, size]) => [`_start=${start}`, `_limit=${size}`]),
  count.map((size) => [`_limit=${size}`]),
)

const related: Readonly<Record<string, readonly string[]>> = {
  users: ['_embed=posts', '_embed=comments', '_embed=posts&_embed=comments'],
  posts: ['_embed=comments', '_expand=user', '_embed=comments&_expand=user'],
  comments: ['_expand=post', '_expand=user', '_expand=post&_expand=user'],
  notes: ['_='],
}

const collection = fc.constantFrom('users', 'posts', 'comments', 'notes')

function query(name: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.array(condition, { maxLength: 3 }),
      fc.option(sorting, { nil: [] }),
      fc.option(windowing, { nil: [] }),
      fc.option(fc.constantFrom(...(related[name] ?? [])), { nil: undefined }),
    )
    .map(([where, sort, window, relation]) =>
      [...where, ...sort, ...window, ...(relation ? [relation] : [])].join('&'),
    )
}

function step(users: readonly Id[], posts: readonly Id[]): fc.Arbitrary<ContractStep> {
  const id = fc
    .oneof(fc.constantFrom(...users, ...posts), fc.integer({ min: 0, max: 7 }))
    .map((one) => encodeURIComponent(one))
  const fresh = fc.integer({ min: 100, max: 1_000_000 })
  const comment = fc
    .tuple(fields, fc.record(childOf(posts, users)))
    .map(([rest, keys]) => ({ ...rest, ...keys }))
  const list = collection.chain((name) => query(name).map((text) => get(`/${name}?${text}`)))
  const item = fc
    .tuple(collection, id)
    .chain(([name, one]) =>
      fc.constantFrom('', ...(related[name] ?? [])).map((text) => get(`/${name}/${one}?${text}`)),
    )
  return fc.oneof(
    { weight: 8, arbitrary: list },
    { weight: 2, arbitrary: item },
    { weight: 1, arbitrary: list.map((one) => ({ ...one, method: 'HEAD' })) },
    {
      weight: 1,
      arbitrary: fc.tuple(id, query('comments')).map(([one, text]) => get(`/posts/${one}/comments?${text}`)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(get('/db'), get('/settings'), get('/nope'), get('/notes/1/nope')),
    },
    { weight: 2, arbitrary: comment.map((body) => send('POST', '/comments', body)) },
    { weight: 1, arbitrary: fields.map((body) => send('POST', '/notes', body)) },
    {
      weight: 1,
      arbitrary: fc.tuple(fields, fresh).map(([body, made]) => send('POST', '/notes', { ...body, id: made })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(id, comment).map(([one, body]) => send('PUT', `/comments/${one}`, body)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(collection, id, fields)
        .map(([name, one, body]) => send('PATCH', `/${name}/${one}`, body)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('comments', 'notes'), id)
        .map(([name, one]) => remove(`/${name}/${one}`)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('PUT', 'PATCH', 'POST'), fields)
        .map(([method, body]) => send(method, '/settings', body)),
    },
  )
}

/** Numbers, so that new ids are counted up. Words would make both servers invent their own. */
function ids(minLength: number, maxLength: number): fc.Arbitrary<number[]> {
  return fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength, maxLength })
}

function rows(names: readonly Id[], keys: Record<string, fc.Arbitrary<Id>>): fc.Arbitrary<object[]> {
  const made = names.map((id) =>
    fc.tuple(fields, fc.record(keys)).map(([rest, foreign]) => ({ id, ...rest, ...foreign })),
  )
  return fc.tuple(...made)
}

function childOf(posts: readonly Id[], users: readonly Id[]) {
  return { postId: fc.constantFrom(...posts), userId: fc.constantFrom(...users) }
}

function pair(name: string, text: string): string {
  return `${name}=${encodeURIComponent(text)}`
}
