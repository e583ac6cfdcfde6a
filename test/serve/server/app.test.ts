import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import express from 'express'
import { afterEach, describe, expect, it, vi } from 'vitest'
import restable, { bodyParser, create, defaults, rewriter, router } from '../../../src/index.ts'
import { catchConsole } from '../../support/console.ts'
import { json, serving } from '../../support/http/serving.ts'

const requireHere = createRequire(import.meta.url)
const express4: typeof express = createRequire(requireHere.resolve('json-server'))('express')

const rows = () => ({
  posts: [
    { id: 1, title: 'a' },
    { id: 2, title: 'b' },
  ],
})

afterEach(() => vi.restoreAllMocks())

describe('the module', () => {
  it.each(['create', 'defaults', 'router', 'rewriter', 'bodyParser'] as const)(
    'has %s on its default, too',
    (name) => {
      expect(restable[name]).toBe({ create, defaults, router, rewriter, bodyParser }[name])
    },
  )

  it("runs the custom server of json-server's README", async () => {
    const server = create()
    const api = router(rows())
    server.use(defaults({ logger: false }))
    server.get('/echo', (req, res) => void res.jsonp(req.query))
    server.use(bodyParser)
    server.use((req, _res, next) => {
      if (req.method === 'POST') req.body.createdAt = 123
      next()
    })
    server.use(rewriter({ '/api/*': '/$1', '/blog/:resource/:id/show': '/:resource/:id' }))
    server.use(api)
    api.render = (_req, res) => void res.jsonp({ body: res.locals.data })

    const base = await serving(server)
    expect(await (await fetch(`${base}/echo?a=1&a=2`)).json()).toEqual({ a: ['1', '2'] })
    expect(await (await fetch(`${base}/blog/posts/1/show`)).json()).toEqual({ body: { id: 1, title: 'a' } })
    const made = await fetch(`${base}/api/posts`, json('POST', { title: 'c' }))
    expect([made.status, await made.json()]).toEqual([201, { body: { title: 'c', createdAt: 123, id: 3 } }])
    expect(made.headers.get('location')).toBe(`${base}/api/posts/3`)
  })
})

describe('req.query', () => {
  it.each<[string, RequestHandler, string, number[]]>([
    [
      'keeps a key that is set',
      (req, _res, next) => {
        req.query.id = '2'
        next()
      },
      '/posts',
      [2],
    ],
    [
      'forgets a key that is deleted',
      (req, _res, next) => {
        delete req.query.id
        next()
      },
      '/posts?id=2',
      [1, 2],
    ],
    [
      'can be put in place',
      (req, _res, next) => {
        req.query = { title: 'a' }
        next()
      },
      '/posts?id=2',
      [1],
    ],
    [
      'follows a URL that is changed before anybody looked',
      (req, _res, next) => {
        req.url = '/posts?id=1'
        next()
      },
      '/x',
      [1],
    ],
  ])('%s', async (_, middleware, url, ids) => {
    const app = create().use(middleware, router(rows()))
    const found = await (await fetch((await serving(app)) + url)).json()
    expect(found).toEqual(ids.map((id) => expect.objectContaining({ id })))
  })

  it('is that of the rewritten URL behind the rewriter, and can be written on there', async () => {
    const app = create()
    app.use((req, _res, next) => {
      req.query.seen = 'before'
      next()
    })
    app.use(rewriter({ '/:title/only': '/posts?title=:title' }))
    app.use((req, _res, next) => {
      req.query._sort = 'id'
      next()
    })
    app.use(router(rows()))
    expect(await (await fetch(`${await serving(app)}/b/only`)).json()).toEqual([{ id: 2, title: 'b' }])
  })

  it.each(['id=1&id=2', 'id[]=1&id[]=2', 'id[0]=1&id[1]=2'])(
    'holds lists however they are written: %s',
    async (query) => {
      const app = create().get('/', (req, res) => void res.json(req.query))
      expect(await (await fetch(`${await serving(app)}/?${query}`)).json()).toEqual({ id: ['1', '2'] })
    },
  )
})

describe('req.body', () => {
  it.each(['POST', 'PUT', 'PATCH'])('is there to write on in a %s before it is read', async (method) => {
    const app = create()
    app.use((req, _res, next) => {
      req.body.by = 'me'
      next()
    })
    app.use(defaults({ logger: false, bodyParser: true }))
    app.use((req, res) => void res.json(req.body))
    const response = await fetch(await serving(app), json(method, { title: 'a' }))
    expect(await response.json()).toEqual({ title: 'a', by: 'me' })
  })

  it.each<[string, () => RequestHandler]>([
    ["Express 5's", () => express.json()],
    ["Express 4's", () => express4.json()],
  ])('is still read by %s parser', async (_, parser) => {
    const app = create()
    app.use((req, _res, next) => {
      req.body.by = 'me'
      next()
    })
    app.use(parser(), (req, res) => void res.json(req.body))
    expect(await (await fetch(await serving(app), json('POST', { title: 'a' }))).json()).toEqual({
      title: 'a',
      by: 'me',
    })
  })

  it('is {} in a POST without a body, and can be assigned', async () => {
    const app = create()
    app.post('/given', (req, _res, next) => {
      req.body.by = 'me'
      req.body = { title: 'given' }
      req.url = '/posts'
      next()
    })
    app.use(router(rows()))
    const base = await serving(app)
    expect(await (await fetch(`${base}/posts`, { method: 'POST' })).json()).toEqual({ id: 3 })
    expect(await (await fetch(`${base}/given`, { method: 'POST' })).json()).toEqual({ title: 'given', id: 4 })
  })

  it('is absent in an unread GET', async () => {
    const app = create().use((req, res) => void res.json(typeof req.body))
    expect(await (await fetch(await serving(app))).json()).toBe('undefined')
  })
})

describe('app.use()', () => {
  it.each([
    ['an empty list', []],
    ['a list of lists', [defaults({ logger: false }), bodyParser, []]],
  ])('takes %s', async (_, list) => {
    const app = create()
    // Lists in lists are fine for Express, and unknown to its types.
    Reflect.apply(app.use, app, [list])
    app.use(router(rows()))
    expect((await fetch(`${await serving(app)}/posts/1`)).status).toBe(200)
  })

  it('still refuses anything that is not a handler', () => {
    expect(() => Reflect.apply(create().use, create(), ['/posts'])).toThrow('requires a middleware function')
  })
})

describe('an error on an app', () => {
  const failing = (error: unknown) =>
    create().use((_req: Request, _res: Response, next: NextFunction) => next(error))

  it.each([
    ['an error', new Error('secret')],
    ['a text', 'secret'],
    ['an error with the status 503', Object.assign(new Error('secret'), { status: 503 })],
    ['an error whose status is no status', Object.assign(new Error('secret'), { status: 42 })],
  ])('is answered without saying what it was: %s', async (_, error) => {
    const written = catchConsole('error')
    const response = await fetch(await serving(failing(error)))
    const text = await response.text()
    expect([response.status, JSON.parse(text)]).toMatchObject([500, { code: 'INTERNAL_ERROR' }])
    expect(text).not.toContain('secret')
    expect(written).toContain(error)
  })

  it.each([
    [404, { error: 'Not found', message: 'no such thing', code: 'NOT_FOUND' }],
    [422, { error: 'Unprocessable content', message: 'no such thing', code: 'UNPROCESSABLE_CONTENT' }],
    [418, { error: 'Request refused', message: 'no such thing', code: 'REQUEST_REFUSED' }],
  ])('keeps its own status %i', async (status, body) => {
    const response = await fetch(
      await serving(failing(Object.assign(new Error('no such thing'), { status }))),
    )
    expect([response.status, await response.json()]).toEqual([status, body])
  })

  it.each([
    [
      'thrown',
      () => {
        throw new Error('secret')
      },
    ],
    [
      'rejected',
      async () => {
        throw new Error('secret')
      },
    ],
  ])('is caught when it is %s', async (_, handler) => {
    catchConsole('error')
    const response = await fetch(`${await serving(create().get('*', handler))}/x`)
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'INTERNAL_ERROR' }])
  })

  it("goes to the user's own handler first", async () => {
    const app = failing(new Error('secret'))
    app.use(
      (error: Error, _req: Request, res: Response, _next: NextFunction) =>
        void res.status(503).json(error.message),
    )
    const response = await fetch(await serving(app))
    expect([response.status, await response.json()]).toEqual([503, 'secret'])
  })

  it('goes to the app that it is mounted on', async () => {
    const outer = express().use('/inner', failing(new Error('secret')))
    outer.use(
      (error: Error, _req: Request, res: Response, _next: NextFunction) =>
        void res.json(`outer: ${error.message}`),
    )
    expect(await (await fetch(`${await serving(outer)}/inner`)).json()).toBe('outer: secret')
  })

  it('is a malformed URL when a path cannot be decoded', async () => {
    const app = create().get('/posts/:id', (_req, res) => void res.json(1))
    const response = await fetch(`${await serving(app)}/posts/%E0`)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'MALFORMED_URL' }])
  })

  it('ends a response that has begun', async () => {
    catchConsole('error')
    const app = create().use((_req: Request, res: Response) => {
      res.write('half')
      throw new Error('secret')
    })
    const response = await fetch(await serving(app))
    await expect(response.text()).rejects.toThrow()
  })
})

describe('what no handler answers', () => {
  it('is a 404 as JSON', async () => {
    const response = await fetch(`${await serving(create())}/nothing`)
    expect([response.status, await response.text()]).toEqual([404, '{}'])
    expect(response.headers.get('x-powered-by')).toBeNull()
  })
})

describe('app.listen()', () => {
  it('calls back once it listens, and gives the server', async () => {
    let count = 0
    const server = create()
      .use(router(rows()))
      .listen(0, '127.0.0.1', () => count++)
    const base = await serving(server)
    expect(count).toBe(1)
    expect(await (await fetch(`${base}/posts/1`)).json()).toEqual({ id: 1, title: 'a' })
  })

  it('creates requests that need no other prototype', async () => {
    const app = create()
    app.use((req, res) => void res.json(Object.getPrototypeOf(req) === app.request))
    const base = await serving(app.listen(0, '127.0.0.1'))
    expect(await (await fetch(base)).json()).toBe(true)
  })

  it('does not call a callback without parameters when the port is taken', async () => {
    const base = await serving(create().listen(0, '127.0.0.1'))
    let isCalled = false
    const listening = () => {
      isCalled = true
    }
    const second = create().listen(Number(new URL(base).port), '127.0.0.1', listening)
    const [error] = await once(second, 'error')
    expect(error).toMatchObject({ code: 'EADDRINUSE' })
    expect(isCalled).toBe(false)
  })

  it('passes the error to a callback with a parameter, as Express 5 does', async () => {
    const base = await serving(create().listen(0, '127.0.0.1'))
    const failure = await new Promise((resolve) => {
      create().listen(Number(new URL(base).port), '127.0.0.1', (error?: Error) => resolve(error))
    })
    expect(failure).toMatchObject({ code: 'EADDRINUSE' })
  })
})
