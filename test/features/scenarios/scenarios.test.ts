import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, type StartOptions, start } from '../../../src/index.ts'
import { fileOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { ADA, BOB, members } from '../../support/http/members.ts'

const POSTS = [
  { id: 1, title: 'one' },
  { id: 2, title: 'two' },
]
const DATA = { posts: POSTS, tags: [{ id: 1 }] }
const DAY = 86_400_000

const BROKEN = { rules: [{ match: { path: '/tags' }, status: 503 }] }
const scenarios = () => ({
  empty: { data: fileOf({ posts: [] }) },
  one: { data: fileOf({ posts: [{ id: 7 }] }) },
  tagless: { data: fileOf({ tags: [] }) },
  late: { clock: '+30d' },
  later: { clock: '+60d' },
  'new-year': { clock: '2027-01-01T00:00:00Z' },
  broken: { faults: BROKEN },
  busy: { faults: { seed: 1, rules: [{ match: { path: '/*' }, status: 429 }] } },
})

/** A server with scenarios, until the test ends. What it prints is in `lines`. */
async function open(settings: StartOptions = {}) {
  const lines: string[] = []
  const common = {
    data: structuredClone(DATA),
    scenarios: scenarios(),
    print: (line: string) => lines.push(line),
  }
  const server = await start({ port: 0, ...common, ...settings })
  onTestFinished(() => server.close())
  const send = asking(server.url)
  const ask = async (path: string, scenario?: string, session?: string, method = 'GET', sent?: unknown) => {
    const headers = {
      ...(scenario !== undefined && { 'X-Mock-Scenario': scenario }),
      ...(session !== undefined && { 'X-Mock-Session': session }),
    }
    const { status, body, headers: came } = await send(method, path, sent, headers)
    const { code } = Object(body)
    return { status, body, code, session: came.get('x-mock-session') }
  }
  const daysAhead = async (scenario?: string, session?: string) => {
    const { body } = await ask('/__clock', scenario, session)
    return Math.round((Date.parse(body.now) - Date.now()) / DAY) + 0
  }
  return { server, lines, ask, daysAhead }
}

describe('a session with a scenario', () => {
  it('begins with its data, per resource that it names, and the base and other sessions do not', async () => {
    const { ask } = await open()
    const [empty, plain, base] = await Promise.all([
      ask('/posts', 'empty', 'a'),
      ask('/posts', undefined, 'b'),
      ask('/posts'),
    ])
    expect([empty.body, plain.body, base.body]).toEqual([[], POSTS, POSTS])
    expect((await ask('/tags', 'empty', 'a')).body).toEqual(DATA.tags)
    expect((await ask('/posts', 'empty', 'a', 'POST', { title: 'x' })).body).toEqual({ id: 1, title: 'x' })
    // Once it is there, the header is not needed.
    expect((await ask('/posts', undefined, 'a')).body).toHaveLength(1)
    expect((await ask('/posts', 'empty', 'c')).body).toEqual([])
  })

  it('begins with its clock: turned, or set', async () => {
    const { server, daysAhead, ask } = await open()
    expect([await daysAhead('late', 'a'), await daysAhead()]).toEqual([30, 0])
    expect((await ask('/__clock', 'new-year', 'b')).body.now).toMatch(/^2027-01-01T00:00:0/)
    server.clock.advance('10d')
    expect([await daysAhead('late', 'c'), await daysAhead('late', 'a')]).toEqual([40, 30])
  })

  it('begins with its fault rules, in place of those of the base', async () => {
    const { ask } = await open({ faults: { rules: [{ match: { path: '/posts' }, status: 418 }] } })
    const statuses = (scenario?: string, session?: string) =>
      Promise.all(['/tags', '/posts'].map(async (path) => (await ask(path, scenario, session)).status))
    expect(await statuses('broken', 'a')).toEqual([503, 200])
    expect(await statuses('late', 'b')).toEqual([200, 418])
    expect(await statuses()).toEqual([200, 418])
    // What it begins with is its config.
    await ask('/__faults', undefined, 'a', 'PUT', { rules: [] })
    expect(await statuses(undefined, 'a')).toEqual([200, 200])
    expect((await ask('/__faults', undefined, 'a', 'DELETE')).body).toMatchObject(BROKEN)
    expect(await statuses(undefined, 'a')).toEqual([503, 200])
  })

  it('is one for all who send the header alone', async () => {
    const { ask } = await open()
    expect((await ask('/posts', 'empty', undefined, 'POST', {})).session).toBe('scenario-empty')
    const again = await ask('/posts', 'empty')
    expect([again.body, again.session]).toEqual([[{ id: 1 }], 'scenario-empty'])
    expect((await ask('/posts', undefined, 'scenario-empty')).body).toEqual([{ id: 1 }])
    expect((await ask('/posts', 'empty , late')).session).toBe('scenario-empty.late')
    expect((await ask('/__sessions')).body).toHaveLength(2)
    const tooLong = await open({
      scenarios: Object.fromEntries(['a', 'b', 'c'].map((name) => [name.repeat(24), {}])),
    })
    const all = ['a', 'b', 'c'].map((name) => name.repeat(24)).join(',')
    expect(await tooLong.ask('/posts', all)).toMatchObject({ status: 400, code: 'INVALID_SESSION' })
    expect(await tooLong.ask('/posts', all, 'short')).toMatchObject({ status: 200 })
  })

  it('takes several: rules add up in their order, and of the rest the last counts', async () => {
    const { ask, daysAhead } = await open()
    expect(await daysAhead('late,later')).toBe(60)
    expect(await daysAhead('later,late')).toBe(30)
    expect((await ask('/posts', 'empty,one')).body).toEqual([{ id: 7 }])
    expect((await ask('/posts', 'one,tagless')).body).toEqual([{ id: 7 }])
    expect((await ask('/tags', 'one,tagless')).body).toEqual([])
    const rules = async (names: string) =>
      (await ask('/__faults', names)).body.rules.map(({ status }: { status: number }) => status)
    expect([await rules('broken,busy'), await rules('busy,late,broken')]).toEqual([
      [503, 429],
      [429, 503],
    ])
    expect((await ask('/tags', 'broken,busy')).status).toBe(503)
  })

  it('refuses requests for another one', async () => {
    const { ask } = await open()
    await ask('/posts', 'empty', 'a')
    await ask('/posts', undefined, 'b')
    const others = [
      await ask('/posts', 'late', 'a'),
      await ask('/posts', 'empty,late', 'a'),
      await ask('/posts', 'empty', 'b', 'DELETE'),
      await ask('/posts', 'late', 'scenario-empty'),
      await ask('/posts', 'empty'),
    ]
    expect(others.map(({ status, code }) => [status, code])).toEqual([
      [409, 'OTHER_SCENARIO'],
      [409, 'OTHER_SCENARIO'],
      [409, 'OTHER_SCENARIO'],
      [200, undefined],
      [409, 'OTHER_SCENARIO'],
    ])
    expect(others[0]?.body.message).toBe(
      'Session a began as empty, not as late. End it first, or name another session.',
    )
    // A session that was never entered began in no way.
    await ask('/__sessions/c', undefined, 'c', 'DELETE')
    expect((await ask('/posts', 'empty', 'c')).status).toBe(200)
    await ask('/__sessions/a', 'late', 'a', 'DELETE')
    expect((await ask('/posts', 'late', 'a')).status).toBe(200)
  })

  it.each([
    ['emtpy', 'Did you mean "empty"?'],
    ['late,brokn', 'Did you mean "broken"?'],
    ['newyear', 'Did you mean "new-year"?'],
    ['something', 'There are empty, one, tagless, late, later, new-year, broken, busy.'],
    ['', 'There are empty'],
    ['__proto__', 'There are empty'],
  ])('is not begun by an unknown name: %j', async (name, remedy) => {
    const { ask, server } = await open()
    const refused = await ask('/posts', name, 'a', 'DELETE')
    expect([refused.status, refused.code]).toEqual([400, 'UNKNOWN_SCENARIO'])
    expect(refused.body.message).toContain(remedy)
    expect(await (await fetch(`${server.url}/__sessions`)).json()).toEqual([])
  })

  it.each([
    ['/__reset', 'POST'],
    ['/__sessions/a/reset', 'POST'],
  ])('goes back to its data, clock and rules by %s', async (path, method) => {
    const { ask, daysAhead } = await open()
    const all = 'one,late,broken'
    await ask('/posts/7', all, 'a', 'DELETE')
    await ask('/posts', all, 'a', 'POST', { title: 'x' })
    await ask('/__clock/advance', all, 'a', 'POST', { by: '5d' })
    await ask('/__faults', all, 'a', 'PUT', { rules: [] })
    expect([await daysAhead(all, 'a'), (await ask('/tags', all, 'a')).status]).toEqual([35, 200])
    expect((await ask(path, all, 'a', method)).status).toBe(200)
    expect((await ask('/posts', all, 'a')).body).toEqual([{ id: 7 }])
    expect([await daysAhead(all, 'a'), (await ask('/tags', all, 'a')).status]).toEqual([30, 503])
  })

  it('without one goes back to its data alone, as ever', async () => {
    const { ask, daysAhead } = await open()
    await ask('/__clock/advance', undefined, 'a', 'POST', { by: '5d' })
    await ask('/__faults', undefined, 'a', 'PUT', BROKEN)
    await ask('/__reset', undefined, 'a', 'POST')
    expect([await daysAhead(undefined, 'a'), (await ask('/tags', undefined, 'a')).status]).toEqual([5, 503])
  })

  it('hides passwords of its users, who can log in', async () => {
    const { ask } = await members({
      scenarios: { bob: { data: fileOf({ users: [BOB] }) } },
    })
    const headers = { 'X-Mock-Scenario': 'bob' }
    const { status, body } = await ask(
      'POST',
      '/login',
      { email: BOB.email, password: BOB.password },
      headers,
    )
    expect(status).toBe(200)
    const users = await ask('GET', '/users', undefined, { ...headers, authorization: body.accessToken })
    expect(users.body).toEqual([{ id: 2, email: BOB.email, role: 'user' }])
  })

  it('is in what others send again only where it is none', async () => {
    const { ask } = await open()
    for (const _ of [1, 2, 3]) {
      expect((await ask('/posts')).body).toHaveLength(2)
      expect((await ask('/posts', 'empty')).body).toEqual([])
    }
  })

  it('has the rows of its base with all its rules', async () => {
    const { ask } = await open({
      resources: { posts: { unique: ['title'] } },
      scenarios: { three: { data: fileOf({ posts: [{ id: 3, title: 'three' }] }) } },
    })
    expect((await ask('/posts', 'three', 'a', 'POST', { title: 'three' })).code).toBe('NOT_UNIQUE')
    expect((await ask('/posts', 'three', 'a', 'POST', { title: 'one' })).status).toBe(201)
    expect((await ask('/__undo', 'three', 'a', 'POST')).status).toBe(200)
    expect((await ask('/posts', 'three', 'a')).body).toEqual([{ id: 3, title: 'three' }])
  })
})

describe('the header', () => {
  it('means nothing without scenarios', async () => {
    const server = await start({ data: structuredClone(DATA) })
    onTestFinished(() => server.close())
    const headers = { 'X-Mock-Scenario': 'empty' }
    const response = await fetch(`${server.url}/posts`, { headers })
    expect([await response.json(), response.headers.get('x-mock-session')]).toEqual([POSTS, null])
    expect(() => server.session('a', { scenario: 'empty' })).toThrow('this server has no scenarios')
    const { components, paths } = JSON.parse(await (await fetch(`${server.url}/__openapi`)).text())
    expect(components.parameters).not.toHaveProperty('X-Mock-Scenario')
    expect(JSON.stringify(paths)).not.toContain('SCENARIO')
  })

  it('is in the OpenAPI document, and its names in GET /__service', async () => {
    const { server } = await open()
    const text = await (await fetch(`${server.url}/__openapi`)).text()
    expect(JSON.parse(text).components.parameters).toHaveProperty('X-Mock-Scenario')
    expect(text).toMatch(/UNKNOWN_SCENARIO.*OTHER_SCENARIO/s)
    const service = JSON.parse(await (await fetch(`${server.url}/__service`)).text())
    expect(service.scenarios).toEqual(Object.keys(scenarios()))
  })

  it('is one that a start without it in cors warns of', async () => {
    const cors = { allowedHeaders: ['Content-Type'] }
    const { lines } = await open({ middlewares: ['cors'], cors })
    expect(lines.filter((line) => line.includes('X-Mock-Scenario, which a scenario needs'))).toHaveLength(1)
    const allowed = await open({ middlewares: ['cors'], cors: { allowedHeaders: ['*'] } })
    expect(allowed.lines).toEqual([])
  })
})

describe.each([
  ['in code', 'session'],
  ['from another process', 'connect'],
] as const)('session(name, { scenario }), %s', (_, way) => {
  async function openSession(scenario: string) {
    const opened = await open()
    const door = way === 'connect' ? connect(opened.server.url) : opened.server
    return { ...opened, door, session: door.session('a', { scenario }) }
  }

  it('begins so, and goes back to it', async () => {
    const { session, server } = await openSession('one,late,broken')
    expect(session.headers).toEqual({ 'X-Mock-Session': 'a', 'X-Mock-Scenario': 'one,late,broken' })
    const rows = async () => (await session.fetch('/posts')).json()
    expect(await session.create('posts', {})).toEqual({ id: 8 })
    await session.clock.advance('5d')
    await session.faults.set({ rules: [] })
    await session.reset()
    expect(await rows()).toEqual([{ id: 7 }])
    expect((await session.fetch('/tags')).status).toBe(503)
    expect(Math.round(((await session.clock.now()) - Date.now()) / DAY)).toBe(30)
    expect(server.count('posts')).toBe(2)
    await session.close()
    expect(await rows()).toEqual([{ id: 7 }])
  })
})

describe('in code', () => {
  it('an unknown scenario is refused at once', async () => {
    const { server } = await open()
    expect(() => server.session('a', { scenario: 'emtpy' })).toThrow('Did you mean "empty"?')
  })

  it('its data is there before a request', async () => {
    const { server } = await open()
    const { db, fetch: get } = server.session('a', { scenario: 'one' })
    expect(db.get('posts').value()).toEqual([{ id: 7 }])
    expect((await get('/posts')).status).toBe(200)
  })
})

describe('a user', () => {
  const RULES: StartOptions = {
    accounts: { persona: true },
    resources: {
      posts: { access: { read: 'owner', create: 'signed-in', update: 'owner', delete: 'owner' } },
    },
  }
  const OWNED = { users: [ADA, BOB], posts: [{ id: 1, userId: 2 }] }

  async function withUsers() {
    const scenarios = {
      ada: { user: 'ada@example.com' },
      bob: { user: 'bob@example.com' },
      eve: { user: 'eve' },
    }
    return members({ ...RULES, scenarios }, OWNED)
  }

  it('acts for the requests of that session that have no credentials', async () => {
    const { ask, login } = await withUsers()
    const bob = { 'X-Mock-Scenario': 'bob' }
    expect((await ask('GET', '/me', undefined, bob)).body).toMatchObject({ email: 'bob@example.com' })
    expect((await ask('GET', '/posts', undefined, bob)).body).toEqual(OWNED.posts)
    expect((await ask('GET', '/posts')).status).toBe(401)
    const { headers } = await login(ADA.email, 'password-of-ada', bob)
    expect((await ask('GET', '/me', undefined, headers)).body).toMatchObject({ email: ADA.email })
    const persona = { ...bob, 'X-Mock-User': 'ada' }
    expect((await ask('GET', '/me', undefined, persona)).body).toMatchObject({ email: ADA.email })
    const wrong = { ...bob, authorization: 'Bearer wrong' }
    expect((await ask('GET', '/posts', undefined, wrong)).status).toBe(401)
    const last = { 'X-Mock-Scenario': 'bob,ada' }
    expect((await ask('GET', '/me', undefined, last)).body).toMatchObject({ email: ADA.email })
  })

  it('acts for no page of another site', async () => {
    const { ask } = await withUsers()
    const bob = { 'X-Mock-Scenario': 'bob' }
    const foreign = { ...bob, origin: 'https://evil.example' }
    expect((await ask('GET', '/posts', undefined, foreign)).body.code).toBe('FOREIGN_ORIGIN')
    const cookie = { cookie: 'mock_session=scenario-bob', origin: 'https://evil.example' }
    await ask('GET', '/posts', undefined, bob)
    expect((await ask('POST', '/posts', {}, cookie)).body.code).toBe('FOREIGN_ORIGIN')
    const near = { ...bob, origin: 'http://localhost:5173' }
    expect((await ask('GET', '/posts', undefined, near)).status).toBe(200)
  })

  it('who is not there is told, with those who are', async () => {
    const { ask } = await withUsers()
    const { status, body } = await ask('GET', '/posts', undefined, { 'X-Mock-Scenario': 'eve' })
    expect([status, body.message]).toEqual([
      401,
      'The user of this scenario, eve, is not there. There are ada@example.com, bob@example.com.',
    ])
  })

  it('takes the setting persona', async () => {
    for (const settings of [{}, { middlewares: ['accounts'] }, { accounts: { persona: true } }]) {
      await expect(start({ data: {}, scenarios: { ada: { user: 'ada' } }, ...settings })).rejects.toThrow(
        '"scenarios.ada.user" needs users to act as. Add "accounts" to "middlewares", and set "accounts": { "persona": true }.',
      )
    }
  })
})
