import { createRequire } from 'node:module'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import { describe, expect, it, vi } from 'vitest'
import { create } from '../../src/serve/server/app.ts'
import { serving } from '../support/http/serving.ts'

// Express 4 would tell us at each call that we should not.
vi.stubEnv('NO_DEPRECATION', 'express')
const requireHere = createRequire(import.meta.url)
/** The Express 4 that json-server 0.17.4 brings: what its users' code was written for. */
const express4: () => Express = createRequire(requireHere.resolve('json-server'))('express')

const URLS = [
  '/',
  '/a',
  '/products',
  '/products/',
  '/products/1',
  '/products/1/reviews',
  '/PRODUCTS/1',
  '/products%2F1',
  '/users',
  '/users2',
  '/users/1',
  '/register',
  '/600/users',
  '/x123',
  '/file.json',
  '/file.tar.gz',
  '/abcd',
  '/abbcd',
  '/ab',
]

const PATHS = [
  '*',
  '/*',
  '/products/*',
  '/products*',
  '/users*',
  '/products/:id?',
  '/products/:id(\\d+)',
  '/products/:id/*',
  '/:a/:b?/:c?',
  '/x(.*)',
  '/(products|users)',
  '/(products|users)/:id',
  '/users|register|signup',
  '/[640]{3}/users',
  '/ab?cd',
  '/ab+cd',
  '/ab(cd)?',
  '/:name.:ext?',
  '/products/',
  '/products/:id',
]

const answer = (req: Request, res: Response): void => {
  res.json({ params: { ...req.params }, url: req.url, baseUrl: req.baseUrl })
}

describe.each(PATHS)('the path %s', (path) => {
  it.each(['get', 'all', 'use', 'route'] as const)(
    'means in %s() what it meant in Express 4',
    async (method) => {
      const [old, ours] = await Promise.all([express4(), create()].map((app) => served(app, method, path)))
      expect(ours).toEqual(old)
    },
  )
})

describe('the paths of an app', () => {
  it.each([
    ['a list', ['/a', '/products/*'], '/products/1', { 0: '1' }],
    ['a regular expression', /^\/pro(.*)/, '/products', { 0: 'ducts' }],
    ['a path of Express 5', '/products/*rest', '/products/1/reviews', { rest: ['1', 'reviews'] }],
    ['an optional part of Express 5', '/products{/:id}', '/products/7', { id: '7' }],
  ])('may be %s', async (_, path, url, params) => {
    const app = create()
    app.get(path, answer)
    const response = await fetch(`${await serving(app)}${url}`)
    expect(await response.json()).toMatchObject({ params })
  })

  it('are read with the settings that the app has when the first one comes', async () => {
    const app = create().enable('case sensitive routing')
    app.get('/Products', answer)
    const base = await serving(app)
    const statuses = ['/Products', '/products'].map(async (url) => (await fetch(base + url)).status)
    expect(await Promise.all(statuses)).toEqual([200, 404])
  })

  it('are those of Express 5 in routers that others make', () => {
    create().get('/666/*', answer)
    expect(() => express.Router().all('/666/*', answer)).toThrow('Missing parameter name')
  })
})

async function served(app: Express, method: 'get' | 'all' | 'use' | 'route', path: string): Promise<unknown> {
  if (method === 'route') app.route(path).get(answer)
  else app[method](path, answer)
  app.use((_req, res) => void res.json('no match'))
  const base = await serving(app)
  const answers = URLS.map(async (url) => [url, await (await fetch(base + url)).json()])
  return Object.fromEntries(await Promise.all(answers))
}

/** A call as old middleware makes it, which the types of Express 5 do not know. */
const call = (name: string, ...args: readonly unknown[]): RequestHandler => {
  return (_req, res) => void Reflect.apply(Reflect.get(res, name), res, [...args])
}

const param = (...args: readonly unknown[]): RequestHandler => {
  return (req, res) => void res.json({ found: Reflect.apply(Reflect.get(req, 'param'), req, [...args]) })
}

describe('what old middleware says', () => {
  it.each<[string, RequestHandler]>([
    ['res.send(401)', call('send', 401)],
    ['res.send(204)', call('send', 204)],
    ['res.send(401, text)', call('send', 401, 'no')],
    ['res.send(400, object)', call('send', 400, { error: 'no' })],
    ['res.send(object, 400)', call('send', { error: 'no' }, 400)],
    ['res.send(text)', call('send', 'yes')],
    ['res.send(object)', call('send', { yes: 1 })],
    ['res.send()', call('send')],
    ['res.sendStatus(403)', call('sendStatus', 403)],
    ['res.json(404, object)', call('json', 404, { error: 'no' })],
    ['res.json(object, 404)', call('json', { error: 'no' }, 404)],
    ['res.json(object)', call('json', [1])],
    ['res.json(5)', call('json', 5)],
    ['res.jsonp(409, object)', call('jsonp', 409, { error: 'no' })],
    ['res.jsonp(null)', call('jsonp', null)],
    ['req.param() of the path', param('id')],
    ['req.param() of the query', param('q')],
    ['req.param() of nothing', param('nothing')],
    ['req.param() of nothing, with a value to fall back on', param('nothing', 'else')],
  ])('means what it meant in Express 4: %s', async (_, handler) => {
    const [old, ours] = await Promise.all(
      [express4().set('json spaces', 2), create()].map((app) => ask(app, handler)),
    )
    expect(ours).toEqual(old)
  })
})

async function ask(app: Express, handler: RequestHandler): Promise<unknown> {
  app.get('/:id', handler)
  const response = await fetch(`${await serving(app)}/7?q=word`)
  const type = response.headers.get('content-type')?.toLowerCase()
  return { status: response.status, type, body: await response.text() }
}
