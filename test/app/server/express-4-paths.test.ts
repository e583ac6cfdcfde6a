import { createRequire } from 'node:module'
import express, { type Express, type Request, type Response } from 'express'
import { describe, expect, it } from 'vitest'
import { create } from '../../../src/app/server/app.ts'
import { serving } from '../../support/http/serving.ts'

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
