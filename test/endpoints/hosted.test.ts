import express from 'express'
import request from 'supertest'
import { describe, expect, it, vi } from 'vitest'
import { open } from '../../src/app/open.ts'
import { type HostedOptions, hosted } from '../../src/endpoints/hosted.ts'

const KEY = 'hosted-private-key-001'

function client(options: HostedOptions = { variant: 'public' }) {
  return request(express().use(hosted(options)))
}

describe('fixed examples', () => {
  it.each([
    ['/products', ['id', 'name', 'price', 'company_id']],
    ['/companies', ['id', 'name', 'revenue', 'headquarter', 'locations']],
  ])('GET %s answers with items of the documented shape', async (path, fields) => {
    const { status, body, headers } = await client().get(path)
    expect(status).toBe(200)
    expect(body.length).toBeGreaterThanOrEqual(5)
    expect(headers['x-total-count']).toBe(String(body.length))
    for (const item of body) expect(Object.keys(item)).toEqual(fields)
  })

  it('every product belongs to a company of the examples', async () => {
    const companies = (await client().get('/companies')).body.map(({ id }: { id: number }) => id)
    for (const { company_id } of (await client().get('/products')).body)
      expect(companies).toContain(company_id)
  })

  it('a product by id may differ from the list, a company does not', async () => {
    const { body: products } = await client().get('/products')
    const { body: product } = await client().get('/products/1')
    expect(product.id).toBe(1)
    expect(product).not.toEqual(products[0])
    expect((await client().get('/products/2')).body).toEqual(products[1])
    const { body: companies } = await client().get('/companies')
    expect((await client().get('/companies/1')).body).toEqual(companies[0])
  })

  it('answers HEAD and ignores queries', async () => {
    expect((await client().head('/products/1')).status).toBe(200)
    expect((await client().get('/products?id=1&_limit=1')).body.length).toBeGreaterThanOrEqual(5)
  })

  it('serves custom examples', async () => {
    const examples = { products: [{ id: 'a' }], companies: [] }
    const own = client({ variant: 'public', examples })
    expect((await own.get('/products/a')).body).toEqual({ id: 'a' })
    expect((await own.post('/products').send({})).body).toEqual({ id: 1 })
  })
})

describe('writes', () => {
  it.each([
    ['/products', { name: 'Lamp' }, { name: 'Lamp', id: 6 }],
    ['/products', { id: 41, name: 'Lamp' }, { id: 41, name: 'Lamp' }],
    ['/products/7', { name: 'Lamp' }, { name: 'Lamp', id: 7 }],
    ['/products/x%20y', {}, { id: 'x y' }],
  ])('POST %s of %j is answered as created', async (path, sent, expected) => {
    const { status, body, headers } = await client().post(path).set('Host', 'localhost:3000').send(sent)
    expect([status, body]).toEqual([201, expected])
    expect(headers.location).toBe(`http://localhost:3000/products/${encodeURIComponent(expected.id)}`)
  })

  it('POST of a list creates each', async () => {
    const { status, body } = await client()
      .post('/products')
      .send([{ name: 'a' }, { name: 'b' }])
    expect([status, body]).toEqual([
      201,
      [
        { name: 'a', id: 6 },
        { name: 'b', id: 7 },
      ],
    ])
  })

  it.each([
    ['put', '/products/1', { name: 'New' }, { name: 'New', id: 1 }],
    ['put', '/products/99', { id: 5, name: 'New' }, { name: 'New', id: 99 }],
    ['put', '/products', { name: 'New' }, { name: 'New' }],
    ['delete', '/products/1', undefined, {}],
    ['delete', '/products', undefined, {}],
  ] as const)('%s %s is accepted', async (verb, path, sent, expected) => {
    const { status, body } = await client()[verb](path).send(sent)
    expect([status, body]).toEqual([200, expected])
  })

  it('are not stored', async () => {
    const app = client()
    const before = (await app.get('/products')).body
    await app.post('/products').send({ name: 'Lamp' })
    await app.put('/products/2').send({ name: 'Lamp' })
    await app.delete('/products/3')
    expect((await app.get('/products')).body).toEqual(before)
    expect((await app.get('/products/6')).status).toBe(404)
    expect((await app.get('/products/2')).body).toEqual(before[1])
    expect((await app.get('/products/3')).body).toEqual(before[2])
  })

  it('JSON under another content type is read, with a warning to the given log', async () => {
    const log = vi.fn()
    const { body } = await client({ variant: 'public', log })
      .post('/products')
      .type('text')
      .send('{"name":"Lamp"}')
    expect(body).toEqual({ name: 'Lamp', id: 6 })
    expect(log).toHaveBeenCalledOnce()
  })

  it('a server prints that warning as it prints all others', async () => {
    const print = vi.fn()
    await using server = await open({ hosted: { variant: 'public' }, print })
    const headers = { 'Content-Type': 'text/plain' }
    await server.fetch('/products', { method: 'POST', headers, body: '{"name":"Lamp"}' })
    expect(print).toHaveBeenCalledWith(expect.stringContaining('A JSON body arrived as text/plain'))
  })

  it.each([
    ['{"name":', 'MALFORMED_JSON'],
    ['[1]', 'INVALID_BODY'],
    ['"text"', 'INVALID_BODY'],
  ])('a body of %s is refused', async (sent, code) => {
    for (const verb of ['post', 'put'] as const) {
      const { status, body } = await client()[verb]('/products').type('json').send(sent)
      expect([status, body.code]).toEqual([400, code])
    }
  })
})

it.each([
  ['get', '/products/999'],
  ['get', '/companies/999'],
  ['get', '/products/__proto__'],
  ['get', '/db'],
  ['get', '/'],
  ['get', '/products/1/x'],
  ['patch', '/products/1'],
  ['post', '/companies'],
  ['put', '/companies/1'],
  ['delete', '/companies/1'],
] as const)('%s %s is a 404 {}', async (verb, path) => {
  const { status, text } = await client()[verb](path)
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
    for (const [verb, path] of [
      ['get', '/products'],
      ['post', '/products'],
      ['get', '/nowhere'],
    ] as const) {
      const asked = client({ variant: 'private' })[verb](path).type('json')
      if (key !== undefined) asked.set('X-Api-Key', key)
      const answer = await (verb === 'post' ? asked.send('{"broken') : asked)
      expect([answer.status, answer.body.code]).toEqual([status, code])
      expect('timestamp' in answer.body).toBe(status === 401)
      expect(answer.text).not.toContain(KEY)
    }
  })

  it.each([
    ['the default key', { variant: 'private' }, KEY],
    ['a key of your own', { variant: 'private', key: 'mine' }, 'mine'],
  ] as const)('%s opens it', async (_name, options, key) => {
    expect((await client(options).get('/products/1').set('x-api-key', key)).status).toBe(200)
  })

  it('a refusal is recorded under its name, for the page to show', async () => {
    const notes: unknown[] = []
    const app = express().use(
      (_req, res, next) => {
        res.once('finish', () => notes.push(res.locals.refusedBy))
        next()
      },
      hosted({ variant: 'private' }),
    )
    for (const key of ['', 'another', KEY]) await request(app).get('/products').set('X-Api-Key', key)
    expect(notes).toEqual(['hosted', 'hosted', undefined])
  })

  it('the public variant requires no key, and ignores one', async () => {
    expect((await client().get('/products').set('X-Api-Key', 'anything')).status).toBe(200)
  })
})

it('lets nothing through to what is behind it', async () => {
  const behind = vi.fn()
  await request(express().use(hosted({ variant: 'public' }), behind)).get('/db')
  expect(behind).not.toHaveBeenCalled()
})
