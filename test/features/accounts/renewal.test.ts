import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { start } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { ADA, BOB, MEMBERS, members } from '../../support/http/members.ts'
import { eventually } from '../../support/http/watched.ts'

it('hides passwords when a config turns accounts on, and shows them when it turns them off', async () => {
  const folder = folderOf({ 'db.json': MEMBERS })
  const source = join(folder, 'db.json')
  const path = join(folder, 'config.json')
  const turn = (middlewares: readonly string[]) => writeFileSync(path, JSON.stringify({ middlewares }))
  turn([])
  const settings = { source, port: 0, watch: true }
  const read = async () => ({ ...settings, ...JSON.parse(readFileSync(path, 'utf8')) })
  const server = await start({ ...settings, configFile: { path, read }, middlewares: [] })
  onTestFinished(() => server.close())
  const ask = asking(server.url)
  await ask('PATCH', '/users/1', { name: 'Ada' })
  expect((await ask('GET', '/users/1')).body).toEqual({ ...ADA, name: 'Ada' })
  expect(JSON.stringify((await ask('GET', '/__history')).body)).toContain(ADA.password)

  turn(['accounts'])
  const login = () => ask('POST', '/login', { email: ADA.email, password: 'password-of-ada' })
  await eventually(async () => expect((await login()).status).toBe(200))
  const { body } = await login()
  const headers = { authorization: `Bearer ${body.token}` }
  const seen = [
    await ask('GET', '/users', undefined, headers),
    await ask('GET', '/users/1', undefined, headers),
    await ask('GET', '/__history', undefined, headers),
    await ask('GET', '/db', undefined, { ...headers }),
  ]
  expect(JSON.stringify(seen.map((answer) => answer.body))).not.toContain('password')
  expect((await ask('PATCH', '/users/1', { name: 'Lady' }, headers)).status).toBe(200)
  const { password: _, ...shown } = ADA
  expect((await ask('GET', '/me', undefined, headers)).body).toEqual({ ...shown, name: 'Lady' })
  expect(JSON.parse(readFileSync(source, 'utf8')).users[0]).toEqual({ ...ADA, name: 'Lady' })

  turn([])
  await eventually(async () => expect((await login()).status).toBe(404))
  expect((await ask('GET', '/users/1')).body).toEqual({ ...ADA, name: 'Lady' })
})

it.each([
  ['accounts', 401],
  ['jwt', 403],
])(
  'ends the logins of %s when a config names another source, whose users are others',
  async (layer, refused) => {
    const folder = folderOf()
    const path = join(folder, 'config.json')
    const user = { id: 1, email: ADA.email, password: 'password-of-ada' }
    const posts = [{ id: 1 }]
    const sourceOf = (name: string, data: object) => {
      writeFileSync(join(folder, name), JSON.stringify(data))
      return join(folder, name)
    }
    const [one, other] = [
      sourceOf('one.json', { users: [user], posts }),
      sourceOf('other.json', { users: [{ ...user, email: 'grace@example.com' }], posts: [{ id: 2 }] }),
    ]
    const settings = { port: 0, watch: true, middlewares: [layer], quiet: true }
    const name = (config: object) => writeFileSync(path, JSON.stringify(config))
    name({ source: one })
    const read = async () => ({ ...settings, ...JSON.parse(readFileSync(path, 'utf8')) })
    const server = await start({ ...(await read()), configFile: { path, read } })
    onTestFinished(() => server.close())
    const ask = asking(server.url)
    const { body } = await ask('POST', '/login', { email: user.email, password: user.password })
    const write = () => ask('PATCH', '/posts/1', { title: 'x' }, { authorization: `Bearer ${body.token}` })
    expect((await write()).status).toBe(200)
    name({ source: other })
    await eventually(async () => expect((await ask('GET', '/posts')).body).toEqual([{ id: 2 }]))
    expect((await write()).status).toBe(refused)
  },
)

it('tells followers of requests no password and no token', async () => {
  const { server, ask, login } = await members()
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const { headers, refreshToken, accessToken } = await login()
  const response = await fetch(`${server.url}/__events`, { headers, signal: abort.signal })
  const reader = response.body?.getReader()
  await login()
  await ask('POST', '/refresh', { refreshToken })
  const sent = { currentPassword: 'password-of-ada', password: 'password-of-kim' }
  expect((await ask('PATCH', '/me', sent, headers)).status).toBe(200)
  await ask('POST', '/posts', { title: 'the last one' }, headers)
  let text = ''
  while (!text.includes('the last one')) {
    const { value, done } = (await reader?.read()) ?? { done: true }
    if (done) break
    text += Buffer.from(value ?? []).toString()
  }
  expect(text).toContain('/me')
  for (const secret of ['password-of', accessToken, refreshToken, ADA.password, '$2b$']) {
    expect(text).not.toContain(secret)
  }
})

describe('who follows /__events', () => {
  /** Follows as Ada, and reads until the stream ends or tells of a post. */
  async function follow([method, path, sent]: readonly [method: string, path: string, sent?: unknown]) {
    const { server, ask, login } = await members()
    const { headers } = await login()
    const abort = new AbortController()
    onTestFinished(() => abort.abort())
    const { body } = await fetch(`${server.url}/__events`, { headers, signal: abort.signal })
    const bob = await login(BOB.email, BOB.password)
    let text = ''
    for await (const piece of body ?? []) {
      const wasHeard = text.includes('/login')
      text += Buffer.from(piece).toString()
      if (text.includes('told afterwards')) break
      // What was told before is judged before.
      if (wasHeard || !text.includes('/login')) continue
      expect((await ask(method, path, sent, headers)).status).toBe(200)
      await ask('POST', '/posts', { title: 'told afterwards' }, bob.headers)
    }
    return text
  }

  it.each<[string, Parameters<typeof follow>[0]]>([
    ['has logged out', ['POST', '/logout', {}]],
    ['has another role', ['PATCH', '/me', { role: 'user' }]],
    ['has another password', ['PATCH', '/users/1', { password: 'password-of-kim' }]],
    ['is gone', ['DELETE', '/users/1']],
  ])('hears no more once that user %s', async (_, act) => {
    const text = await follow(act)
    expect(text).toContain('/login')
    expect(text).not.toContain('told afterwards')
  })

  it('goes on hearing after a change of their own that keeps them logged in', async () => {
    const sent = { currentPassword: 'password-of-ada', password: 'password-of-kim' }
    expect(await follow(['PATCH', '/me', sent])).toContain('told afterwards')
  })
})
