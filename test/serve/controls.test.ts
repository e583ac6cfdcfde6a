import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Controls, connect, open, type StartOptions } from '../../src/index.ts'
import { ADA, BOB, members } from '../support/http/members.ts'
import { serve } from '../support/http/serve.ts'
import { serving } from '../support/http/serving.ts'

const data = () => ({ posts: [{ id: 1, title: 'a' }] })

/** Each way to the same server: in code, in a session, from another process, and in a session from there. */
async function ways(options: StartOptions = {}) {
  const server = await serve({ data: data(), live: false, ...options })
  const remote = connect(`${server.url}/`)
  return { server, remote, inside: server.session('inside'), outside: remote.session('outside') }
}

const WAYS = ['server', 'inside', 'remote', 'outside'] as const

describe.each(WAYS)('%s', (name) => {
  it('goes back and forth in the history', async () => {
    const way = (await ways())[name]
    const titles = async () =>
      [...(await (await way.fetch('/posts')).text()).matchAll(/"title": "(.)"/g)].map(([, title]) => title)
    const { id } = await way.create('posts', { title: 'b' })
    expect(id).toBe(2)
    const [entry] = await way.history({ limit: 1 })
    expect(entry?.changes).toMatchObject([{ resource: 'posts', op: 'create', id: 2, after: { title: 'b' } }])
    expect(await way.history({ before: entry?.version ?? 0 })).toEqual([])
    expect(await way.undo()).toEqual([entry?.version])
    expect(await titles()).toEqual(['a'])
    expect(await way.redo()).toEqual([entry?.version])
    expect(await titles()).toEqual(['a', 'b'])
    await way.undo({ to: Number(entry?.version) - 1 })
    expect(await titles()).toEqual(['a'])
    await expect(way.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await way.create('posts')
    await way.reset()
    expect(await titles()).toEqual(['a'])
  })

  it('sets the clock', async () => {
    const way = (await ways())[name]
    await way.clock.set({ now: '2030-01-01T00:00:00Z', frozen: true })
    await way.clock.advance('1h')
    expect(await way.clock.now()).toBe(Date.parse('2030-01-01T01:00:00Z'))
    expect(await way.clock.face).toMatchObject({ now: '2030-01-01T01:00:00.000Z', frozen: true })
    await way.clock.reset()
    await way.clock.freeze()
    expect((await way.clock.face).frozen).toBe(true)
    expect(Math.abs((await way.clock.now()) - Date.now())).toBeLessThan(60_000)
  })

  it('shows what was sent', async () => {
    const way = (await ways())[name]
    await way.fetch('/posts?a=1')
    const [{ id = 0 } = {}] = await way.requests()
    await way.fetch('/posts', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    await way.fetch('/posts/9')
    const paths = async (options?: Parameters<typeof way.requests>[0]) =>
      (await way.requests(options)).map(({ method, path }) => `${method} ${path}`)
    expect(await paths()).toEqual(['GET /posts/9', 'POST /posts', 'GET /posts?a=1'])
    expect(await paths({ method: 'POST', path: '/:resource' })).toEqual(['POST /posts'])
    expect(await paths({ status: 404 })).toEqual(['GET /posts/9'])
    expect(await paths({ since: id, limit: 1 })).toEqual(['GET /posts/9'])
  })

  it('makes requests fail', async () => {
    const { faults, fetch } = (await ways())[name]
    const status = async () => (await fetch('/posts')).status
    const { rules } = await faults.add({ status: 503 })
    expect(await status()).toBe(503)
    expect((await faults.list()).rules).toMatchObject([{ status: 503, hits: 1 }])
    await faults.remove(rules[0]?.id ?? 0)
    expect(await status()).toBe(200)
    await faults.set({ seed: 1, rules: [{ status: 500, times: 1 }] })
    expect([await status(), await status()]).toEqual([500, 200])
    expect(await faults.reset()).toMatchObject({ isConfig: true, rules: [] })
    await expect(faults.add({ status: 7 })).rejects.toMatchObject({ status: 400, code: 'INVALID_BODY' })
  })
})

it('keeps sessions apart from each other and from the base', async () => {
  const { server, remote, inside, outside } = await ways()
  await Promise.all([inside, outside].map((session) => session.create('posts')))
  await remote.session('third').createMany('posts', 5)
  const counts = await Promise.all(
    [server, inside, outside, remote.session('third')].map(async ({ fetch }) =>
      (await fetch('/posts')).headers.get('x-total-count'),
    ),
  )
  expect(counts).toEqual(['1', '2', '2', '6'])
  await outside.close()
  const open = await (await remote.fetch('/__sessions')).json()
  expect(open).toMatchObject([{ name: 'third' }, { name: 'inside' }])
  expect(() => remote.session('a b')).toThrow('is not a name')
})

it('is not kept from anything in code, and from nothing with a token elsewhere', async () => {
  const { server } = await ways({ middlewares: ['bearer'], readOnly: true })
  expect(await server.create('posts', { title: 'b' })).toMatchObject({ title: 'b' })
  await expect(connect(server.url).history()).rejects.toMatchObject({ status: 401, code: 'AUTH_REQUIRED' })
  const remote = connect(server.url, { token: 'mock-bearer-token' })
  expect(await remote.history()).toHaveLength(1)
  await expect(remote.create('posts')).rejects.toMatchObject({ status: 403, code: 'READ_ONLY' })
})

it('follows the rules of access as its user, and in code stands above them', async () => {
  const { server, login } = await members({
    resources: { posts: { access: { read: 'owner', create: 'role:admin' }, owner: 'userId' } },
  })
  const { accessToken } = await login()
  const ada = connect(server.url, { token: accessToken })
  expect(await ada.create('posts', { title: 'hers' })).toMatchObject({ title: 'hers', userId: ADA.id })
  expect(await ada.history()).toHaveLength(1)
  const { accessToken: token } = await login(BOB.email, BOB.password)
  const bob: Controls = connect(server.url, { token })
  await expect(bob.create('posts')).rejects.toMatchObject({ status: 403, code: 'AUTH_FORBIDDEN' })
  await expect(bob.history()).rejects.toMatchObject({ status: 403 })
  await expect(connect(server.url).session('a').create('posts')).rejects.toMatchObject({ status: 401 })
  const eve = await server.create('users', { email: 'eve@example.com', password: 'password-of-eve' })
  expect(eve).not.toHaveProperty('password')
  expect((await login('eve@example.com', 'password-of-eve')).user).toMatchObject({ email: 'eve@example.com' })
  expect(await server.history()).toHaveLength(2)
})

it('reaches a server below a path', async () => {
  const api = await open({ data: data(), live: false })
  const url = await serving(
    createServer((req, res) => {
      Object.assign(req, { originalUrl: req.url, url: req.url?.replace('/api', '') })
      api.handler(req, res)
    }).listen(0, '127.0.0.1'),
  )
  onTestFinished(() => api.close())
  const remote = connect(`${url}/api`)
  await remote.session('a').create('posts')
  expect(await (await remote.session('a').fetch('/posts')).json()).toHaveLength(2)
  expect(await (await remote.fetch(`${url}/api/posts`)).json()).toHaveLength(1)
})
