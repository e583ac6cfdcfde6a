import { describe, expect, it } from 'vitest'
import { ADA, BOB, members } from '../../support/http/members.ts'
import { serveViewers, type ViewerName } from '../../support/http/viewers.ts'

/*
 * What json-server-auth answers, by its tests, its README and its guards, and what we answer: the same, unless a row says
 * otherwise and why.
 */

const HOLE = 'one who owns a row sees all of them there'
const UNSEEN = 'rows that may not be read are not there'
const TAKEN = 'there, a row is taken over by a PUT that says so'
const GIVEN = 'nobody gives rows away, or takes them: the owner is filled in, and kept'
const INVALID = 'a body that can be read, but not accepted'
const SAME = 'nobody learns which emails are taken'

/** Rows 1 to 3 are the owner's, one for each client to change. */
const DATA = {
  users: [{ id: 1 }, { id: 2 }],
  notes: [
    { id: 1, userId: 1 },
    { id: 2, userId: 1 },
    { id: 3, userId: 1 },
    { id: 4, userId: 3 },
  ],
}
const CLIENTS: readonly [ViewerName, userId: number][] = [
  ['nobody', 1],
  ['stranger', 2],
  ['owner', 1],
]

type Action = 'list' | 'item' | 'create' | 'replace' | 'update' | 'delete'

/** What a client sends. Creating, everybody names the owner; replacing, users name themselves. */
const SENT: Record<Action, (row: number, userId: number) => [method: string, path: string, body?: unknown]> =
  {
    list: () => ['GET', '/notes'],
    item: (row) => ['GET', `/notes/${row}`],
    create: () => ['POST', '/notes', { userId: 1 }],
    replace: (row, userId) => ['PUT', `/notes/${row}`, { userId }],
    update: (row) => ['PATCH', `/notes/${row}`, { text: 'new' }],
    delete: (row) => ['DELETE', `/notes/${row}`],
  }

/** With the ids of a list, and the owner of a new row. */
function summary(action: Action, status: number, body: string): string {
  if (status >= 300) return String(status)
  if (action === 'list') return `${status}:${JSON.parse(body).map(({ id }: { id: number }) => id)}`
  const isWritten = action === 'create' || action === 'replace'
  return isWritten ? `${status}:${JSON.parse(body).userId ?? '-'}` : String(status)
}

describe('guards', () => {
  // Each cell is nobody, a user, and the owner.
  it.each<[guard: number, Action, theirs: string, ours?: string, why?: string]>([
    [400, 'list', '401 403 200:1,2,3,4', '401 200: 200:1,2,3', HOLE],
    [400, 'item', '401 403 200', '401 404 200', UNSEEN],
    [400, 'create', '401 403 403'],
    [400, 'replace', '401 403 403'],
    [400, 'update', '401 403 403'],
    [400, 'delete', '401 403 403'],
    [440, 'list', '401 200:1,2,3,4 200:1,2,3,4'],
    [440, 'item', '401 200 200'],
    [440, 'create', '401 403 403'],
    [440, 'replace', '401 403 403'],
    [440, 'update', '401 403 403'],
    [440, 'delete', '401 403 403'],
    [444, 'list', '200:1,2,3,4 200:1,2,3,4 200:1,2,3,4'],
    [444, 'item', '200 200 200'],
    [444, 'create', '403 403 403'],
    [444, 'replace', '403 403 403'],
    [444, 'update', '403 403 403'],
    [444, 'delete', '403 403 403'],
    [600, 'list', '401 403 200:1,2,3,4', '401 200: 200:1,2,3', HOLE],
    [600, 'item', '401 403 200', '401 404 200', UNSEEN],
    [600, 'create', '401 403 201:1', '401 201:2 201:1', GIVEN],
    [600, 'replace', '401 200:2 200:1', '401 404 200:1', TAKEN],
    [600, 'update', '401 403 200', '401 404 200', UNSEEN],
    [600, 'delete', '401 403 200', '401 404 200', UNSEEN],
    [640, 'list', '401 200:1,2,3,4 200:1,2,3,4'],
    [640, 'item', '401 200 200'],
    [640, 'create', '401 403 201:1', '401 201:2 201:1', GIVEN],
    [640, 'replace', '401 200:2 200:1', '401 403 200:1', TAKEN],
    [640, 'update', '401 403 200'],
    [640, 'delete', '401 403 200'],
    [644, 'list', '200:1,2,3,4 200:1,2,3,4 200:1,2,3,4'],
    [644, 'item', '200 200 200'],
    [644, 'create', '401 403 201:1', '401 201:2 201:1', GIVEN],
    [644, 'replace', '401 200:2 200:1', '401 403 200:1', TAKEN],
    [644, 'update', '401 403 200'],
    [644, 'delete', '401 403 200'],
    [660, 'list', '401 200:1,2,3,4 200:1,2,3,4'],
    [660, 'item', '401 200 200'],
    [660, 'create', '401 201:1 201:1', '401 201:2 201:1', GIVEN],
    [660, 'replace', '401 200:2 200:1', '401 200:1 200:1', GIVEN],
    [660, 'update', '401 200 200'],
    [660, 'delete', '401 200 200'],
    [664, 'list', '200:1,2,3,4 200:1,2,3,4 200:1,2,3,4'],
    [664, 'item', '200 200 200'],
    [664, 'create', '401 201:1 201:1', '401 201:2 201:1', GIVEN],
    [664, 'replace', '401 200:2 200:1', '401 200:1 200:1', GIVEN],
    [664, 'update', '401 200 200'],
    [664, 'delete', '401 200 200'],
    [666, 'list', '200:1,2,3,4 200:1,2,3,4 200:1,2,3,4'],
    [666, 'item', '200 200 200'],
    [666, 'create', '201:1 201:1 201:1', '201:- 201:2 201:1', GIVEN],
    [666, 'replace', '200:1 200:2 200:1', '200:1 200:1 200:1', GIVEN],
    [666, 'update', '200 200 200'],
    [666, 'delete', '200 200 200'],
  ])('%i, %s: %s there', async (guard, action, theirs, ours) => {
    const data = structuredClone(DATA)
    const { ask } = await serveViewers({
      data,
      foreignKeySuffix: 'Id',
      resources: { notes: { access: guard } },
    })
    const cells: string[] = []
    for (const [at, [who, userId]] of CLIENTS.entries()) {
      const { status, body } = await ask(who, ...SENT[action](at + 1, userId))
      cells.push(summary(action, status, body))
    }
    expect(cells.join(' ')).toBe(ours ?? theirs)
    expect(ours).not.toBe(theirs)
  })
})

describe('the users and messages of its tests', () => {
  const MESSAGES = [
    { id: 1, text: 'other', userId: 1 },
    { id: 2, text: 'mine', userId: 2 },
  ]
  const ALL = { users: [{ id: 1, email: 'albert@gmail.com' }, { id: 2 }], messages: MESSAGES, secrets: [] }
  const NEW = { text: 'yo', userId: 2 }

  it.each<
    [string, who: 'nobody' | '2:user', request: [string, string, unknown?], theirs: number, ours?: unknown[]]
  >([
    ['nobody lists users', 'nobody', ['GET', '/users'], 401],
    ['users list users', '2:user', ['GET', '/users'], 403, [200, [{ id: 2 }], 'a list is one’s own rows']],
    ['nobody gets another user', 'nobody', ['GET', '/users/1'], 401],
    ['users get another', '2:user', ['GET', '/users/1'], 403, [404, {}, UNSEEN]],
    ['nobody gets a user', 'nobody', ['GET', '/users/2'], 401],
    ['users get themselves', '2:user', ['GET', '/users/2'], 200, [200, { id: 2 }]],
    ['users list messages', '2:user', ['GET', '/messages'], 200, [200, MESSAGES]],
    ['users write messages', '2:user', ['POST', '/messages', NEW], 201, [201, { ...NEW, id: 3 }]],
    [
      'users need not say who they are',
      '2:user',
      ['POST', '/messages', {}],
      403,
      [201, { id: 3, userId: 2 }],
    ],
    [
      'users edit their own',
      '2:user',
      ['PATCH', '/messages/2', { text: 'new' }],
      200,
      [200, { id: 2, text: 'new', userId: 2 }],
    ],
    ['users read those of others', '2:user', ['GET', '/messages/1'], 200, [200, MESSAGES[0]]],
    ['users edit no others', '2:user', ['PATCH', '/messages/1', { text: 'x' }], 403],
    ['nobody lists messages', 'nobody', ['GET', '/messages'], 401],
    [
      'users write secrets',
      '2:user',
      ['POST', '/secrets', { userId: '2' }],
      201,
      [201, { id: 1, userId: 2 }, 'the owner’s id, as it is stored'],
    ],
    [
      'nobody signs up among the guarded users',
      'nobody',
      ['POST', '/users', { email: 'arthur@email.com', password: '12345678' }],
      201,
      [401, expect.anything(), 'POST /register signs up'],
    ],
    ['nobody asks what is allowed', 'nobody', ['OPTIONS', '/users/1'], 200, [204, '', 'CORS answers']],
    ['nobody asks for a head', 'nobody', ['HEAD', '/users/1'], 200, [401, '', 'a head tells what is there']],
  ])('%s', async (_, who, [method, path, sent], theirs, [status, expected] = []) => {
    const resources = { users: { access: 600 }, messages: { access: 640 }, secrets: { access: 600 } }
    const { ask } = await serveViewers({ data: structuredClone(ALL), foreignKeySuffix: 'Id', resources })
    const answer = await ask(who, method, path, sent)
    expect(answer.status).toBe(status ?? theirs)
    if (expected !== undefined) expect(answer.body === '' ? '' : JSON.parse(answer.body)).toEqual(expected)
  })
})

describe('register and login', () => {
  const albert = { email: 'albert@mail.com', password: 'azerty123', name: 'Albert' }
  const ada = { email: ADA.email, password: 'password-of-ada' }
  const next = { password: '965dsd3si', currentPassword: BOB.password }

  it.each<
    [string, who: string, request: [string, string, unknown?], theirs: number, ours?: number, why?: string]
  >([
    ['registers', 'nobody', ['POST', '/register', albert], 201],
    ['registers at the other address', 'nobody', ['POST', '/signup', albert], 201],
    ['with a bad email', 'nobody', ['POST', '/register', { ...albert, email: 'albert@' }], 400, 422, INVALID],
    ['without a password', 'nobody', ['POST', '/register', { email: albert.email }], 400, 422, INVALID],
    ['without an email', 'nobody', ['POST', '/register', { password: 'azerty123' }], 400, 422, INVALID],
    [
      'with three characters',
      'nobody',
      ['POST', '/register', { ...albert, password: 'abc' }],
      400,
      422,
      INVALID,
    ],
    [
      'with four',
      'nobody',
      ['POST', '/register', { ...albert, password: '1234' }],
      201,
      422,
      'eight at least',
    ],
    ['with nothing', 'nobody', ['POST', '/signup'], 400, 422, INVALID],
    ['again', 'nobody', ['POST', '/register', { ...albert, email: ADA.email }], 400, 409, 'it is a conflict'],
    [
      'again in capitals',
      'nobody',
      ['POST', '/register', { ...albert, email: ADA.email.toUpperCase() }],
      201,
      409,
      'it is the same address',
    ],
    ['signs up among users', 'nobody', ['POST', '/users', albert], 201, 401, 'POST /register does'],
    ['sends users nothing', 'nobody', ['POST', '/users'], 400, 401, 'POST /register does'],
    ['logs in', 'nobody', ['POST', '/login', ada], 200],
    ['logs in at the other address', 'nobody', ['POST', '/signin', ada], 200],
    [
      'logs in as nobody known',
      'nobody',
      ['POST', '/login', { ...ada, email: albert.email }],
      400,
      401,
      SAME,
    ],
    [
      'logs in with a wrong password',
      'nobody',
      ['POST', '/login', { ...ada, password: '172450' }],
      400,
      401,
      SAME,
    ],
    ['logs in with a bad email', 'nobody', ['POST', '/login', { ...ada, email: 'ada@' }], 400, 401, SAME],
    ['logs in with nothing', 'nobody', ['POST', '/signin'], 400],
    ['logs in without a password', 'nobody', ['POST', '/login', { email: ADA.email }], 400],
    ['lists users', 'nobody', ['GET', '/users'], 200, 401, 'users are for users'],
    ['lists users, logged in', 'bob', ['GET', '/users'], 200],
    [
      'renames a user',
      'nobody',
      ['PATCH', '/users/2', { name: 'Arthur' }],
      200,
      401,
      'users change themselves',
    ],
    ['renames itself', 'bob', ['PATCH', '/users/2', { name: 'Arthur' }], 200],
    ['gets another field', 'bob', ['PATCH', '/users/2', { age: 20 }], 200],
    ['gets another email', 'bob', ['PATCH', '/users/2', { email: 'arthur@mail.com' }], 200],
    [
      'gets another password',
      'bob',
      ['PATCH', '/users/2', { password: '965dsd3si' }],
      200,
      422,
      'it takes the current one',
    ],
    ['gets another password, with the current one', 'bob', ['PATCH', '/users/2', next], 200],
    ['gets a password too short', 'bob', ['PATCH', '/users/2', { password: 'abc' }], 400, 422, INVALID],
    ['gets a bad email', 'bob', ['PATCH', '/users/2', { email: 'arthur' }], 400, 422, INVALID],
    ['is replaced', 'bob', ['PUT', '/users/2', { ...albert, ...next }], 200],
    [
      'is replaced without a password',
      'bob',
      ['PUT', '/users/2', { email: 'arthur@mail.com' }],
      400,
      200,
      'a password that nobody sees is kept',
    ],
  ])('%s, as %s', async (_, who, [method, path, sent], theirs, ours) => {
    const { ask, login } = await members()
    const { headers } = who === 'bob' ? await login(BOB.email, BOB.password) : {}
    const { status, body } = await ask(method, path, sent, headers)
    expect(status).toBe(ours ?? theirs)
    expect(ours).not.toBe(theirs)
    if (status >= 400) expect(body.code).toEqual(expect.any(String))
    else if (method === 'POST') {
      expect(body.accessToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
      const { password: _, ...user } = { ...albert, id: 3 }
      expect(body.user).toMatchObject(status === 201 ? user : { id: 1 })
    }
    expect(JSON.stringify(body)).not.toMatch(/"password":"(?!must|is required)/)
  })
})
