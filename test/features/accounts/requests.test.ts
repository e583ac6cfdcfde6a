import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, type RunningServer } from '../../../src/index.ts'
import { listenTo } from '../../support/http/listen-to.ts'
import { ADA, BOB, MEMBERS, members } from '../../support/http/members.ts'

const NEW = { email: 'eve@example.com', password: 'password-of-eve' }
const IN_A = { 'X-Mock-Session': 'a' }

type Asking = Awaited<ReturnType<typeof members>>['ask']

describe('accounts in sessions', () => {
  it('are its own, from the first request on', async () => {
    const { ask, login, stored } = await members()
    const eve = await ask('POST', '/register', NEW, IN_A)
    expect(eve).toMatchObject({ status: 201, body: { user: { id: 3 } } })
    expect(eve.headers.get('x-mock-session')).toBe('a')
    const authorization = `Bearer ${eve.body.accessToken}`
    expect((await ask('GET', '/me', undefined, { ...IN_A, authorization })).body.email).toBe(NEW.email)
    expect((await ask('POST', '/login', NEW, IN_A)).status).toBe(200)
    expect((await ask('POST', '/login', NEW)).status).toBe(401)
    expect((await ask('POST', '/login', NEW, { 'X-Mock-Session': 'b' })).status).toBe(401)
    expect((await ask('POST', '/register', NEW)).body.user.id).toBe(3)
    expect((await ask('POST', '/register', NEW, IN_A)).status).toBe(409)
    expect(stored().users).toHaveLength(3)
    expect((await login()).accessToken).toEqual(expect.any(String))
  })

  it('keep their tokens to themselves: elsewhere they are 401', async () => {
    const { ask, login } = await members()
    const [base, inside] = [await login(), await login(undefined, undefined, IN_A)]
    const cases: [Record<string, string>, number][] = [
      [base.headers, 200],
      [inside.headers, 200],
      [{ ...base.headers, ...IN_A }, 401],
      [{ authorization: inside.headers.authorization }, 401],
      [{ ...inside.headers, 'X-Mock-Session': 'b' }, 401],
    ]
    for (const [headers, status] of cases) {
      expect((await ask('GET', '/me', undefined, headers)).status).toBe(status)
      expect((await ask('GET', '/posts', undefined, headers)).status).toBe(status)
    }
    const { refreshToken } = inside
    expect((await ask('POST', '/refresh', { refreshToken })).status).toBe(401)
    // That was no use of it.
    expect((await ask('POST', '/refresh', { refreshToken }, IN_A)).status).toBe(200)
  })

  it('go with it: a token of a user who was only there is worthless', async () => {
    const { ask, login } = await members()
    const { body } = await ask('POST', '/register', NEW, IN_A)
    const headers = { ...IN_A, authorization: `Bearer ${body.accessToken}` }
    expect((await ask('GET', '/me', undefined, headers)).status).toBe(200)
    expect((await ask('DELETE', '/__sessions/a', undefined, (await login()).headers)).status).toBe(200)
    expect((await ask('GET', '/me', undefined, headers)).status).toBe(401)
  })

  it('ends for whoever names it, also for `connect`, and for no other session', async () => {
    const { ask, login, server } = await members()
    const { headers: admin } = await login()
    for (const headers of [IN_A, { 'X-Mock-Session': 'b' }]) await ask('GET', '/posts', undefined, headers)
    expect((await ask('DELETE', '/__sessions/b', undefined, IN_A)).status).toBe(401)
    expect((await ask('DELETE', '/__sessions/a')).status).toBe(401)
    for (const path of ['/__sessions/b/', '/__sessions/%62', '/__sessions/a%2F', '/__sessions/a/x'])
      expect((await ask('DELETE', path, undefined, IN_A)).status).toBe(401)
    expect((await ask('POST', '/__sessions/a/reset', undefined, IN_A)).status).toBe(200)
    expect((await ask('POST', '/__sessions/a/reset/', undefined, IN_A)).status).toBe(200)
    for (const path of ['/__sessions/a/', '/__sessions/%61', '/__sessions/a']) {
      await ask('GET', '/posts', undefined, IN_A)
      expect((await ask('DELETE', path, undefined, IN_A)).status).toBe(200)
    }
    await connect(server.url).session('b').close()
    expect((await ask('GET', '/__sessions', undefined, admin)).body).toEqual([])
    await ask('GET', '/posts', undefined, IN_A)
    await connect(server.url, { token: String(admin.authorization).slice('Bearer '.length) })
      .session('a')
      .close()
    expect((await ask('GET', '/__sessions', undefined, admin)).body).toEqual([])
  })

  describe.each([[['accounts']], [['jwt']]])('with %j', (middlewares) => {
    it.each<[string, (server: RunningServer) => unknown]>([
      ['was closed', (server) => server.session('a').close()],
      ['was idle for long', () => vi.advanceTimersByTime(31 * 60_000)],
    ])('go with it, though the next has its name: it %s', async (_, end) => {
      vi.useFakeTimers({ toFake: ['performance'] })
      onTestFinished(() => void vi.useRealTimers())
      const { ask, login, server } = await members({ middlewares })
      const { headers, refreshToken } = await login(undefined, undefined, IN_A)
      expect((await ask('POST', '/posts', {}, headers)).status).toBe(201)
      await end(server)
      expect((await ask('POST', '/posts', {}, headers)).status).toBe(401)
      expect((await ask('GET', '/posts', undefined, IN_A)).body).toHaveLength(1)
      expect((await ask('POST', '/posts', {}, headers)).status).toBe(401)
      if (refreshToken) expect((await ask('POST', '/refresh', { refreshToken }, IN_A)).status).toBe(401)
      const again = await login(undefined, undefined, IN_A)
      expect((await ask('POST', '/posts', {}, again.headers)).status).toBe(201)
    })
  })

  it('refuse a name that cannot be one', async () => {
    const { ask, stored } = await members()
    const { status, body } = await ask('POST', '/register', NEW, { 'X-Mock-Session': 'no name' })
    expect([status, body.code]).toEqual([400, 'INVALID_SESSION'])
    expect(stored()).toEqual(MEMBERS)
  })
})

describe.each([[['rate-limit', 'accounts']], [['rate-limit', 'jwt']]])('logins behind %j', (middlewares) => {
  const sent = { email: BOB.email, password: 'wrong' }
  const paths = middlewares.includes('jwt')
    ? ['/login', '/auth/login', '/login/']
    : ['/login', '/signin', '/auth/login']

  it.each<[string, (attempt: number) => Record<string, string>]>([
    ['the same', () => ({})],
    ['another token', (attempt) => ({ authorization: `Bearer made-up-${attempt}` })],
    ['another scheme', (attempt) => ({ authorization: `token ${attempt}` })],
    ['another API key', (attempt) => ({ 'X-API-KEY': `key-${attempt}` })],
    ['another session', (attempt) => ({ 'X-Mock-Session': `s-${attempt}` })],
    ['another session in a cookie', (attempt) => ({ cookie: `mock_session=s-${attempt}` })],
  ])('count by address where each attempt claims %s', async (_, claims) => {
    const { ask, server } = await members({ middlewares, rateLimit: { limit: 3 } })
    const statuses: number[] = []
    for (const [attempt, path] of [...paths, ...paths].entries()) {
      statuses.push((await ask('POST', path, sent, claims(attempt))).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429])
    server.clock.advance('1m')
    expect((await ask('POST', '/login', sent, claims(9))).status).toBe(401)
  })

  it('count by the clock of the server: in a session, nobody turns it on for themselves', async () => {
    const { ask } = await members({ middlewares, rateLimit: { limit: 1 } })
    expect((await ask('POST', '/login', sent, IN_A)).status).toBe(401)
    await ask('POST', '/__clock/advance', { by: '1h' }, IN_A)
    expect((await ask('POST', '/login', sent, IN_A)).status).toBe(429)
  })
})

describe('time', () => {
  it('is that of the clock', async () => {
    const { ask, login, server } = await members()
    const { headers, refreshToken } = await login()
    server.clock.advance('14m')
    expect((await ask('GET', '/posts', undefined, headers)).status).toBe(200)
    server.clock.advance('1m')
    const { status, body } = await ask('GET', '/posts', undefined, headers)
    expect([status, body]).toEqual([
      401,
      expect.objectContaining({ message: expect.stringMatching(/expired/) }),
    ])
    // A token that is good by either clock can turn it.
    expect((await ask('GET', '/__clock', undefined, headers)).status).toBe(200)
    server.clock.advance('6d')
    const next = await ask('POST', '/refresh', { refreshToken })
    expect(next.status).toBe(200)
    server.clock.advance('8d')
    expect((await ask('POST', '/refresh', { refreshToken: next.body.refreshToken })).status).toBe(401)
  })

  it.each<[string, Record<string, string>, (ask: Asking, server: RunningServer) => unknown]>([
    ['is turned on', {}, (_, { clock }) => clock.advance('15m')],
    ['of its session is turned on', IN_A, (ask) => ask('POST', '/__clock/advance', { by: '15m' }, IN_A)],
    ['is set, and stands still', {}, (_, { clock }) => clock.set({ now: '2127-01-01', frozen: true })],
  ])('ends a stream with its token, when the clock %s', async (_, session, turn) => {
    const { ask, login, server } = await members()
    const { headers } = await login(undefined, undefined, session)
    const heard = await listenTo(server.url, { headers })
    await ask('POST', '/posts', {}, headers)
    await heard()
    await turn(ask, server)
    await expect(heard()).rejects.toThrow('The stream ended.')
  })

  it('ends a stream with its token where nobody turns the clock', async () => {
    const { login, server } = await members({ accounts: { accessFor: 1 } })
    // A busy machine may take longer than a second to use the token: then it takes another.
    const heard = await vi.waitFor(
      async () => listenTo(server.url, { headers: (await login()).headers }),
      30_000,
    )
    await expect(heard()).rejects.toThrow('The stream ended.')
  })

  it('does not make two tokens the same that are made at the same', async () => {
    const { ask, login, server } = await members()
    server.clock.freeze()
    const first = await login()
    const second = (await ask('POST', '/refresh', { refreshToken: first.refreshToken })).body
    const third = (await ask('POST', '/refresh', { refreshToken: second.refreshToken })).body
    const tokens = [first, second, third].flatMap((one) => [one.accessToken, one.refreshToken])
    expect(new Set(tokens).size).toBe(6)
  })

  it('is as configured', async () => {
    const { ask, login, server } = await members({ accounts: { accessFor: 60, refreshFor: '2m' } })
    const { headers, refreshToken, expiresIn } = await login()
    expect(expiresIn).toBe(60)
    server.clock.advance('61s')
    expect((await ask('GET', '/me', undefined, headers)).status).toBe(401)
    server.clock.advance('1m')
    expect((await ask('POST', '/refresh', { refreshToken })).status).toBe(401)
  })
})

describe('cookies', () => {
  const settings = { accounts: { cookies: true } }

  /** What a browser would send back. */
  function jarOf(headers: Headers): { cookie: string } {
    const pairs = headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
    return { cookie: pairs.filter((pair) => !pair.endsWith('=')).join('; ') }
  }

  it('are set and read, HttpOnly, Lax, for the whole server, until the browser closes', async () => {
    const { ask } = await members(settings)
    const login = await ask('POST', '/login', { email: ADA.email, password: 'password-of-ada' })
    const attributes = '; Path=/; HttpOnly; SameSite=Lax'
    expect(login.headers.getSetCookie()).toEqual([
      `access_token=${login.body.accessToken}${attributes}`,
      `refresh_token=${login.body.refreshToken}${attributes}`,
    ])
    const jar = jarOf(login.headers)
    expect((await ask('GET', '/me', undefined, jar)).status).toBe(200)
    const refreshed = await ask('POST', '/refresh', undefined, jar)
    expect(refreshed.status).toBe(200)
    const next = jarOf(refreshed.headers)
    expect((await ask('GET', '/me', undefined, next)).status).toBe(200)
    const out = await ask('POST', '/logout', undefined, next)
    expect(out.status).toBe(200)
    expect(out.headers.getSetCookie()).toHaveLength(2)
    expect(jarOf(out.headers)).toEqual({ cookie: '' })
    expect((await ask('GET', '/me', undefined, next)).status).toBe(401)
  })

  it('mean nothing where they are off', async () => {
    const { ask, login } = await members()
    const { accessToken, refreshToken } = await login()
    const cookie = `access_token=${accessToken}; refresh_token=${refreshToken}`
    expect((await ask('GET', '/me', undefined, { cookie })).status).toBe(401)
    expect((await ask('POST', '/refresh', undefined, { cookie })).status).toBe(401)
    const { headers } = await ask('POST', '/login', { email: ADA.email, password: 'password-of-ada' })
    expect(headers.getSetCookie()).toEqual([])
  })

  it('give way to a header', async () => {
    const { ask, login } = await members(settings)
    const [ada, bob] = [await login(), await login(BOB.email, BOB.password)]
    const headers = { ...bob.headers, cookie: `access_token=${ada.accessToken}` }
    expect((await ask('GET', '/me', undefined, headers)).body.id).toBe(2)
  })

  it('that have expired stay, for a refresh; those of a login that is over are removed', async () => {
    const { ask, login, server } = await members(settings)
    const { accessToken, refreshToken } = await login()
    const cookie = `access_token=${accessToken}; refresh_token=${refreshToken}`
    server.clock.advance('1h')
    const expired = await ask('GET', '/posts', undefined, { cookie })
    expect([expired.status, expired.headers.getSetCookie()]).toEqual([401, []])
    server.clock.reset()
    await ask('POST', '/logout', { refreshToken })
    const over = await ask('GET', '/posts', undefined, { cookie })
    expect([over.status, jarOf(over.headers), over.headers.getSetCookie().length]).toEqual([
      401,
      { cookie: '' },
      2,
    ])
    const refused = await ask('POST', '/refresh', undefined, { cookie })
    expect([refused.status, refused.headers.getSetCookie().length]).toEqual([401, 2])
  })

  it.each<[string, string | undefined, number]>([
    ['no page', undefined, 200],
    ['a page on this machine', 'http://localhost:5173', 200],
    ['a trusted page', 'https://app.example.com', 200],
    ['a foreign page', 'https://evil.example', 403],
    ['a page that hides where it is from', 'null', 403],
  ])('are taken from %s, and only from such', async (_, origin, status) => {
    const { ask, login } = await members({ ...settings, trustedOrigins: ['https://app.example.com'] })
    const { accessToken, refreshToken } = await login()
    const cookie = `access_token=${accessToken}; refresh_token=${refreshToken}`
    const headers = { cookie, ...(origin !== undefined && { origin }) }
    const body = { email: ADA.email, password: 'password-of-ada' }
    const answers = [
      await ask('GET', '/posts', undefined, headers),
      await ask('PATCH', '/posts/1', { title: 'mine' }, headers),
      await ask('POST', '/login', body, headers),
      await ask('POST', '/refresh', undefined, headers),
      await ask('POST', '/logout', undefined, headers),
    ]
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(status))
    if (status === 403) expect(answers[0]?.body.code).toBe('FOREIGN_ORIGIN')
    else expect(answers[0]?.headers.get('access-control-allow-credentials')).toBe('true')
  })

  it('are secure over HTTPS', async () => {
    const { server } = await members({ ...settings, https: true })
    const { Agent, request } = await import('node:https')
    const lines = await new Promise<string[]>((resolve, reject) => {
      const agent = new Agent({ rejectUnauthorized: false })
      const headers = { 'content-type': 'application/json' }
      const sent = request(`${server.url}/login`, { method: 'POST', agent, headers }, (response) => {
        response.resume()
        resolve(response.headers['set-cookie'] ?? [])
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ email: ADA.email, password: 'password-of-ada' }))
    })
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
  })
})

describe('X-Mock-User', () => {
  const settings = { accounts: { persona: true } }

  it.each<[string, number, unknown]>([
    ['bob@example.com', 200, 2],
    ['BOB@example.com', 200, 2],
    ['ada', 200, 1],
    ['nobody', 401, undefined],
  ])('acts as %s', async (user, status, id) => {
    const { ask, lines } = await members(settings)
    const answer = await ask('GET', '/me', undefined, { 'X-Mock-User': user })
    expect([answer.status, answer.body.id]).toEqual([status, id])
    expect(lines.filter((line) => line.includes('X-Mock-User'))).toHaveLength(1)
  })

  it('beats a token, in its session, and changes no password without the current one', async () => {
    const { ask, login } = await members(settings)
    const { headers } = await login()
    const acting = { ...headers, 'X-Mock-User': BOB.email }
    expect((await ask('GET', '/me', undefined, acting)).body.id).toBe(2)
    await ask('POST', '/register', NEW, IN_A)
    expect((await ask('GET', '/me', undefined, { 'X-Mock-User': NEW.email, ...IN_A })).body.id).toBe(3)
    expect((await ask('GET', '/me', undefined, { 'X-Mock-User': NEW.email })).status).toBe(401)
    const changed = await ask('PATCH', '/me', { password: 'another one' }, acting)
    expect(changed.body.errors).toEqual({ currentPassword: 'is required to change the password' })
  })

  it('means nothing where it is off', async () => {
    const { ask, lines } = await members()
    expect((await ask('GET', '/me', undefined, { 'X-Mock-User': BOB.email })).status).toBe(401)
    expect((await ask('GET', '/posts', undefined, { 'X-Mock-User': 'nobody' })).status).toBe(200)
    expect(lines.join()).not.toContain('X-Mock-User')
  })

  it('is not for pages of the web', async () => {
    const { ask, stored } = await members(settings)
    const headers = { 'X-Mock-User': ADA.email, origin: 'https://evil.example' }
    for (const [method, path] of [
      ['GET', '/posts'],
      ['GET', '/me'],
      ['DELETE', '/posts/1'],
    ] as const) {
      const { status, body } = await ask(method, path, undefined, headers)
      expect([status, body.code]).toEqual([403, 'FOREIGN_ORIGIN'])
    }
    expect(stored()).toEqual(MEMBERS)
  })
})
