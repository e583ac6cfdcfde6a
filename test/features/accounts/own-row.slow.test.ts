import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ADA, BOB, members } from '../../support/http/members.ts'
import { asLong } from '../../support/length.ts'

/*
 * What holds for a user's own row, on every way to it: a password changes with the current one, and an email stays one.
 * Bob, user 2, works at company 1.
 */
/** With a hash of four rounds, so that tests do not wait for it: of "password-of-bob". */
const HASH = '$2b$04$M.v3..f5wlJSJ3j6EDs6O.LI6QJuaasZ7j/8WEUhx96K71nXFOv6a'
const DATA = { users: [ADA, { ...BOB, password: HASH, companyId: 1 }], companies: [{ id: 1 }] }
const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' }
const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' }
const OVERRIDE = { 'x-http-method-override': 'PATCH' }
const IN_A = { 'X-Mock-Session': 'a' }

interface Way {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: (fields: object) => unknown
}

const fields = (sent: object) => sent
const whole = (sent: object) => ({ id: 2, email: BOB.email, companyId: 1, ...sent })
const adding = (sent: object) =>
  Object.entries(sent).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }))
const replacing = (sent: object) => [{ op: 'add', path: '', value: whole(sent) }]

const WAYS: readonly Way[] = [
  { method: 'PATCH', path: '/me', body: fields },
  { method: 'PATCH', path: '/auth/me', headers: IN_A, body: fields },
  { method: 'PUT', path: '/users/2', body: whole },
  { method: 'PUT', path: '/users/2?_upsert=true', body: whole },
  { method: 'PATCH', path: '/users/2', body: fields },
  { method: 'PATCH', path: '/users/2', headers: IN_A, body: fields },
  { method: 'POST', path: '/USERS/2/', headers: OVERRIDE, body: fields },
  { method: 'PATCH', path: '/api/users/2', body: fields },
  { method: 'PATCH', path: '/users/2', headers: MERGE_PATCH, body: fields },
  { method: 'PATCH', path: '/users/2', headers: JSON_PATCH, body: adding },
  { method: 'PATCH', path: '/users/2', headers: JSON_PATCH, body: replacing },
  { method: 'PATCH', path: '/users?id=2', body: fields },
  { method: 'PATCH', path: '/users?q=bob', headers: MERGE_PATCH, body: fields },
  { method: 'PATCH', path: '/users?email=bob@example.com', headers: JSON_PATCH, body: adding },
  { method: 'PUT', path: '/companies/1/users/2', body: whole },
  { method: 'PATCH', path: '/companies/1/users/2', body: fields },
  { method: 'PATCH', path: '/companies/1/users/2', headers: JSON_PATCH, body: adding },
  { method: 'PATCH', path: '/companies/1/users?_all=true', body: fields },
]

const update = ['owner', 'role:admin']
const OPTIONS = { routes: { '/api/*': '/$1' }, resources: { users: { access: { update } } } }
const password = 'the next password'
const currentPassword = BOB.password

/** Passwords take long, by design: a long run takes every way. */
const TAKEN = WAYS.filter((_, at) => at % asLong(2, 1) === 0)

describe.each(TAKEN)('$method $path $headers', ({ method, path, headers: sent = {}, body }) => {
  const session: Record<string, string> = 'X-Mock-Session' in sent ? IN_A : {}

  async function bobAt() {
    const served = await members(OPTIONS, DATA)
    const bob = await served.login(BOB.email, BOB.password, session)
    const change = (of: object, headers = bob.headers) =>
      served.ask(method, path, body(of), { ...headers, ...sent })
    const logsIn = async (secret: string) =>
      (await served.login(BOB.email, secret, session)).accessToken !== undefined
    return { ...served, change, logsIn }
  }

  it('does not change a password without the current one', async () => {
    const { change, logsIn, stored } = await bobAt()
    for (const [current, message] of [
      [{}, 'is required to change the password'],
      [{ currentPassword: '' }, 'is required to change the password'],
      [{ currentPassword: 'password-of-ada' }, 'is wrong'],
      [{ currentPassword: ['password-of-bob'] }, 'must be a string'],
    ] as const) {
      const answer = await change({ password, ...current })
      expect([answer.status, answer.body.errors]).toEqual([422, { currentPassword: message }])
      expect(stored()).toEqual(DATA)
    }
    expect([await logsIn(password), await logsIn(BOB.password)]).toEqual([false, true])
  })

  it('changes it with the current one, which is not stored', async () => {
    const { change, logsIn, stored } = await bobAt()
    const answer = await change({ password, currentPassword })
    expect(answer.status).toBe(200)
    expect(JSON.stringify([answer.body, stored()])).not.toContain('currentPassword')
    expect([await logsIn(password), await logsIn(BOB.password)]).toEqual([true, false])
  })

  it('stores no current password that comes alone', async () => {
    const { change, logsIn, stored } = await bobAt()
    const answer = await change({ name: 'Bob', currentPassword: 'anything' })
    expect(answer.status).toBe(200)
    expect(JSON.stringify([answer.body, stored()])).not.toContain('currentPassword')
    expect(await logsIn(BOB.password)).toBe(true)
  })

  it.runIf(!path.endsWith('/me'))('needs none of an admin', async () => {
    const { change, logsIn, login } = await bobAt()
    const { headers } = await login(undefined, undefined, session)
    const wrong = await change({ password, currentPassword: 'wrong' }, headers)
    expect([wrong.status, wrong.body.errors]).toEqual([422, { currentPassword: 'is wrong' }])
    expect((await change({ password }, headers)).status).toBe(200)
    expect(await logsIn(password)).toBe(true)
  })

  it('takes nothing for an email that is none', async () => {
    const { change, stored } = await bobAt()
    for (const email of ['bob', '', null, 7, ['bob@example.com'], 'bob @example.com']) {
      const answer = await change({ email })
      expect([email, answer.status, Object.keys(answer.body.errors)]).toEqual([email, 422, ['email']])
      expect(stored()).toEqual(DATA)
    }
  })

  it('takes another email, unless it is taken', async () => {
    const { change } = await bobAt()
    expect((await change({ email: 'ADA@example.com' })).body.errors).toEqual({ email: 'is already taken' })
    expect((await change({ email: 'bobby@example.com' })).status).toBe(200)
  })
})

it('changes the password of an admin at /me without the current one', async () => {
  const { ask, login } = await members()
  const { headers } = await login()
  expect((await ask('PATCH', '/me', { password }, headers)).status).toBe(200)
  expect((await login(ADA.email, password)).accessToken).toEqual(expect.any(String))
})

it.each<[string, string, object]>([
  ['of another', '/users/3', { password, currentPassword }],
  ['of another and of oneself', '/users?_all=true', { password, currentPassword }],
  ['that another does not have yet', '/users/4', { password, currentPassword }],
])('changes no password %s by the own one, though everybody may change all users', async (_, path, sent) => {
  const others = [
    { id: 3, email: 'eve@example.com', password: 'password-of-eve' },
    { id: 4, email: 'kim@example.com' },
  ]
  const data = { users: [{ ...BOB }, ...others] }
  const { ask, login, stored } = await members(
    { resources: { users: { access: { update: 'signed-in' } } } },
    data,
  )
  const { headers } = await login(BOB.email, BOB.password)
  const answer = await ask('PATCH', path, sent, headers)
  expect([answer.status, answer.body.errors]).toEqual([422, { currentPassword: 'is wrong' }])
  expect(stored()).toEqual(data)
})

it('tells nobody whether they know the password of a user whom they may not change', async () => {
  const { ask, login } = await members()
  const { headers } = await login(BOB.email, BOB.password)
  for (const current of ['password-of-ada', 'wrong']) {
    const { status, body } = await ask('PATCH', '/users/1', { password, currentPassword: current }, headers)
    expect([status, body.message]).toEqual([403, 'Only the owner can update users.'])
  }
})

it('lets a PUT leave the email out, and an email of the file be what it is', async () => {
  const data = { users: [{ ...ADA, email: 'ada' }] }
  const { ask, login } = await members({}, data)
  const { headers } = await login('ada')
  expect((await ask('PATCH', '/users/1', { name: 'Ada' }, headers)).status).toBe(200)
  expect((await ask('PUT', '/users/1', { ...ADA, password: undefined, email: 'ada' }, headers)).status).toBe(
    200,
  )
  const { status, body } = await ask('PUT', '/users/1', { username: 'ada' }, headers)
  expect([status, body]).toEqual([200, { username: 'ada', id: 1 }])
})

describe('/me obeys the rules of access to users', () => {
  it.each<[string, object | number, method: string, message: string]>([
    ['reading', { read: 'role:admin' }, 'GET', 'Only admins can read users.'],
    ['reading', { read: 'nobody' }, 'GET', 'Nobody can read users.'],
    ['reading', { read: 'role:admin' }, 'PATCH', 'Only admins can read users.'],
    ['changing', { update: 'role:admin' }, 'PATCH', 'Only admins can update users.'],
    ['changing', { update: 'nobody' }, 'PATCH', 'Nobody can update users.'],
    ['changing', 400, 'PATCH', 'Nobody can update users.'],
  ])('on %s: %j', async (_, access, method, message) => {
    const { ask, login, stored } = await members({ resources: { users: { access: access as never } } }, DATA)
    const { headers } = await login(BOB.email, BOB.password)
    const sent = method === 'GET' ? undefined : { name: 'Bob' }
    const { status, body } = await ask(method, '/me', sent, headers)
    expect([status, body.code, body.message]).toEqual([403, 'AUTH_FORBIDDEN', message])
    expect(stored()).toEqual(DATA)
  })

  it('where the owner of a user is another', async () => {
    const data = { users: [ADA, { ...BOB, bossId: 1 }] }
    const { ask, login } = await members(
      { resources: { users: { owner: 'bossId', access: { read: 'owner' } } } },
      data,
    )
    const { headers } = await login(BOB.email, BOB.password)
    expect((await ask('GET', '/me', undefined, headers)).status).toBe(403)
    expect((await ask('PATCH', '/me', { name: 'Bob' }, headers)).status).toBe(403)
  })
})

it('keeps a user who registers in a session out of the file, though it ends meanwhile', async () => {
  const { ask, server, stored } = await members()
  const before = stored()
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  onTestFinished(() => post.mockRestore())
  post.mockImplementationOnce(function (this: Worker, job: unknown) {
    void server.session('a').close()
    this.postMessage(job)
  })
  const answer = await ask('POST', '/register', { email: 'eve@example.com', password }, IN_A)
  expect(answer.status).toBe(201)
  expect(stored()).toEqual(before)
})
