import { describe, expect, it } from 'vitest'
import { connect, type StartOptions } from '../../../src/index.ts'
import { ADA, BOB, members } from '../../support/http/members.ts'

const ISSUES = { issues: [{ id: 1, title: 'one', userId: 1 }] }
const RULES: StartOptions = {
  resources: { issues: { access: { read: 'owner', create: 'signed-in', update: 'owner', delete: 'owner' } } },
}
const PERSONA: StartOptions = { ...RULES, accounts: { persona: true } }
const DATA = { users: [ADA, BOB], ...ISSUES }

async function titles(client: { fetch(path: string): Promise<Response> }, path = '/issues') {
  const rows: unknown = await (await client.fetch(path)).json()
  return Array.isArray(rows) ? rows.map(({ title }) => title) : rows
}

describe.each([
  ['from another process', 'connect'],
  ['in code', 'session'],
] as const)('a session, %s', (_, way) => {
  // In the server's own process, it takes no setting.
  const settings = way === 'connect' ? PERSONA : RULES
  async function session(token?: string) {
    const { server, login } = await members(settings, DATA)
    const remote = connect(server.url, token === undefined ? {} : { token })
    return { server, login, session: way === 'connect' ? remote.session('a') : server.session('a') }
  }

  it('acts as any user, whose requests alone are theirs', async () => {
    const { session: own, server } = await session()
    const ada = own.as(ADA.email)
    const bob = own.as('BOB@example.com')
    expect(await titles(ada)).toEqual(['one'])
    expect(await titles(bob)).toEqual([])
    expect(await bob.create('issues', { title: 'mine' })).toEqual({ id: 2, title: 'mine', userId: 2 })
    expect(await titles(bob)).toEqual(['mine'])
    expect((await own.fetch('/issues')).status).toBe(401)
    expect(bob.headers).toEqual({ 'X-Mock-Session': 'a', 'X-Mock-User': 'BOB@example.com' })
    expect(own.headers).toEqual({ 'X-Mock-Session': 'a' })
    expect(server.count('issues')).toBe(1)
  })

  it('lets an admin undo, and no one else', async () => {
    const { session: own } = await session()
    await own.create('issues', { title: 'two', userId: 1 })
    await expect(own.as('bob@example.com').undo()).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
    expect(await own.as('ada').undo()).toHaveLength(1)
    expect(await titles(own.as('ada').as('ada'))).toEqual(['one'])
  })

  it('creates rows for the server: of any owner, and those that nobody may create', async () => {
    const { session: own } = await session()
    expect(await own.create('issues', { title: 'theirs', userId: 2 })).toMatchObject({ userId: 2 })
    await own.create('users', { email: 'kim@example.com', role: 'admin', password: 'password-of-kim' })
    expect(await (await own.as('kim@example.com').fetch('/me')).json()).toMatchObject({ role: 'admin' })
    expect(await own.createMany('issues', 2, () => ({ userId: 2 }))).toHaveLength(2)
    expect(await own.grow({ issues: 3 })).toEqual({ issues: 3 })
  })

  it('rejects for a user that is not there, and says who is', async () => {
    const { session: own } = await session()
    const nobody = own.as('eve@example.com')
    for (const attempt of [() => nobody.fetch('/issues'), () => nobody.create('issues')]) {
      await expect(attempt()).rejects.toThrow('There are ada@example.com, bob@example.com.')
    }
    await own.create('users', { email: 'eve@example.com' })
    expect((await nobody.fetch('/issues')).status).toBe(200)
  })
})

describe('from another process', () => {
  it('names the setting that it takes', async () => {
    const { server } = await members(RULES, DATA)
    const session = connect(server.url).session('a')
    const setting = '"accounts": { "persona": true }'
    await expect(session.as(ADA.email).fetch('/issues')).rejects.toThrow(setting)
    await expect(session.create('issues', { title: 'x' })).rejects.toThrow(
      `Only logged-in users can create issues. Log in first. To create rows for the server, set ${setting}.`,
    )
  })

  it('creates for the server in sessions alone, and nothing else for it', async () => {
    const { server, ask } = await members(PERSONA, DATA)
    await expect(connect(server.url).create('issues', { title: 'x' })).rejects.toThrow('Only logged-in')
    const star = { 'X-Mock-User': '*' }
    const inSession = { ...star, 'X-Mock-Session': 'a' }
    const asked = [
      await ask('POST', '/__grow', { issues: 1 }, star),
      await ask('POST', '/issues', { title: 'x' }, inSession),
      await ask('GET', '/issues', undefined, inSession),
      await ask('POST', '/__undo', {}, inSession),
      await ask('POST', '/__grow', { issues: 1 }, { ...inSession, origin: 'https://evil.example' }),
      await ask('POST', '/__grow', { issues: 1 }, inSession),
    ]
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401, 403, 201])
  })

  it('takes the token of a login, which is one of the base', async () => {
    const { server, login } = await members(PERSONA, DATA)
    const { accessToken: token } = await login()
    const api = connect(server.url, { token })
    const session = api.session('a')
    expect(await session.create('issues', { title: 'x', userId: 2 })).toMatchObject({ userId: 2 })
    await session.faults.add({ match: { path: '/issues' }, status: 503 })
    await session.clock.advance('1h')
    expect((await session.fetch('/posts')).status).toBe(404)
    expect((await session.as('bob@example.com').fetch('/issues')).status).toBe(503)
    await session.reset()
    await session.close()
    // There, it is Ada's.
    expect(await api.create('issues', { title: 'y' })).toMatchObject({ userId: 1 })
    expect(await (await api.fetch('/__sessions')).json()).toEqual([])
  })

  it('is still the user of a login in that session', async () => {
    const { server, login } = await members(PERSONA, DATA)
    const { accessToken: token } = await login(BOB.email, BOB.password, { 'X-Mock-Session': 'a' })
    const session = connect(server.url, { token }).session('a')
    expect(await session.create('issues', { title: 'x' })).toMatchObject({ userId: 2 })
  })
})

it('does not let requests of others act as a user where it is off', async () => {
  const { server } = await members(RULES, DATA)
  const headers = { 'X-Mock-User': ADA.email }
  expect((await server.fetch('/issues', { headers })).status).toBe(401)
  expect((await server.session('a').fetch('/issues', { headers })).status).toBe(401)
})
