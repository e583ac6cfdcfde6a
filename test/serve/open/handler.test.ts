import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { ADA, MEMBERS } from '../../support/http/members.ts'
import { openApi } from '../../support/http/serve.ts'
import { json, serving } from '../../support/http/serving.ts'

const posts = Array.from({ length: 3 }, (_, at) => ({ id: at + 1 }))

function opened(options: StartOptions = {}) {
  return openApi({ data: { posts }, live: false, ...options })
}

/** Hosts that lead `/api` to it, each by its own customs. */
const HOSTS: Readonly<Record<string, (api: OpenedServer) => Promise<string>>> = {
  Express: (api) =>
    serving(
      express()
        .use('/api', api.handler)
        .use((req, res) => void res.json({ host: req.originalUrl, url: req.url, path: req.path })),
    ),
  // Cuts the path off, and keeps the whole URL, as Vite's server does.
  connect: (api) =>
    serving((req, res) => {
      const url = req.url ?? ''
      const host = () => res.end(JSON.stringify({ host: url, url: req.url, path: url.split('?')[0] }))
      if (!/^\/api(?=[/?]|$)/.test(url)) return void host()
      const rest = url.slice('/api'.length)
      Object.assign(req, { originalUrl: url, url: rest.startsWith('/') ? rest : `/${rest}` })
      api.handler(req, res, () => {
        req.url = url
        host()
      })
    }),
}

describe.each(Object.keys(HOSTS))('api.handler in %s', (name) => {
  const host = async (options?: StartOptions) => HOSTS[name]?.(await opened(options)) ?? ''

  it('keeps its path in URLs', async () => {
    const url = await host()
    for (const times of [1, 2, 3]) {
      const { headers } = await fetch(`${url}/api/posts?_page=1&_limit=1`)
      expect(headers.get('link'), String(times)).toContain(`<${url}/api/posts?_page=2&_limit=1>; rel="next"`)
    }
    const { headers, status } = await fetch(`${url}/api/posts`, json('POST', { title: 'b' }))
    expect([status, headers.get('location')]).toEqual([201, `${url}/api/posts/4`])
  })

  it('serves its page below the path, where relative URLs lead', async () => {
    const url = await host()
    const page = await fetch(`${url}/api?a=1`)
    expect([page.url, page.headers.get('content-type')]).toEqual([
      `${url}/api/?a=1`,
      'text/html; charset=utf-8',
    ])
    const script = /src="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    expect((await fetch(new URL(script, page.url))).headers.get('content-type')).toContain('javascript')
    expect((await fetch(`${url}/api/__page`)).status).toBe(200)
  })

  it.each(['/api/pots', '/api/posts/1/pots?a=1', '/other'])(
    'leaves %s to its host, as it was',
    async (path) => {
      const url = await host()
      const response = await fetch(url + path, { headers: { origin: 'http://localhost:1' } })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('cache-control')).toBeNull()
      const [, sent = ''] = path.split('?')
      expect(await response.json()).toMatchObject({ host: path, path: path.replace(`?${sent}`, '') })
    },
  )

  it.each(['/api/posts/99', '/api/db', '/api/__service'])('does not leave %s', async (path) => {
    expect(await (await fetch((await host()) + path)).json()).not.toHaveProperty('host')
  })

  it('serves what is about itself below the path, and never through a rewrite rule', async () => {
    const url = await host({ routes: { '/v1/*': '/$1' } })
    const post = (path: string) => fetch(url + path, { method: 'POST' })
    expect((await post('/api/__reset')).status).toBe(200)
    expect(await (await post('/api/v1/__reset')).json()).toMatchObject({ host: '/api/v1/__reset' })
    const { headers } = await fetch(`${url}/api/v1/posts?_page=1&_limit=1`)
    expect(headers.get('link')).toContain(`<${url}/api/v1/posts?_page=2`)
    expect((await fetch(`${url}/api/v1/posts`, json('POST', {}))).headers.get('location')).toBe(
      `${url}/api/v1/posts/4`,
    )
    const session = { 'x-mock-session': 'a' }
    expect((await fetch(`${url}/api/posts`, { headers: session })).headers.get('x-mock-session')).toBe('a')
    expect(await (await fetch(`${url}/api/__sessions`)).json()).toMatchObject([{ name: 'a' }])
  })

  it.each(['/api', '/api/auth', '/api/v1'])('logs in and out below %s', async (prefix) => {
    const url = await host({ data: MEMBERS, middlewares: ['accounts'], routes: { '/v1/*': '/$1' } })
    const ask = asking(url)
    const { status, body } = await ask('POST', `${prefix}/login`, {
      email: ADA.email,
      password: 'password-of-ada',
    })
    expect(status).toBe(200)
    const headers = { authorization: `Bearer ${body.accessToken}` }
    expect((await ask('GET', `${prefix}/me`, undefined, headers)).body.email).toBe(ADA.email)
    expect((await ask('POST', `${prefix}/logout`, {}, headers)).status).toBe(200)
    expect((await ask('GET', `${prefix}/me`, undefined, headers)).status).toBe(401)
  })

  it('logs URLs as clients send them', async () => {
    const lines: string[] = []
    const url = await host({ middlewares: ['logger'], print: (line) => lines.push(line) })
    await fetch(`${url}/api/posts?a=1`)
    await expect.poll(() => lines.join()).toContain('GET /api/posts?a=1 200')
  })

  it('serves static files below the path', async () => {
    const folder = folderOf()
    await mkdir(join(folder, 'about'))
    await writeFile(join(folder, 'about/index.html'), 'about us')
    const url = await host({ static: folder })
    const page = await fetch(`${url}/api/about`)
    expect([page.url, await page.text()]).toEqual([`${url}/api/about/`, 'about us'])
  })

  it('has the same guards as on a port', async () => {
    const url = await host({ middlewares: ['api-key'], apiKey: { publicRoutes: ['/posts/1'] } })
    expect((await fetch(`${url}/api/posts`)).status).toBe(401)
    expect((await fetch(`${url}/api/posts/1`)).status).toBe(200)
  })
})

it.each(['/api', '/api/'])(
  'cuts %s off itself where its host does not, as in pages of Next',
  async (base) => {
    const api = await openApi({ data: { posts }, live: false, base })
    const url = await serving((req, res) => api.handler(req, res, () => res.end(`the host has ${req.url}`)))
    const created = await fetch(`${url}/api/posts`, json('POST', {}))
    expect([created.status, created.headers.get('location')]).toEqual([201, `${url}/api/posts/4`])
    expect((await fetch(`${url}/api`)).url).toBe(`${url}/api/`)
    expect(await (await fetch(`${url}/api/pots`)).text()).toBe('the host has /api/pots')
    const answer = await api.fetch(new Request('https://shop.example/api/posts?_page=1&_limit=1'))
    expect(answer.headers.get('link')).toContain('<https://shop.example/api/posts?_page=2&_limit=1>')
    expect((await api.fetch('/posts')).status).toBe(200)
    expect(await api.create('posts')).toEqual({ id: 5 })
  },
)

const FORM = 'application/x-www-form-urlencoded'

it.each<[string, express.RequestHandler, string | undefined, string]>([
  ['as JSON', express.json(), 'application/json', '{"title":"read"}'],
  ['as text', express.text(), 'text/plain', ' {"title":"read"}'],
  ['as text, though it is JSON', express.text({ type: () => true }), 'application/json', '{"title":"read"}'],
  ['as text, though it is a form', express.text({ type: () => true }), FORM, 'title=read'],
  ['as text without a type', express.text({ type: () => true }), undefined, '{"title":"read"}'],
  ['as bytes', express.raw({ type: () => true }), 'text/plain;charset=UTF-8', '{"title":"read"}'],
  ['as bytes of JSON', express.raw({ type: () => true }), 'application/json', '{"title":"read"}'],
])('takes a body that its host has read %s', async (_, read, type, body) => {
  const api = await opened()
  const url = await serving(express().use(read).use(api.handler))
  const init = { method: 'POST', body: Buffer.from(body), ...(type && { headers: { 'content-type': type } }) }
  const created = await fetch(`${url}/posts`, init)
  expect([created.status, await created.json()]).toEqual([201, { id: 4, title: 'read' }])
})

it.each([
  ['text that is no JSON', 'text/plain', 'hello', 'INVALID_BODY'],
  ['broken JSON', 'text/plain', '{"a":', 'MALFORMED_JSON'],
  ['a JSON text', 'application/json', '"hello"', 'INVALID_BODY'],
])('refuses %s that its host has read', async (_, type, body, code) => {
  const api = await opened()
  const hosting = express()
    .use(express.text())
    .use(express.json({ strict: false }))
    .use(api.handler)
  const url = await serving(hosting)
  const refused = await fetch(`${url}/posts`, { method: 'POST', body, headers: { 'content-type': type } })
  expect([refused.status, await refused.json()]).toMatchObject([400, { code }])
})

it.each<[string, StartOptions['sessions']]>([
  ['none', false],
  ['its own', { max: 1 }],
])('leaves no session to the next of two servers, which has %s', async (_, sessions) => {
  const [first, second] = [await opened(), await opened({ data: { users: [{ id: 1 }] }, sessions })]
  const url = await serving(express().use(first.handler).use(second.handler))
  for (const headers of [{}, { 'X-Mock-Session': 'a' }]) {
    expect(await (await fetch(`${url}/users`, { headers })).json()).toEqual([{ id: 1 }])
  }
})

it('is a whole server without a next', async () => {
  const api = await opened()
  const url = await serving(createServer(api.handler).listen(0, '127.0.0.1'))
  const missing = await fetch(`${url}/pots`)
  expect([missing.status, await missing.json()]).toEqual([404, {}])
  expect(await (await fetch(`${url}/posts`)).json()).toEqual(posts)
  expect(api.page).toBe('/')
})

it('refuses requests once it is closed, and writes nothing', async () => {
  const data = { posts: [{ id: 1 }] }
  const api = await open({ data })
  const url = await serving(express().use(api.handler))
  await api.fetch('/posts', json('POST', {}))
  await api.close()
  const refused = await Promise.all([
    fetch(`${url}/posts`, json('POST', {})),
    api.fetch('/posts', json('POST', {})),
    api.session('a').fetch('/posts'),
  ])
  for (const response of refused) {
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'SERVER_CLOSED' }])
  }
  for (const act of [() => api.create('posts'), () => api.reset(), () => api.undo(), () => api.redo()])
    await expect(act()).rejects.toThrow('was closed')
  expect(data).toEqual({ posts: [{ id: 1 }, { id: 2 }] })
})
