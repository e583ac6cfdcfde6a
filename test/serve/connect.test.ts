import express from 'express'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/index.ts'
import { serve } from '../support/http/serve.ts'
import { serving } from '../support/http/serving.ts'

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

describe('connect(url, { token })', () => {
  const heard: (readonly [url: string, token: unknown, session: unknown])[] = []
  const hear: express.RequestHandler = ({ originalUrl, headers }, _res, next) => {
    heard.push([originalUrl, headers.authorization, headers['x-mock-session']])
    next()
  }

  it('sends token and session to the API alone, and not where it redirects to', async () => {
    const other = await serving(express().use(hear, (req, res) => res.json(req.method)))
    const own = await serving(
      express().use(hear, ({ url }, res) => {
        if (url === '/in') res.redirect(302, '/here')
        else if (url === '/kept') res.redirect(307, '/here')
        else if (url === '/out') res.redirect(307, `${other}/there`)
        else res.json('own')
      }),
    )
    const api = connect(own, { token: 'hush' })
    for (const { fetch } of [api, api.session('a')]) {
      for (const path of [
        '/in',
        '/kept',
        '/out',
        `${own}/`,
        `${other}/`,
        new URL(other),
        new Request(other),
      ]) {
        await (await fetch(path, path === '/kept' ? { method: 'POST', body: 'x' } : {})).json()
      }
    }
    await (await api.fetch(other, { headers: { authorization: 'theirs' } })).json()
    const from = (session: string | undefined) => [
      ...['/in', '/here', '/kept', '/here', '/out'].map((path) => [path, 'Bearer hush', session]),
      ['/there', undefined, undefined],
      ['/', 'Bearer hush', session],
      ...['/', '/', '/'].map((path) => [path, undefined, undefined]),
    ]
    expect(heard).toEqual([...from(undefined), ...from('a'), ['/', 'theirs', undefined]])
  })

  it('ends a circle of redirects', async () => {
    const own = await serving(express().use((_req, res) => res.redirect('/')))
    await expect(connect(own).fetch('/')).rejects.toThrow('too many redirects')
  })
})
