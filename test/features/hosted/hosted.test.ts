import { describe, expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { openApi } from '../../support/http/serve.ts'

const KEY = 'hosted-private-key-001'
const JSON_TYPE = 'application/json'

async function askHosted(hosted: StartOptions['hosted'] = { variant: 'public' }, options: StartOptions = {}) {
  const server = await openApi({ ...options, hosted })
  return async (method: string, path: string, sent?: unknown, headers: Record<string, string> = {}) => {
    const body = typeof sent === 'string' ? sent : JSON.stringify(sent)
    const response = await server.fetch(path, {
      method,
      headers: { 'Content-Type': JSON_TYPE, ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) }
  }
}

describe('fixed examples', () => {
  it.each([
    ['/products', ['id', 'name', 'price', 'company_id']],
    ['/companies', ['id', 'name', 'revenue', 'headquarter', 'locations']],
  ])('GET %s responds with items of the documented shape', async (path, fields) => {
    const { status, body, headers } = await (await askHosted())('GET', path)
    expect(status).toBe(200)
    expect(body.length).toBeGreaterThanOrEqual(5)
    expect(headers.get('x-total-count')).toBe(String(body.length))
    for (const item of body) expect(Object.keys(item)).toEqual(fields)
  })

  it('every product belongs to a company of the examples', async () => {
    const { body } = await (await askHosted())('GET', '/products?_expand=company')
    for (const { company, company_id } of body) expect(company.id).toBe(company_id)
  })

  it('a product by id may differ from the list, a company does not', async () => {
    const ask = await askHosted()
    const { body: products } = await ask('GET', '/products')
    const { body: product } = await ask('GET', '/products/1')
    expect(product.id).toBe(1)
    expect(product).not.toEqual(products[0])
    expect((await ask('GET', '/products/2')).body).toEqual(products[1])
    const { body: companies } = await ask('GET', '/companies')
    expect((await ask('GET', '/companies/1')).body).toEqual(companies[0])
  })

  it('are served whatever data, users and shapes the settings name', async () => {
    const options = {
      data: { posts: [{ id: 1 }] },
      source: 'none.json',
      seed: 'none.json',
      shape: 'laravel',
      middlewares: ['accounts'],
      resources: { products: { access: { read: 'nobody' } } },
    } as const
    const ask = await askHosted({ variant: 'public' }, options)
    expect((await ask('GET', '/posts')).status).toBe(404)
    expect((await ask('GET', '/products')).body).toHaveLength(5)
    expect((await ask('POST', '/login', { email: 'a@b.c', password: 'x' })).status).toBe(404)
  })
})

describe('writes', () => {
  it.each([
    ['/products', { name: 'Lamp' }, { name: 'Lamp', id: 6 }],
    ['/products', { id: 41, name: 'Lamp' }, { id: 41, name: 'Lamp' }],
    ['/products/7', { name: 'Lamp' }, { name: 'Lamp', id: 7 }],
    ['/products/x%20y', {}, { id: 'x y' }],
  ])('POST %s of %j is answered as created', async (path, sent, expected) => {
    const { status, body, headers } = await (await askHosted())('POST', path, sent)
    expect([status, body]).toEqual([201, expected])
    expect(headers.get('location')).toMatch(
      new RegExp(`^http://.+/products/${encodeURIComponent(expected.id)}$`),
    )
  })

  it('POST of a list creates each', async () => {
    const { status, body } = await (await askHosted())('POST', '/products', [{ name: 'a' }, { name: 'b' }])
    const created = [
      { name: 'a', id: 6 },
      { name: 'b', id: 7 },
    ]
    expect([status, body]).toEqual([201, created])
  })

  it.each([
    ['PUT', '/products/1', { name: 'New' }, { name: 'New', id: 1 }],
    ['PUT', '/products/99', { id: 5, name: 'New' }, { name: 'New', id: 99 }],
    ['PUT', '/products', { name: 'New' }, { name: 'New' }],
    ['PATCH', '/companies/1?_fields=id', { revenue: 1 }, expect.objectContaining({ id: 1, revenue: 1 })],
    ['DELETE', '/products/1', undefined, {}],
    ['DELETE', '/products/99', undefined, {}],
    ['DELETE', '/products', undefined, {}],
    ['DELETE', '/companies/1', undefined, {}],
  ])('%s %s is accepted', async (method, path, sent, expected) => {
    const { status, body } = await (await askHosted())(method, path, sent)
    expect([status, body]).toEqual([200, expected])
  })

  it('are not stored', async () => {
    const ask = await askHosted()
    const all = async () => [
      (await ask('GET', '/products')).body,
      (await ask('GET', '/products/1')).body,
      (await ask('GET', '/companies')).body,
    ]
    const before = await all()
    for (const name of ['products', 'companies']) {
      for (const [method, path, sent] of [
        ['POST', `/${name}`, { name: 'Lamp' }],
        ['PUT', `/${name}/2`, { name: 'Lamp' }],
        ['PATCH', `/${name}/2`, { name: 'Lamp' }],
        ['DELETE', `/${name}/3`],
      ] as const)
        expect((await ask(method, path, sent)).status).toBeLessThan(300)
    }
    expect(await all()).toEqual(before)
    expect((await ask('GET', '/products/6')).status).toBe(404)
  })

  it('JSON under another content type is read, with a warning in the log', async () => {
    const lines: string[] = []
    const ask = await askHosted({ variant: 'public' }, { print: (line) => lines.push(line) })
    const { body } = await ask('POST', '/products', '{"name":"Lamp"}', { 'Content-Type': 'text/plain' })
    expect(body).toEqual({ name: 'Lamp', id: 6 })
    expect(lines.join()).toContain('A JSON body arrived as text/plain')
  })

  it.each([
    ['{"name":', 'MALFORMED_JSON'],
    ['[1]', 'INVALID_BODY'],
    ['"text"', 'INVALID_BODY'],
  ])('a body of %s is refused', async (sent, code) => {
    const ask = await askHosted()
    for (const method of ['POST', 'PUT']) {
      const { status, body } = await ask(method, '/products', sent)
      expect([status, body.code]).toEqual([400, code])
    }
  })
})

it.each([
  '/products/999',
  '/companies/999',
  '/products/__proto__',
  '/products/1/x',
  ...['/__history', '/__sessions', '/__clock', '/__reset', '/__schema', '/__openapi', '/__requests'],
])('GET %s is a 404 {}', async (path) => {
  const { status, text } = await (await askHosted())('GET', path)
  expect([status, text]).toEqual([404, '{}'])
})

describe('private', () => {
  it.each([
    ['no key', undefined, 401, 'API_KEY_MISSING'],
    ['an empty key', '', 401, 'API_KEY_MISSING'],
    ['another key', 'hosted-private-key-002', 403, 'API_KEY_INVALID'],
    ['half the key', KEY.slice(0, 9), 403, 'API_KEY_INVALID'],
    ['two keys', `${KEY}, ${KEY}`, 403, 'API_KEY_INVALID'],
  ])('%s is refused on every path, before the body is read', async (_name, key, status, code) => {
    const ask = await askHosted({ variant: 'private' })
    const headers: Record<string, string> = key === undefined ? {} : { 'X-Api-Key': key }
    for (const [method, path, sent] of [
      ['GET', '/products'],
      ['GET', '/companies/1'],
      ['POST', '/products', '{"broken'],
      ['PATCH', '/companies/1', '{"broken'],
      ['GET', '/db'],
      ['GET', '/nowhere'],
    ] as const) {
      const response = await ask(method, path, sent, headers)
      expect([response.status, response.body.code]).toEqual([status, code])
      expect('timestamp' in response.body).toBe(status === 401)
      expect(response.text).not.toContain(KEY)
    }
  })

  it('is refused though another client has just got the same response', async () => {
    const ask = await askHosted({ variant: 'private' })
    for (let times = 0; times < 3; times++) {
      expect((await ask('GET', '/companies', undefined, { 'X-Api-Key': KEY })).status).toBe(200)
    }
    expect((await ask('GET', '/companies')).status).toBe(401)
  })

  it.each([
    ['the default key', { variant: 'private' }, KEY],
    ['a key of your own', { variant: 'private', key: 'mine' }, 'mine'],
  ] as const)('%s opens it', async (_name, hosted, key) => {
    const ask = await askHosted(hosted)
    expect((await ask('GET', '/products/1', undefined, { 'x-api-key': key })).status).toBe(200)
  })

  it('the public variant requires no key, and ignores one', async () => {
    const ask = await askHosted()
    expect((await ask('GET', '/products', undefined, { 'X-Api-Key': 'anything' })).status).toBe(200)
  })
})
