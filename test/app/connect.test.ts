import { describe, expect, it, onTestFinished } from 'vitest'
import { type StartOptions, start } from '../../src/index.ts'

async function serve(options: StartOptions) {
  const server = await start(options)
  onTestFinished(() => server.close())
  return server
}

describe('server.session(name)', () => {
  it('is a client with a copy of the data, also of an object that is served live', async () => {
    const data = { posts: [{ id: 1, deep: { n: 1 } }] }
    const server = await serve({ data })
    const session = server.session('worker-1')
    expect(session.headers).toEqual({ 'X-Mock-Session': 'worker-1' })
    const body = JSON.stringify({ title: 'mine' })
    const headers = { 'content-type': 'application/json' }
    const created = await session.fetch('/posts', { method: 'POST', body, headers })
    expect([created.status, created.headers.get('x-mock-session')]).toEqual([201, 'worker-1'])
    data.posts.push({ id: 7, deep: { n: 7 } })
    expect(await (await session.fetch('/posts')).json()).toEqual([
      { id: 1, deep: { n: 1 } },
      { title: 'mine', id: 2 },
    ])
    expect(data.posts).toHaveLength(2)
  })

  it.each<[string, (url: string) => string | URL | Request]>([
    ['a path', () => '/posts/1'],
    ['an address', (url) => `${url}/posts/1`],
    ['a URL', (url) => new URL('/posts/1', url)],
    ['a request', (url) => new Request(`${url}/posts/1`, { headers: { 'X-Mock-Session': 'other' } })],
  ])('fetches %s', async (_, inputFor) => {
    const server = await serve({ data: { posts: [{ id: 1 }] } })
    const session = server.session('a')
    const response = await session.fetch(inputFor(server.url), { headers: { accept: 'application/json' } })
    expect(response.headers.get('x-mock-session')).toBe('a')
    expect(await response.json()).toEqual({ id: 1 })
  })

  it('gives its data as a chain, whose changes in place are its own', async () => {
    const data = { posts: [{ id: 1, deep: { n: 1 } }] }
    const server = await serve({ data })
    const session = server.session('a')
    await session.db.get('posts').find({ id: 1 }).set('deep.n', 5).write()
    expect(await (await session.fetch('/posts')).json()).toEqual([{ id: 1, deep: { n: 5 } }])
    expect(data).toEqual({ posts: [{ id: 1, deep: { n: 1 } }] })
    expect(server.db.get('posts').value()).toEqual([{ id: 1, deep: { n: 1 } }])
  })

  it('goes back to its copy, and ends', async () => {
    const server = await serve({ data: { posts: [{ id: 1 }] } })
    const session = server.session('a')
    await session.fetch('/posts/1', { method: 'DELETE' })
    await session.reset()
    expect(await (await session.fetch('/posts')).json()).toEqual([{ id: 1 }])
    server.db.get('posts').push({ id: 2 }).value()
    await session.close()
    expect(await (await session.fetch('/posts')).json()).toEqual([{ id: 1 }, { id: 2 }])
  })

  it.each(['', 'a b', 'ä'])('refuses the name %j', async (name) => {
    const server = await serve({ data: {} })
    expect(() => server.session(name)).toThrow('is not a name')
  })
})
