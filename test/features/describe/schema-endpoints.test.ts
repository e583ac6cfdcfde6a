import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { RunningServer, StartOptions } from '../../../src/index.ts'
import { serve } from '../../support/http/serve.ts'
import { Folder } from '../../support/http/watched.ts'

const DATA = {
  products: [{ id: 1, name: 'Desk', price: 1.5, company_id: 1 }],
  companies: [
    { id: 1, name: 'Acme', apiToken: 'hidden-token-0001', apiKeys: ['hidden-key-1'], user_pass: 'hidden-1' },
  ],
}
const OpenApi = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})

function serveData(options: StartOptions = {}) {
  const data = options.source === undefined ? { data: structuredClone(DATA) } : {}
  return serve({ ...data, foreignKeySuffix: '_id', ...options })
}

const get = async (server: RunningServer, path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(server.url + path, { headers })
  return { status: answer.status, headers: answer.headers, body: z.unknown().parse(await answer.json()) }
}

describe('GET /__schema', () => {
  it('is the JSON Schema of the data', async () => {
    const { status, headers, body } = await get(await serveData(), '/__schema')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { products: { items: { $ref: '#/$defs/Product' } } },
      $defs: {
        Product: {
          properties: { price: { type: 'number' } },
          required: ['id', 'name', 'price', 'company_id'],
        },
      },
    })
  })

  it('knows each resource by its name', async () => {
    const server = await serveData()
    expect((await get(server, '/__schema/products')).body).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Product',
      properties: { company_id: { 'x-references': 'companies' } },
    })
    expect(await get(server, '/__schema/nothing')).toMatchObject({ status: 404, body: {} })
  })

  it.each(['memory', 'file'])('tells of what was written a moment ago: %s', async (kind) => {
    const folder = await Folder.create()
    onTestFinished(() => folder.remove())
    const source = await folder.write('db.json', DATA)
    const server = kind === 'file' ? await serveData({ source }) : await serveData()
    const kinds = async () => Object(Object((await get(server, '/__schema/products')).body).properties)
    expect((await kinds()).price).toEqual({ type: 'number' })
    const body = JSON.stringify({ price: null, made: '2026-01-01' })
    await fetch(`${server.url}/products`, { method: 'POST', body })
    expect(await kinds()).toMatchObject({
      price: { type: ['number', 'null'] },
      made: { type: 'string', format: 'date' },
    })
    await fetch(`${server.url}/products/2`, { method: 'DELETE' })
    expect((await kinds()).price).toEqual({ type: 'number' })
    await fetch(`${server.url}/companies/1`, { method: 'PUT', body: '{"name":1}' })
    expect((await get(server, '/__schema/companies')).body).toMatchObject({
      properties: { name: { type: 'integer' } },
    })
  })

  it('tells of rows that the owner of the data changed in place', async () => {
    const data = structuredClone(DATA)
    const server = await serveData({ data })
    await get(server, '/__schema')
    Object.assign(data.products[0] ?? {}, { price: 'free' })
    expect((await get(server, '/__schema/products')).body).toMatchObject({
      properties: { price: { type: 'string' } },
    })
  })

  it('is 304 for those who know it', async () => {
    const server = await serveData()
    const { headers } = await get(server, '/__schema')
    const again = await fetch(`${server.url}/__schema`, {
      // Else fetch adds that it wants to hear it all again.
      headers: { 'If-None-Match': headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
    })
    expect(again.status).toBe(304)
  })
})

describe('GET /__openapi', () => {
  it.each(['/__openapi', '/__openapi.json', '/__openapi/'])(
    'is the document of this server: %s',
    async (path) => {
      const server = await serveData()
      const { status, body } = await get(server, path)
      expect(status).toBe(200)
      const { openapi, servers, paths } = OpenApi.parse(body)
      expect(openapi).toBe('3.1.0')
      expect(servers).toEqual([{ url: server.url }])
      expect(Object.keys(paths)).toContain('/companies/{id}/products')
    },
  )

  it.each<[string, StartOptions, (paths: z.infer<typeof OpenApi>['paths'], text: string) => void]>([
    [
      'read-only',
      { readOnly: true },
      (paths) => expect(Object.keys(paths['/products'] ?? {})).toEqual(['get']),
    ],
    ['cascade', { cascade: true }, (_, text) => expect(text).not.toContain('_dependent')],
    ['snapshots', { snapshots: 'nowhere' }, (paths) => expect(paths).toHaveProperty('/__snapshots__')],
    ['no snapshots', {}, (paths) => expect(paths).not.toHaveProperty('/__snapshots__')],
    ['no-cors', { noCors: true }, (_, text) => expect(text).not.toContain('JSONP')],
    [
      'no-cors with the cors layer',
      { noCors: true, middlewares: ['cors'] },
      (_, text) => expect(text).toContain('JSONP'),
    ],
    [
      'allowed origins',
      { allowedOrigins: ['http://a.test'] },
      (_, text) => expect(text).toContain('ORIGIN_NOT_ALLOWED'),
    ],
    ['jwt', { middlewares: ['jwt'] }, (paths) => expect(paths).toHaveProperty('/login')],
    [
      'rate-limit',
      { middlewares: ['rate-limit'] },
      (_, text) => expect(text).toContain('RATE_LIMIT_EXCEEDED'),
    ],
  ])('goes by the settings: %s', async (_, options, check) => {
    const { body } = await get(await serveData(options), '/__openapi')
    check(OpenApi.parse(body).paths, JSON.stringify(body))
  })

  it.each<[string, StartOptions]>([
    ['ids are numbers', {}],
    ['ids are texts', { data: { products: [{ id: 'a', company_id: '1' }], companies: [{ id: '1' }] } }],
    ['no product is there yet', { data: { products: [], companies: [{ id: 1 }] } }],
    [
      'a schema asks for a number',
      { resources: { products: { schema: { properties: { company_id: { type: 'integer' } } } } } },
    ],
    [
      'a schema says nothing of it',
      { resources: { products: { schema: { properties: { name: { type: 'string' } } }, timestamps: true } } },
    ],
  ])('tells what a nested POST takes and stores, if %s', async (_, options) => {
    const server = await serveData(options)
    const document = Object((await get(server, '/__openapi')).body)
    const post = document.paths['/companies/{id}/products']?.post
    // Nobody knows yet that products have a company.
    if (!post) return
    const fits = (place: object, value: unknown) => {
      const { schema } = Object(place).content['application/json']
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({
        components: document.components,
        ...schema,
      })
      return [validate(value), validate.errors]
    }
    const body = { name: 'Lamp', price: 2 }
    expect(fits(post.requestBody, body)).toEqual([true, null])
    expect(post.requestBody.content['application/json'].example).not.toHaveProperty('company_id')
    const answer = await fetch(`${server.url}/companies/1/products`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    expect(fits(post.responses[201], await answer.json())).toEqual([true, null])
    const { example } = post.responses[201].content['application/json']
    if (example) expect(fits(post.responses[201], example)).toEqual([true, null])
  })

  it('holds no secret, neither of the data nor of the settings', async () => {
    const server = await serveData({
      middlewares: ['api-key', 'jwt'],
      apiKey: { keys: { 'hidden-key-00001': ['read'] } },
      jwt: { secret: 'hidden-secret', users: [{ email: 'hidden@example.com', password: 'hidden' }] },
    })
    const { status, body } = await get(server, '/__openapi', { 'X-API-KEY': 'hidden-key-00001' })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('hidden')
    expect(JSON.stringify(body)).toContain('Acme')
  })

  it('names the data by its file, and not by where that is', async () => {
    const folder = await Folder.create()
    onTestFinished(() => folder.remove())
    const source = await folder.write('shop.json', DATA)
    const { body } = await get(await serveData({ source }), '/__openapi')
    expect(body).toMatchObject({ info: { title: 'shop.json' } })
    expect(JSON.stringify(body)).not.toContain(folder.path)
  })
})

describe('what the API says of itself', () => {
  const PATHS = ['/__schema', '/__schema/products', '/__openapi', '/__openapi.json']

  it.each(PATHS)('stands behind the guards: %s', async (path) => {
    expect((await get(await serveData({ middlewares: ['bearer'] }), path)).status).toBe(401)
  })

  it.each(PATHS)(
    'answers where its own URL names it, whatever the rules make of all others: %s',
    async (path) => {
      const folder = await Folder.create()
      onTestFinished(() => folder.remove())
      const routes = await folder.write('routes.json', { '/*': '/products', '/public/*': '/$1' })
      expect((await get(await serveData({ routes }), path)).body).not.toEqual(DATA.products)
    },
  )

  it.each(PATHS)('does not answer through a rule: %s', async (path) => {
    const folder = await Folder.create()
    onTestFinished(() => folder.remove())
    const routes = await folder.write('routes.json', { '/public/*': '/$1' })
    const server = await serveData({ routes, middlewares: ['bearer'], bearer: { publicRoutes: ['/public'] } })
    expect(await get(server, `/public${path}`)).toMatchObject({ status: 404, body: {} })
    expect((await get(server, '/public/products')).status).toBe(200)
  })

  it('can only be read', async () => {
    const server = await serveData()
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await fetch(`${server.url}/__schema`, { method })).status).toBe(404)
    }
    expect((await fetch(`${server.url}/__openapi`, { method: 'HEAD' })).status).toBe(200)
  })
})
