import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import {
  create,
  defaults,
  apiKey as keyLayer,
  rewriter,
  router,
  type StartOptions,
} from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { exchange } from '../../support/http/exchange.ts'
import { serve } from '../../support/http/serve.ts'
import { json, serving } from '../../support/http/serving.ts'

const RULES = {
  '/api/v1/*': '/$1',
  '/public/*': '/$1',
  '/public-full/:id': '/products/:id?_expand=company',
  '/public-by/:name': '/products?_expand=:name',
  '/public-any/*': '/products?$1',
  '/public-reviews/:id': '/products/:id/reviews',
  '/public-part/*': '/products/$1',
  '/public-gone/:id': '/products/:id?_dependent=reviews',
  '/public-with/:id': '/products/:id?include=company',
}

const PUBLIC_ROUTES = [
  ...[
    '/public/products',
    '/open',
    '/public-full',
    '/public-by',
    '/public-any',
    '/public-reviews',
    '/public-part',
  ],
  '/public-gone',
  '/public-with',
]

/** What may not be seen. */
const HIDDEN = 'hidden-from-all'

function shop() {
  return {
    products: [
      { id: 1, name: 'Desk', companyId: 1, parentId: 2 },
      { id: 2, name: 'Lamp', companyId: 1 },
    ],
    companies: [{ id: 1, name: HIDDEN }],
    users: [{ id: 1, name: HIDDEN, productId: 1 }],
    reviews: [{ id: 1, name: HIDDEN, productId: 1 }],
    open: [{ id: 1, productId: 1 }],
    profile: { name: HIDDEN },
  }
}

const GUARDS = [
  [
    'api-key',
    { apiKey: { publicRoutes: PUBLIC_ROUTES } },
    'API_KEY_MISSING',
    { 'X-API-KEY': 'web-client-key-001' },
  ],
  [
    'bearer',
    { bearer: { publicRoutes: PUBLIC_ROUTES } },
    'AUTH_REQUIRED',
    { Authorization: 'Bearer mock-bearer-token' },
  ],
] as const

async function serveShop(options: StartOptions) {
  const data = shop()
  const home = folderOf({ 'routes.json': RULES })
  const server = await serve({ data, routes: `${home}/routes.json`, ...options })
  return { port: server.port, stored: () => JSON.parse(JSON.stringify(data)) }
}

describe('with a shape, a public route', () => {
  const options: StartOptions = {
    ...{ middlewares: ['bearer'], bearer: { publicRoutes: PUBLIC_ROUTES } },
    shape: 'laravel',
  }

  it.each([
    '/public/products?filter[company.name]=x',
    '/public-by/nothing?filter[company.name]=x',
    '/public-by/nothing?sort=company.name',
    '/public-with/1?_embed=users',
    '/public/products/1?include=company',
  ])('does not let %s out of what is public', async (path) => {
    const { port } = await serveShop(options)
    expect((await exchange(port, { method: 'GET', path })).status).toBe(401)
  })

  it.each(['/public-with/1', '/public-by/company?filter[name]=Desk', '/public/products?include=open'])(
    'lets %s pass',
    async (path) => {
      const { port } = await serveShop(options)
      expect((await exchange(port, { method: 'GET', path })).status).toBe(200)
    },
  )
})

/** Ways to ask for more than the products that are public. */
const REACHING: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/public/products/1/users'],
  ['GET', '/public/products/1/users'],
  ['HEAD', '/public/products/1/users'],
  ['GET', '/public/products/1/users/'],
  ['GET', '/public/products/1/USERS'],
  ['GET', '/public/products/1/%75sers'],
  ['GET', '/public/products/1/users/1'],
  ['HEAD', '/public/products/1/users/1/'],
  ['PATCH', '/public/products/1/users/1'],
  ['PUT', '/public/products/1/%75sers/1'],
  ['DELETE', '/public/products/1/reviews/1'],
  ['GET', '/public-part/1/users/1'],
  ['DELETE', '/public/products/1/open/1?_dependent=users'],
  ['GET', '/public/products/1/profile'],
  ['POST', '/public/products/1/profile'],
  ['GET', '/public/products/1/users?_expand=company'],
  ['GET', '/public/products?_expand=company'],
  ['GET', '/public/products/1?_expand=company'],
  ['HEAD', '/public/products/1?_expand=company'],
  ['GET', '/public/products/?_expand=company'],
  ['GET', '/public/products?%5Fexpand=company'],
  ['GET', '/public/products?_expand[]=company'],
  ['GET', '/public/products?_expand[0]=company'],
  ['GET', '/public/products?[_expand]=company'],
  ['GET', '/public/products?%5B_expand%5D=company'],
  ['GET', '/public/products?_expand=%63ompany'],
  ['GET', '/public/products?_expand=x,company'],
  ['GET', '/public/products?_expand=x&_expand=company'],
  ['GET', '/public/products?_expand=%20company'],
  ['GET', '/public/products?_embed=company'],
  ['GET', '/public/products?_embed=companies'],
  ['GET', '/public/products?_embed=users'],
  ['GET', '/public/products?_embed=products,users'],
  ['GET', '/public/products?_embed[]=reviews&_embed[]=users'],
  ['GET', '/public/products?_embed=products.users'],
  ['GET', '/public/products?_embed=open.product.company'],
  ['GET', '/public/products/1?_expand=nothing.users,open.users'],
  ['GET', '/public/products?_embed=users&callback=show'],
  ['GET', '/public/products/1?_embed=users&_delay=1'],
  ['DELETE', '/public/products/1?_dependent=users'],
  ['DELETE', '/public/products/1?_dependent[]=users'],
  ['DELETE', '/public/products/1?%5Fdependent=reviews,users'],
  ['GET', '/open/1/users'],
  ['GET', '/open?_expand=product&_embed=users'],
  // What a rule leaves to the client is the client's.
  ['GET', '/public-any/_expand=company'],
  ['GET', '/public-full/1?_embed=users'],
  ['GET', '/public-part/1/users'],
  ['GET', '/public-reviews/1?_embed=users'],
]

describe.each(GUARDS)('the public routes of %s', (name, settings, code, credentials) => {
  const options: StartOptions = { middlewares: [name], ...settings }

  it.each(REACHING)('do not let %s %s out of what is public', async (method, path) => {
    const { port, stored } = await serveShop(options)
    const body = /^P/.test(method) ? '{"name":"x"}' : undefined
    for (const override of method === 'DELETE' || method === 'POST' ? [false, true] : [false]) {
      const headers = override ? { 'x-http-method-override': method } : {}
      const ask = { method: override ? 'POST' : method, path, headers, ...(body && { body }) }
      const answer = await exchange(port, ask)
      expect(answer.status).toBe(401)
      if (method !== 'HEAD') expect(JSON.parse(answer.body).code).toBe(code)
      expect(answer.body).not.toContain(HIDDEN)
      expect(stored()).toEqual(shop())
    }
    const admitted = await exchange(port, { method, path, headers: credentials, ...(body && { body }) })
    expect(admitted.status).toBeLessThan(300)
  })

  it.each([
    ['GET', '/public/products', 200],
    ['GET', '/public/products/1?_sort=id&q=desk', 200],
    ['GET', '/public/products?_embed=nothing&_expand=nobody', 200],
    ['GET', '/public/products?_embed=products', 200],
    ['GET', '/public/products/1/products', 200],
    ['GET', '/public/products/1/open', 200],
    ['GET', '/public/products/1/open/1', 200],
    ['PATCH', '/public/products/1/open/1', 200],
    ['DELETE', '/public/products/1/open/1', 200],
    ['GET', '/public/products/2/open/1', 404],
    ['GET', '/public/products/1?_embed=open', 200],
    ['GET', '/public/products/1?_embed=open.product.open', 200],
    ['GET', '/open', 200],
    ['PATCH', '/public/products/1', 200],
    ['DELETE', '/public/products/2', 200],
    ['POST', '/public/products', 201],
    ['POST', '/public/products/1/open', 201],
    ['GET', '/public/products/9', 404],
    ['GET', '/public/products/1/nothing', 404],
    ['POST', '/open/1/2/3', 404],
    // What the owner's rules ask for by themselves.
    ['GET', '/public-full/1', 200],
    ['GET', '/public-full/1?_expand=user', 200],
    ['GET', '/public-by/company', 200],
    ['GET', '/public-reviews/1', 200],
    ['POST', '/public-reviews/1', 201],
    ['DELETE', '/public-gone/1', 200],
  ] as const)('let %s %s pass', async (method, path, status) => {
    const { port } = await serveShop(options)
    const body = method === 'POST' || method === 'PATCH' ? { body: '{"name":"x"}' } : {}
    expect((await exchange(port, { method, path, ...body })).status).toBe(status)
  })

  it('do not let a DELETE remove rows of other resources, with cascade on', async () => {
    const { port, stored } = await serveShop({ ...options, cascade: true })
    expect((await exchange(port, { method: 'DELETE', path: '/public/products/1' })).status).toBe(401)
    expect(stored()).toEqual(shop())
  })

  it.each([
    '/public/products/../users',
    '/public/products/1/users/..',
    '/public/products/1/../../users',
    '/public//users',
    '/public/products//users',
    '/public/products/1//users',
    '/public/products/1%2Fusers',
    '/public/products%2F1%2Fusers',
    '/public/products/1/users%2F',
    '/public/products/1/users#',
    '/public/products\\1\\users',
    '/public/products/1/users;x=1',
    'http://localhost/public/products/1/users',
    '/public/products/1/./users',
    '/public/products/1/users%00',
    '/public/products?/users',
    '/public/products/1?x=/../users&_embed=users',
    '/public/products?_embed=users#',
    '/public/products#?_embed=users',
  ])('are not evaded by %s', async (target) => {
    const { port, stored } = await serveShop(options)
    for (const method of ['GET', 'POST', 'DELETE']) {
      const socket = connect(port, '127.0.0.1')
      socket.write(
        `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      )
      const heard = await text(socket)
      expect(heard).not.toContain(HIDDEN)
      const { products: _, ...others } = stored()
      const { products: __, ...before } = shop()
      expect(others).toEqual(before)
    }
  })

  it('are checked before a cached response is sent', async () => {
    const home = folderOf({ 'routes.json': RULES, 'db.json': shop() })
    const source = `${home}/db.json`
    const server = await serve({ source, routes: `${home}/routes.json`, ...options })
    const path = '/public/products?_expand=company'
    for (const _ of [1, 2, 3]) {
      expect((await exchange(server.port, { method: 'GET', path, headers: credentials })).body).toContain(
        HIDDEN,
      )
      expect((await exchange(server.port, { method: 'GET', path })).status).toBe(401)
    }
  })
})

describe('a key on a public route', () => {
  it.each([
    ['GET', '/public/products?_expand=company', 'readonly-client-key-001', 200],
    ['POST', '/public/products/1/users', 'readonly-client-key-001', 403],
    ['GET', '/public/products?_expand=company', 'unknown-client-key', 403],
    ['GET', '/public/products?_expand=company', 'short', 400],
    ['GET', '/public/products', 'short', 200],
  ])('%s %s with %s is answered with %i', async (method, path, key, status) => {
    const { port } = await serveShop({ middlewares: ['api-key'], apiKey: { publicRoutes: PUBLIC_ROUTES } })
    const answer = await exchange(port, { method, path, headers: { 'x-api-key': key } })
    expect(answer.status).toBe(status)
  })
})

it('holds in a custom app, wherever the router is mounted', async () => {
  const app = create()
  app.use(defaults({ logger: false }))
  app.use(keyLayer({ publicRoutes: ['/shop/products', '/public/products'], log: () => {} }))
  app.use(rewriter({ '/public/*': '/shop/$1' }))
  app.use('/shop', router(shop()))
  const url = await serving(app)
  for (const base of ['/shop', '/public']) {
    expect((await fetch(`${url}${base}/products/1`)).status).toBe(200)
    expect((await fetch(`${url}${base}/products/1?_expand=company`)).status).toBe(401)
    expect((await fetch(`${url}${base}/products/1/users`, json('POST', {}))).status).toBe(401)
  }
})
