import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import restable from '../../src/doors/vite.ts'
import { defineConfig, describeApi, type StartOptions, start } from '../../src/index.ts'
import { folderOf } from '../support/folder.ts'
import { serve } from '../support/http/serve.ts'
import { json } from '../support/http/serving.ts'

const data = () => ({ posts: [{ id: 1, title: 'a' }] })

async function servePosts(options: StartOptions = {}) {
  const server = await serve({ data: data(), ...options })
  const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json()
  return { server, get }
}

describe('the settings of a config file, from defineConfig', () => {
  it('are what start, describeApi and the plugin of Vite take, as the compiler sees it, too', async () => {
    const source = join(folderOf({ 'db.json': data() }), 'db.json')
    const settings = defineConfig({ source, middlewares: 'cors', persist: false })
    await using server = await start(settings)
    expect(await (await fetch(`${server.url}/posts`)).json()).toEqual(data().posts)
    expect(await (await describeApi(settings)).types()).toContain('interface Post')
    expect(restable({ base: '/api', ...settings }).name).toBe('restable')
  })

  it('may be in short, as there', async () => {
    await using server = await start(defineConfig({ hosted: 'public' }))
    expect(server.config.hosted?.variant).toBe('public')
  })
})

describe('server.undo() and server.reset()', () => {
  it('take back what was changed', async () => {
    const { server, get } = await servePosts()
    const post = (title: string) => fetch(`${server.url}/posts`, json('POST', { title }))
    await post('b')
    await post('c')
    const [undone] = await server.undo()
    expect(await get('/posts')).toHaveLength(2)
    expect(await server.redo()).toEqual([undone])
    await server.undo({ to: Number(undone) - 1 })
    expect(await get('/posts')).toHaveLength(2)
    await server.reset()
    expect(await get('/posts')).toEqual(data().posts)
    await expect(server.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
  })
})

describe('data', () => {
  it.each([
    ['stays yours', {}, 2],
    ['is copied with live: false', { live: false }, 1],
  ])('%s', async (_, options, count) => {
    const mine = data()
    const { server, get } = await servePosts({ data: mine, ...options })
    await fetch(`${server.url}/posts`, json('POST', { title: 'b' }))
    expect(await get('/posts')).toHaveLength(2)
    expect(mine.posts).toHaveLength(count)
  })
})

describe('middlewares', () => {
  it('may be functions, among layers, in their order', async () => {
    const seen: unknown[] = []
    const first: RequestHandler = (req, _res, next) => {
      seen.push(['first', req.url, req.body])
      next()
    }
    const { server, get } = await servePosts({
      middlewares: ['bearer', first, (_req, res) => void res.json(seen)],
      routes: { '/api/*': '/$1' },
    })
    expect((await fetch(server.url)).status).toBe(200)
    expect((await fetch(`${server.url}/posts`)).status).toBe(401)
    const headers = { authorization: 'Bearer mock-bearer-token', 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}/api/posts`, { method: 'POST', headers, body: '{"a":1}' })
    expect(await answer.json()).toEqual([['first', '/posts', { a: 1 }]])
    expect(server.rules).toEqual({ '/api/*': '/$1' })
    expect(await get('/__rules')).toMatchObject({ code: 'AUTH_REQUIRED' })
  })

  it('may be one function listed twice', async () => {
    let count = 0
    const counter: RequestHandler = (_req, _res, next) => {
      count += 1
      next()
    }
    const { get } = await servePosts({ middlewares: [counter, counter], watch: true })
    await get('/posts')
    expect(count).toBe(2)
  })

  it('refuses rules that make no sense', async () => {
    const routes = JSON.parse('{"/api/*": 5}')
    await expect(start({ data: data(), routes })).rejects.toThrow('/api/*')
  })
})

describe('server.use()', () => {
  it('puts a handler in front, for every request, until it is taken away', async () => {
    const { server, get } = await servePosts({ data: data(), live: false })
    // Asked for often enough to be replayed.
    for (let times = 0; times < 4; times += 1) await get('/posts/1')
    const restore = server.use((req, res, next) => {
      if (req.path !== '/posts/1') return next()
      res.status(503).json({ body: req.body })
    })
    const headers = { origin: 'http://localhost:5173' }
    const answer = await fetch(`${server.url}/posts/1`, { ...json('PATCH', { a: 1 }) })
    expect([answer.status, await answer.json()]).toEqual([503, { body: { a: 1 } }])
    const read = await fetch(`${server.url}/posts/1`, { headers })
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([503, headers.origin])
    expect(await get('/posts')).toEqual(data().posts)
    restore()
    restore()
    expect(await get('/posts/1')).toEqual({ id: 1, title: 'a' })
  })

  it('asks the newest first, and takes each away by itself', async () => {
    const { server } = await servePosts()
    const answer = (text: string) => server.use((_req, res) => void res.send(text))
    const text = async () => (await fetch(`${server.url}/posts`)).text()
    const [first, second] = [answer('first'), answer('second')]
    expect(await text()).toBe('second')
    second()
    expect(await text()).toBe('first')
    first()
    expect(await text()).toContain('"title": "a"')
  })

  it('reads bodies as the server does: what is odd about one is printed', async () => {
    const lines: string[] = []
    const { server } = await servePosts({ print: (line) => lines.push(line) })
    server.use((_req, _res, next) => next())
    const headers = { 'content-type': 'text/plain' }
    await server.fetch('/posts', { method: 'POST', headers, body: '{"title":"b"}' })
    expect(lines).toContainEqual(expect.stringContaining('A JSON body arrived as text/plain'))
  })

  it('answers what a handler throws as an error', async () => {
    const { server, get } = await servePosts({ printError: () => {} })
    server.use(() => {
      throw new Error('mine')
    })
    expect(await get('/posts')).toMatchObject({ code: 'INTERNAL_ERROR' })
  })
})

it('closes at the end of an await using, and only once', async () => {
  let url = ''
  {
    await using server = await start({ data: data() })
    url = server.url
    expect((await fetch(`${url}/posts`)).status).toBe(200)
    await server.close()
  }
  await expect(fetch(`${url}/posts`)).rejects.toThrow()
})
