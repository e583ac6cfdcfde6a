import fc from 'fast-check'
import { ADA, BOB } from '../../support/http/members.ts'

/** A request by somebody, as it is sent. `{snapshot}` in a path is the id of one that is there. */
export interface RandomAsk {
  readonly who: 'nobody' | 'user' | 'admin'
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Those of the users at first, and those they may get: none may ever be seen. */
export const PASSWORDS = ['password-of-ada', BOB.password, 'password-of-eve', 'password-of-kim']
const EMAILS = [ADA.email, BOB.email, 'eve@example.com']

/** Where a body may have a password: what is sent elsewhere is not one. */
const OF_USERS = [
  ...['/users', '/Users', '/USERS/', '//users', '/%75sers', '/users/1', '/users//1', '/users/2', '/users/3'],
  ...['/users/%31', '/USERS/2', '/me', '/auth/me', '/ME', '/register', '/signup', '/auth/register'],
  ...['/login', '/signin', '/auth/login', '/refresh', '/logout'],
]
const OF_OTHERS = [
  ...['/posts', '/posts/1', '/posts/2', '/POSTS', '/comments', '/comments/1', '/posts/1/comments'],
  ...['/users/1/posts', '/users/2/posts', '/users/2/posts/2', '/users/1/comments', '/db', '/DB', '/stats'],
  ...['/__history', '/__changes', '/__changes?since=0', '/__schema', '/__schema/users', '/__openapi'],
  ...['/__openapi.json', '/__service', '/__rules', '/__undo', '/__redo', '/__reset', '/__sessions'],
  ...['/__snapshots__', '/__snapshots__/{snapshot}', '/__faults', '/__clock', '/health-check', '/'],
  ...['/users/1/password', '/db/users', '/__schema/users/password', '/nothing'],
]

const OPERATORS = [
  ...['', '_ne', '_like', '_gte', '_lte', '_gt', '_lt', '_in', '_nin', '_null', '_between', '_contains'],
  ...[
    '_startsWith',
    '_endsWith',
    ':startsWith',
    ':contains',
    ':like',
    ':ne',
    ':gt',
    ':in',
    ':null',
    ':regex',
  ],
]
const FIELDS = ['password', 'Password', 'pass%77ord', 'user.password', 'users.password', 'password.0']
const VALUES = ['pass', '.', 'true', 'a,z', '$2b', '^p.*', '%242b', 'z', '', BOB.password, ADA.password]

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

const condition = fc
  .tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...OPERATORS), fc.constantFrom(...VALUES))
  .map(([field, operator, value]) => `${field}${operator}=${value}`)

const where = fc
  .tuple(
    fc.constantFrom('_where', 'filter', '_filters'),
    fc.constantFrom('eq', 'ne', 'gt', 'lt', 'contains', 'startsWith', 'endsWith', 'like', 'in', 'null'),
    fc.constantFrom<unknown>('pass', '$2b', '', true, ['a', 'z'], BOB.password),
    fc.constantFrom('password', 'user.password'),
  )
  .chain(([parameter, operator, value, field]) => {
    const inner = { [field]: { [operator]: value } }
    const nested = { user: { password: { [operator]: value } } }
    return fc
      .constantFrom<unknown>(inner, nested, { or: [inner, { id: 9 }] }, { not: inner }, { [field]: value })
      .map((whole) => `${parameter}=${json(whole)}`)
  })

const setting = fc.constantFrom(
  ...['_sort=password', '_sort=-password', '_sort=password&_order=desc', '_sort=user.password', '_limit=1'],
  ...[
    `sort=${json(['password', 'ASC'])}`,
    '_sortField=password&_sortDir=DESC',
    '_page=1&_limit=1',
    '_per_page=1',
  ],
  ...['_fields=password', '_fields=id,password', '_fields=user.password', '_fields=user', '_omit=id'],
  ...[
    '_omit=email',
    '_embed=posts',
    '_embed=user',
    '_embed=users',
    '_embed=posts.user',
    '_embed=comments.user',
  ],
  ...['_expand=user', '_expand=post.user', '_expand=users', `embed=${json(['user'])}`, 'callback=show'],
  ...['_explain=true', '_strict=true', '_all=true', '_upsert=true', '_dependent=posts', 'q=pass', 'q=$2b'],
  ...['pasword=x&_strict=true', 'user.pasword=x&_strict=true', '_distinct=password', '_group=password'],
)

const query = fc.array(fc.oneof(condition, where, setting), { maxLength: 3 }).map((parts) => parts.join('&'))

const who = fc.constantFrom<RandomAsk['who']>('nobody', 'user', 'admin')

function withQuery(path: string, more: string): string {
  return more === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${more}`
}

const JSON_TYPE = { 'content-type': 'application/json' }
const PATCH_TYPE = { 'content-type': 'application/json-patch+json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** With a password, for those who take one. */
const ofUsers: fc.Arbitrary<Sent> = fc
  .tuple(fc.constantFrom(...PASSWORDS), fc.constantFrom(...PASSWORDS), fc.constantFrom(...EMAILS))
  .chain(([password, currentPassword, email]) => {
    const operation = (op: object): Sent => ({ headers: PATCH_TYPE, body: JSON.stringify([op]) })
    return fc.constantFrom<Sent>(
      ...[{ password }, { email, password }, { password, currentPassword }, [{ email, password }]].map(
        (value) => ({ headers: JSON_TYPE, body: JSON.stringify(value) }),
      ),
      { headers: JSON_TYPE, body: JSON.stringify({ email: 'x', password: [password] }) },
      { headers: JSON_TYPE, body: `{"email":"${email}","password":"${password}"` },
      { headers: JSON_TYPE, body: `{"password":${password}}` },
      { headers: { 'content-type': 'application/merge-patch+json' }, body: JSON.stringify({ password }) },
      { headers: FORM_TYPE, body: new URLSearchParams({ email, password }).toString() },
      operation({ op: 'replace', path: '/password', value: password }),
      operation({ op: 'add', path: '/password', value: password }),
      operation({ op: 'test', path: '/password', value: password }),
    )
  })

const ofAny: fc.Arbitrary<Sent> = fc.constantFrom<Sent>(
  { headers: {} },
  { headers: JSON_TYPE, body: '{}' },
  { headers: JSON_TYPE, body: '{"name":"new"}' },
  { headers: JSON_TYPE, body: '{"password":null}' },
  ...[
    { op: 'copy', from: '/password', path: '/name' },
    { op: 'move', from: '/password', path: '/name' },
    { op: 'copy', from: '', path: '/name' },
    { op: 'remove', path: '/password' },
    { op: 'test', path: '/password', value: 'x' },
    { op: 'test', path: '', value: {} },
    { op: 'replace', path: '/password/0', value: 'x' },
  ].map((operation) => ({ headers: PATCH_TYPE, body: JSON.stringify([operation]) })),
)

const MORE_HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { prefer: 'return=representation' },
  { prefer: 'return=minimal' },
  { prefer: 'handling=strict' },
  { 'x-http-method-override': 'PATCH' },
  { 'x-mock-session': 'a' },
]

const place = fc.oneof(
  fc.tuple(fc.constantFrom(...OF_USERS), fc.oneof(ofUsers, ofAny)),
  fc.tuple(fc.constantFrom(...OF_OTHERS), ofAny),
)

const write: fc.Arbitrary<RandomAsk> = fc
  .tuple(
    who,
    fc.constantFrom('POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'OPTIONS'),
    place,
    query,
    fc.constantFrom(...MORE_HEADERS),
  )
  .map(([client, method, [path, sent], more, headers]) => ({
    who: client,
    // Sent otherwise, it would be a row with a field "value".
    method: sent.headers === PATCH_TYPE ? 'PATCH' : method,
    path: withQuery(path, more),
    ...sent,
    headers: { ...sent.headers, ...headers },
  }))

function reads(paths: readonly string[], methods: readonly string[]): fc.Arbitrary<RandomAsk> {
  return fc
    .tuple(who, fc.constantFrom(...methods), fc.constantFrom(...paths), query)
    .map(([client, method, path, more]) => ({
      who: client,
      method,
      path: withQuery(path, more),
      headers: {},
    }))
}

export const randomAsk: fc.Arbitrary<RandomAsk> = fc.oneof(
  { arbitrary: reads([...OF_USERS, ...OF_OTHERS], ['GET', 'GET', 'GET', 'HEAD']), weight: 2 },
  { arbitrary: write, weight: 1 },
)

/** Of rows: other answers name times. */
export const randomRead: fc.Arbitrary<RandomAsk> = reads(
  [...OF_USERS, ...OF_OTHERS].filter((path) =>
    /^\/*(?:users|%75sers|posts|comments|db|stats|me)\b/i.test(path),
  ),
  ['GET', 'GET', 'HEAD'],
)
