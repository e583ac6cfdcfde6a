import { describe, expect, it } from 'vitest'
import { jobsOfThreads } from '../../support/http/jobs.ts'
import { ADA, BOB, MEMBERS, members } from '../../support/http/members.ts'

const NEW = { email: 'Eve@example.com', password: 'password-of-eve' }
const TOKENS = {
  accessToken: expect.any(String),
  token: expect.any(String),
  refreshToken: expect.any(String),
  expiresIn: 900,
}

describe('POST /register', () => {
  it.each(['/register', '/signup', '/auth/register', '/register/'])('signs up at %s', async (path) => {
    const { ask, stored } = await members()
    const sent = { name: 'Eve', ...NEW, role: 'admin', id: 77, userId: 5 }
    const { status, body } = await ask('POST', path, sent)
    const user = { name: 'Eve', email: NEW.email, role: 'user', id: 3 }
    expect({ status, body }).toEqual({ status: 201, body: { ...TOKENS, user } })
    expect(body.token).toBe(body.accessToken)
    const [, , row] = stored().users
    expect(row).toEqual({ ...user, password: expect.stringMatching(/^\$2b\$10\$/) })
    expect(Object.keys(row)).toEqual(['name', 'email', 'password', 'role', 'id'])
    const login = await ask('POST', '/login', NEW)
    expect(login).toMatchObject({ status: 200, body: { ...TOKENS, user } })
  })

  it.each([
    [{}, { email: 'is required', password: 'is required' }],
    [
      { email: '', password: '1234567' },
      { email: 'is required', password: 'must have at least 8 characters' },
    ],
    [
      { email: 'eve', password: 12345678 },
      { email: 'must be an email address', password: 'must be a string' },
    ],
    [
      { email: ['a@b'], password: null },
      { email: 'must be a string', password: 'must be a string' },
    ],
    [{ ...NEW, password: 'é'.repeat(37) }, { password: 'must have at most 72 bytes' }],
  ])('refuses %j with what is wrong with it', async (sent, errors) => {
    const { ask, stored } = await members()
    const { status, body } = await ask('POST', '/register', sent)
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED', errors } })
    expect(Object.keys(body.errors)).toEqual(Object.keys(errors))
    expect(stored()).toEqual(MEMBERS)
  })

  it.each([
    ['an email, whatever its case', { ...NEW, email: 'ADA@Example.COM' }, 'email'],
    ['a username, whatever its case', { ...NEW, username: 'Ada' }, 'username'],
  ])('refuses %s that is taken', async (_, sent, field) => {
    const { ask, stored } = await members()
    const { status, body } = await ask('POST', '/register', sent)
    const errors = { [field]: 'is already taken' }
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'NOT_UNIQUE', errors } })
    expect(stored()).toEqual(MEMBERS)
  })

  it.each<[string, RequestInit, number, string]>([
    [
      'broken JSON',
      { body: '{"email": "a", "password": secret', headers: { 'content-type': 'application/json' } },
      400,
      'MALFORMED_JSON',
    ],
    ['a list', { body: '[]', headers: { 'content-type': 'application/json' } }, 400, 'INVALID_BODY'],
    [
      'too much',
      {
        body: JSON.stringify({ a: 'x'.repeat(1024 * 1024) }),
        headers: { 'content-type': 'application/json' },
      },
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'too deep',
      { body: `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, headers: { 'content-type': 'application/json' } },
      400,
      'INVALID_BODY',
    ],
  ])('refuses %s', async (_, init, status, code) => {
    const { server } = await members()
    const response = await fetch(`${server.url}/register`, { method: 'POST', ...init })
    const text = await response.text()
    expect([response.status, JSON.parse(text).code]).toEqual([status, code])
    expect(text).not.toContain('secret')
  })

  it('takes forms', async () => {
    const { server } = await members()
    const response = await fetch(`${server.url}/register`, { method: 'POST', body: new URLSearchParams(NEW) })
    expect(response.status).toBe(201)
  })

  it('lets one of 400 who want the same email have it', { timeout: 60_000 }, async () => {
    const { ask, stored } = await members()
    const emails = Array.from({ length: 400 }, (_, at) => (at % 2 ? 'eve@example.com' : 'EVE@example.com'))
    const answers = await Promise.all(emails.map((email) => ask('POST', '/register', { ...NEW, email })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(399).fill(409)])
    expect(stored().users).toHaveLength(3)
  })

  it('makes the collection for the first user, as configured', async () => {
    const { ask, stored } = await members({ accounts: { collection: 'people', roles: ['guest', 'owner'] } })
    expect((await ask('GET', '/people')).status).toBe(404)
    const answers = await Promise.all([
      ask('POST', '/register', NEW),
      ask('POST', '/register', { ...NEW, email: 'x@y' }),
    ])
    expect(answers.map(({ status, body }) => [status, body.user.role])).toEqual([
      [201, 'guest'],
      [201, 'guest'],
    ])
    expect(stored().people).toHaveLength(2)
    expect(stored().users).toEqual(MEMBERS.users)
  })
})

describe('POST /login', () => {
  it.each<[string, object, unknown]>([
    ['/login', { email: ADA.email, password: 'password-of-ada' }, 1],
    ['/signin', { email: 'ADA@example.com', password: 'password-of-ada' }, 1],
    ['/auth/login', { username: 'ada', password: 'password-of-ada' }, 1],
    ['/login', { username: 'ada@example.com', password: 'password-of-ada' }, 1],
    ['/login', { email: BOB.email, password: BOB.password }, 2],
  ])('at %s lets in with %j', async (path, sent, id) => {
    const { ask, stored } = await members()
    const { status, body } = await ask('POST', path, sent)
    const { password: _, ...user } = id === 1 ? ADA : BOB
    expect({ status, body }).toEqual({ status: 200, body: { ...TOKENS, user } })
    // A plain password is not rewritten.
    expect(stored()).toEqual(MEMBERS)
  })

  it.each<[object, number, string]>([
    [{ email: ADA.email, password: 'wrong' }, 401, 'AUTH_REQUIRED'],
    [{ email: ADA.email, password: ADA.password }, 401, 'AUTH_REQUIRED'],
    [{ email: 'nobody@example.com', password: 'password-of-ada' }, 401, 'AUTH_REQUIRED'],
    [{ email: 'ada', password: 'password-of-ada' }, 401, 'AUTH_REQUIRED'],
    [{ email: ADA.email }, 400, 'INVALID_BODY'],
    [{ email: ADA.email, password: '' }, 400, 'INVALID_BODY'],
    [{}, 400, 'INVALID_BODY'],
  ])('refuses %j', async (sent, status, code) => {
    const { ask } = await members()
    const answer = await ask('POST', '/login', sent)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  })

  it.each([
    ['email', 'ada'],
    ['username', 'ada@example.com'],
  ])('knows a user by their name, though the %s of another is %s', async (field, name) => {
    const { ask } = await members({}, { users: [{ ...BOB, [field]: name }, ADA] })
    const { body } = await ask('POST', '/login', { username: name, password: 'password-of-ada' })
    expect(body.user).toMatchObject({ id: ADA.id })
  })

  it('lets nobody in who has no password', async () => {
    const { ask } = await members(
      {},
      {
        users: [
          { id: 1, email: 'a@b' },
          { id: 2, email: 'b@c', password: null },
        ],
      },
    )
    for (const email of ['a@b', 'b@c']) {
      for (const password of ['undefined', 'null', ' ']) {
        expect((await ask('POST', '/login', { email, password })).status).toBe(401)
      }
    }
  })

  it.each(['nobody@example.com', ADA.email, BOB.email, 'broken@example.com'])(
    'takes the time of a hash for %s, also where the first user has a broken one',
    async (email) => {
      const broken = { id: 3, email: 'broken@example.com', password: '$2b$99$broken' }
      const jobs = jobsOfThreads()
      for (const users of [
        [broken, ADA, BOB],
        [ADA, BOB, broken],
      ]) {
        const { ask } = await members({}, { users })
        const before = jobs().length
        const sent = { email, password: email === ADA.email ? 'wrong' : 'password-of-ada' }
        // The hash of another user takes the time, and lets nobody in.
        expect((await ask('POST', '/login', sent)).status).toBe(401)
        expect(jobs().slice(before)).toMatchObject([{ password: sent.password }])
      }
    },
  )
})

describe('tokens', () => {
  it.each(['Bearer ', 'bearer ', 'token ', 'Token ', ''])(
    'are taken as Authorization: %stoken',
    async (scheme) => {
      const { ask, login } = await members()
      const { accessToken } = await login()
      const me = await ask('GET', '/me', undefined, { authorization: scheme + accessToken })
      const { password: _, ...user } = ADA
      expect(me).toMatchObject({ status: 200, body: user })
    },
  )

  it.each([
    ['made up', () => 'Bearer abc'],
    ['null, as careless clients send it', () => 'Bearer null'],
    ['of another kind', ({ refreshToken }: Record<string, string>) => `Bearer ${refreshToken}`],
    ['changed', ({ accessToken }: Record<string, string>) => `Bearer ${accessToken?.slice(0, -3)}abc`],
  ])('that are %s are refused, in reads too', async (_, header) => {
    const { ask, login } = await members()
    const authorization = header(await login())
    for (const [method, path] of [
      ['GET', '/posts'],
      ['POST', '/posts'],
      ['GET', '/me'],
    ] as const) {
      const { status, body } = await ask(method, path, method === 'POST' ? {} : undefined, { authorization })
      expect([status, body.code]).toEqual([401, 'AUTH_REQUIRED'])
    }
  })

  it('of another scheme are none', async () => {
    const { ask } = await members()
    const headers = { authorization: 'Basic YTpi' }
    expect((await ask('GET', '/posts', undefined, headers)).status).toBe(200)
    expect((await ask('GET', '/me', undefined, headers)).status).toBe(401)
  })

  it('tell handlers of the user who it is', async () => {
    const seen: unknown[] = []
    const { ask, login } = await members({
      middlewares: [
        'accounts',
        (req, _res, next) => void next(seen.push(Reflect.get(req, 'user')) && undefined),
      ],
    })
    const { headers } = await login()
    await ask('GET', '/posts', undefined, headers)
    await ask('GET', '/posts')
    expect(seen).toEqual([{ id: 1, email: ADA.email, role: 'admin' }, undefined])
  })

  it('end when the user is gone, or has another password, and are none on other data with the same secret', async () => {
    const secret = 'a secret that is long enough'
    const { ask, login } = await members({ accounts: { secret } })
    const other = await members({ accounts: { secret } })
    const { headers } = await login()
    expect((await other.ask('GET', '/me', undefined, headers)).status).toBe(401)
    await ask('PATCH', '/users/1', { password: 'another password' }, headers)
    expect((await ask('GET', '/me', undefined, headers)).status).toBe(401)
    const bob = await login(BOB.email, BOB.password)
    await ask('DELETE', '/users/2', undefined, bob.headers)
    expect((await ask('GET', '/me', undefined, bob.headers)).status).toBe(401)
  })

  it('are not those of the next user with the same id', async () => {
    const { ask, login } = await members()
    const bob = await login(BOB.email, BOB.password)
    await ask('DELETE', '/users/2', undefined, bob.headers)
    await ask('POST', '/register', NEW)
    expect((await ask('GET', '/users/2', undefined, (await login()).headers)).body.email).toBe(NEW.email)
    expect((await ask('GET', '/me', undefined, bob.headers)).status).toBe(401)
  })
})

describe('POST /refresh', () => {
  it.each(['/refresh', '/auth/refresh', '/refresh-token'])(
    'at %s gives new tokens for a spent one',
    async (path) => {
      const { ask, login } = await members()
      const first = await login()
      const second = await ask('POST', path, { refreshToken: first.refreshToken })
      const { password: _, ...user } = ADA
      expect(second).toMatchObject({ status: 200, body: { ...TOKENS, user } })
      const authorization = `Bearer ${second.body.accessToken}`
      expect((await ask('GET', '/me', undefined, { authorization })).status).toBe(200)
      expect((await ask('GET', '/me', undefined, first.headers)).status).toBe(200)
      // Used again, it ends everything.
      expect((await ask('POST', path, { refreshToken: first.refreshToken })).status).toBe(401)
      expect((await ask('POST', path, { refreshToken: second.body.refreshToken })).status).toBe(401)
      expect((await ask('GET', '/me', undefined, { authorization })).status).toBe(401)
      expect((await ask('GET', '/me', undefined, first.headers)).status).toBe(401)
    },
  )

  it('of one login does not end another', async () => {
    const { ask, login } = await members()
    const [one, other] = [await login(), await login()]
    for (let times = 0; times < 2; times++) await ask('POST', '/refresh', { refreshToken: one.refreshToken })
    expect((await ask('POST', '/refresh', { refreshToken: other.refreshToken })).status).toBe(200)
  })

  it('gives two that come together with the same token to one of them at most', async () => {
    const { ask, login } = await members()
    const { refreshToken } = await login()
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/refresh', { refreshToken })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  it.each([
    ['nothing', () => ({})],
    ['an access token', ({ accessToken }: Record<string, string>) => ({ refreshToken: accessToken })],
    ['something made up', () => ({ refreshToken: 'abc' })],
    ['no string', () => ({ refreshToken: 7 })],
  ])('refuses %s', async (_, sent) => {
    const { ask, login } = await members()
    const { status, body } = await ask('POST', '/refresh', sent(await login()))
    expect([status, body.code]).toEqual([401, 'AUTH_REQUIRED'])
  })
})

describe('POST /logout', () => {
  it.each<[string, (login: Record<string, string>) => [object | undefined, Record<string, string>]]>([
    ['an access token', ({ accessToken }) => [undefined, { authorization: `Bearer ${accessToken}` }]],
    ['a refresh token', ({ refreshToken }) => [{ refreshToken }, {}]],
  ])('ends the login by %s, and no other', async (_, sent) => {
    const { ask, login } = await members()
    const [one, other] = [await login(), await login()]
    const [body, headers] = sent(one)
    expect(await ask('POST', '/logout', body, headers)).toMatchObject({ status: 200, body: {} })
    expect((await ask('GET', '/me', undefined, one.headers)).status).toBe(401)
    expect((await ask('POST', '/refresh', { refreshToken: one.refreshToken })).status).toBe(401)
    expect((await ask('GET', '/me', undefined, other.headers)).status).toBe(200)
  })

  it('is fine for nobody, and after the token has expired', async () => {
    const { ask, login, server } = await members()
    expect(await ask('POST', '/logout')).toMatchObject({ status: 200, body: {} })
    const one = await login()
    server.clock.advance('1h')
    expect((await ask('POST', '/logout', undefined, one.headers)).status).toBe(200)
    expect((await ask('POST', '/refresh', { refreshToken: one.refreshToken })).status).toBe(401)
  })
})

describe('/me', () => {
  it.each(['/me', '/auth/me'])('is the user at %s', async (path) => {
    const { server, ask, login, stored } = await members()
    expect((await ask('GET', path)).status).toBe(401)
    const { headers } = await login(BOB.email, BOB.password)
    const { password: _, ...user } = BOB
    expect(await ask('GET', path, undefined, headers)).toMatchObject({ status: 200, body: user })
    expect((await fetch(server.url + path, { method: 'HEAD', headers })).status).toBe(200)
    const changed = await ask('PATCH', path, { name: 'Bob', id: 9, role: 'user' }, headers)
    expect(changed).toMatchObject({ status: 200, body: { ...user, name: 'Bob' } })
    expect(stored().users[1]).toEqual({ ...BOB, name: 'Bob' })
  })

  it.each([['/me'], ['/posts'], ['/stats']])('is told to caches to depend on who asks: %s', async (path) => {
    const { ask, login } = await members()
    const { headers } = await login()
    for (const sent of [headers, { authorization: 'Bearer wrong' }]) {
      const answer = await ask('GET', path, undefined, sent)
      expect(answer.headers.get('vary')).toMatch(/\bAuthorization, Cookie, X-Mock-User\b/)
    }
  })

  it('changes the password with the current one, and ends all other logins', async () => {
    const { ask, login, stored } = await members()
    const [here, there] = [await login(), await login()]
    const sent = { password: 'the next password', currentPassword: 'password-of-ada' }
    const { status, body } = await ask('PATCH', '/me', sent, here.headers)
    expect([status, Object.keys(body)]).toEqual([200, ['id', 'email', 'username', 'role']])
    expect(stored().users[0]).toEqual({ ...ADA, password: expect.stringMatching(/^\$2b\$10\$/) })
    expect((await ask('GET', '/me', undefined, here.headers)).status).toBe(200)
    expect((await ask('POST', '/refresh', { refreshToken: here.refreshToken })).status).toBe(200)
    expect((await ask('GET', '/me', undefined, there.headers)).status).toBe(401)
    expect((await login(ADA.email, 'the next password')).accessToken).toEqual(expect.any(String))
    expect((await login()).accessToken).toBeUndefined()
  })

  it.each<[object, number, object]>([
    [{ password: 'the next password' }, 422, { currentPassword: 'is required to change the password' }],
    [{ password: 'the next password', currentPassword: 'x' }, 422, { currentPassword: 'is wrong' }],
    [
      { password: 'short', currentPassword: 'password-of-bob' },
      422,
      { password: 'must have at least 8 characters' },
    ],
    [{ password: null, currentPassword: 'password-of-bob' }, 422, { password: 'must be a string' }],
    [{ email: 'ADA@example.com' }, 409, { email: 'is already taken' }],
    [{ email: null }, 422, { email: 'must be a string' }],
    [{ role: 'king' }, 422, { role: 'must be one of user, admin' }],
    [{ role: ['user'] }, 422, { role: 'must be one of user, admin' }],
  ])('refuses %j', async (sent, status, errors) => {
    const { ask, login, stored } = await members()
    const { headers } = await login(BOB.email, BOB.password)
    const answer = await ask('PATCH', '/me', sent, headers)
    expect([answer.status, answer.body.errors]).toEqual([status, errors])
    expect(stored()).toEqual(MEMBERS)
  })

  it('lets only an admin change a role', async () => {
    const { ask, login, stored } = await members()
    const bob = await login(BOB.email, BOB.password)
    const { status, body } = await ask('PATCH', '/me', { role: 'admin' }, bob.headers)
    expect([status, body.code]).toEqual([403, 'AUTH_FORBIDDEN'])
    expect(stored()).toEqual(MEMBERS)
    const { headers } = await login()
    expect((await ask('PATCH', '/me', { role: 'user' }, headers)).body.role).toBe('user')
    expect((await ask('PATCH', '/me', { role: 'admin' }, headers)).status).toBe(403)
  })
})

it('keeps whose row a user is, whatever PATCH /me says', async () => {
  const resources = { users: { owner: 'bossId', access: { update: 'signed-in' } } }
  const data = { ...MEMBERS, users: [ADA, { ...BOB, bossId: 1 }] }
  const { ask, login, stored } = await members({ resources }, data)
  const { headers } = await login(BOB.email, BOB.password)
  const { status, body } = await ask('PATCH', '/me', { bossId: 2, id: 7, name: 'Bob' }, headers)
  expect({ status, body }).toMatchObject({ status: 200, body: { id: 2, bossId: 1, name: 'Bob' } })
  expect(stored().users[1]).toEqual({ ...BOB, bossId: 1, name: 'Bob' })
})

it('leaves its paths to the data for methods that it does not have', async () => {
  const { ask } = await members()
  expect((await ask('GET', '/login')).status).toBe(404)
})
