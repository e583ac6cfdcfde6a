import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Response as ExpressResponse, RequestHandler } from 'express'
import request from 'supertest'
import { beforeEach, describe, expect, it } from 'vitest'
import { create, defaults, type RestRouter, router, start } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'

const products = Array.from({ length: 80 }, (_, index) => ({
  id: index + 1,
  name: `p${index}`,
  companyId: 7,
}))

let folder: string
let rest: RestRouter

beforeEach(() => {
  folder = folderOf({ 'db.json': { products, companies: [{ id: 1 }], profile: { name: 'a' } } })
  const file = join(folder, 'db.json')
  rest = router(file)
})

function app(...before: RequestHandler[]) {
  const app = create()
  app.use(...before, ...defaults({ logger: false }), rest)
  return app
}

describe('an answer that was kept', () => {
  it.each<[string, string, (agent: ReturnType<typeof request>) => Promise<unknown>]>([
    ['a row', '/products/1', async (agent) => agent.patch('/products/1').send({ name: 'new' })],
    ['a list', '/products', async (agent) => agent.post('/products').send({ name: 'new' })],
    ['a page', '/products?_page=1', async (agent) => agent.delete('/products/1')],
    ['an object', '/profile', async (agent) => agent.put('/profile').send({ name: 'new' })],
    ['everything', '/db', async (agent) => agent.post('/companies').send({})],
    ['a row whose parent was missing', '/products/1?_expand=company', postCompany],
    ['a list whose parents were missing', '/products?_expand=company&_limit=2', postCompany],
    [
      'a row with children',
      '/companies/1?_embed=products',
      async (agent) => agent.post('/companies/1/products').send({}),
    ],
    [
      'a filter on a field that no row had',
      '/products?colour=red',
      async (agent) => agent.post('/products').send({ colour: 'red' }),
    ],
  ])('is made anew after a write: %s', async (_, path, write) => {
    const agent = request(app())
    const before = await agent.get(path)
    expect((await agent.get(path)).text).toBe(before.text)
    await write(agent)
    const after = await agent.get(path)
    expect(after.status).toBe(200)
    expect(after.text).not.toBe(before.text)
  })

  it('is no answer to JSONP, nor the other way round', async () => {
    const agent = request(app())
    const plain = await agent.get('/products?_limit=1')
    const jsonp = await agent.get('/products?_limit=1&callback=cb')
    expect(jsonp.text).toContain('cb(')
    expect((await agent.get('/products?_limit=1')).text).toBe(plain.text)
  })

  it('is not used once others hold the data', async () => {
    const agent = request(app())
    await agent.get('/products/1')
    await agent.get('/products?_limit=1')
    Object.assign(rest.db.getState().products as object[], { 0: { id: 1, name: 'behind' } })
    expect((await agent.get('/products/1')).body.name).toBe('behind')
    expect((await agent.get('/products?_limit=1')).body[0].name).toBe('behind')
  })
})

function postCompany(agent: ReturnType<typeof request>): Promise<unknown> {
  return Promise.resolve(agent.post('/companies').send({ id: 7, name: 'late' }))
}

describe('a long answer', () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => ({
    id: at + 1,
    name: `row ${at}`,
    tags: ['a', 'ß'],
  }))

  const saved = JSON.stringify({ rows, profile: { name: 'a' }, few: [{ id: 1 }] })

  beforeEach(() => {
    const file = join(folder, 'long.json')
    writeFileSync(file, saved)
    rest = router(file)
  })

  it.each([
    ['/rows', rows],
    ['/db', { rows, profile: { name: 'a' }, few: [{ id: 1 }] }],
  ])('is what Express would send: %s', async (path, data) => {
    const server = app()
    const { text, headers } = await request(server).get(path)
    expect(text === JSON.stringify(data, null, 2)).toBe(true)
    expect(headers.etag).toBe(server.get('etag fn')(text))
    expect(headers['content-length']).toBeUndefined()
    expect(headers['content-encoding']).toBe('gzip')
  })

  it.each(['/rows', '/db'])('lets others have their turn while it is made: %s', async (path) => {
    const order: string[] = []
    const watch: RequestHandler = (_req, res, next) => {
      setImmediate(() => order.push('others'))
      const end = res.end.bind(res) as (...args: unknown[]) => ExpressResponse
      Object.assign(res, {
        end(...args: unknown[]) {
          order.push('answer')
          return end(...args)
        },
      })
      next()
    }
    await request(app(watch)).get(path).set('Accept-Encoding', 'identity')
    expect(order).toEqual(['others', 'answer'])
  })

  it('is of one moment, though others get hold of the rows while it is made', async () => {
    const takeOver: RequestHandler = (_req, _res, next) => {
      setImmediate(() => {
        for (const row of rest.db.getState().rows as { name: string }[]) row.name = 'changed in place'
      })
      next()
    }
    const { body } = await request(app(takeOver)).get('/rows').set('Accept-Encoding', 'identity')
    const names = new Set((body as { name: string }[]).map(({ name }) => name))
    expect(names.has('changed in place')).toBe(names.size === 1)
  })

  it('is left to a middleware that lost patience', async () => {
    const faults: string[] = []
    const giveUp: RequestHandler = (req, res, next) => {
      if (req.headers['x-wait'] === 'no') setImmediate(() => res.status(503).end('too late'))
      next()
    }
    const server = app(giveUp)
    server.set('fault log', (text: string) => faults.push(text))
    expect((await request(server).get('/rows').set('X-Wait', 'no')).text).toBe('too late')
    // By then what the first one asked for is there, too.
    await request(server).get('/rows').expect(200)
    expect(faults).toEqual([])
  })

  it('is the same however it is asked for, by all at once and again', async () => {
    const server = await start({ source: join(folder, 'long.json'), quiet: true })
    try {
      const ask = (method: string, headers = {}) => fetch(`${server.url}/rows`, { method, headers })
      const identity = { 'Accept-Encoding': 'identity' }
      const asked = () => [ask('GET', identity), ask('GET'), ask('HEAD', identity), ask('GET', identity)]
      const [first, zipped, head, again] = (await Promise.all(asked())) as [
        Response,
        Response,
        Response,
        Response,
      ]
      const text = await first.text()
      expect(text === JSON.stringify(rows, null, 2)).toBe(true)
      expect((await zipped.text()) === text).toBe(true)
      expect((await again.text()) === text).toBe(true)
      expect(zipped.headers.get('content-encoding')).toBe('gzip')
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
      // Not with `fetch`, which says that it wants no answer from a cache.
      const askAgain = () =>
        request(server.url)
          .get('/rows')
          .set('If-None-Match', first.headers.get('etag') ?? '')
      await askAgain().expect(304)
      await request(server.url).post('/rows').expect(201)
      await askAgain()
        .expect(200)
        .expect('X-Total-Count', String(rows.length + 1))
    } finally {
      await server.close()
    }
  })

  it('shows each row that was acknowledged before it was asked for', async () => {
    const server = app().listen(0)
    try {
      const lists: Promise<{ body: unknown[]; headers: Record<string, string> }>[] = []
      const list = () => request(server).get('/rows').set('Accept-Encoding', 'identity')
      for (let written = 1; written <= 2; written++) {
        lists.push(Promise.resolve(list()), Promise.resolve(list()))
        await request(server).post('/rows').send({ name: 'new' }).expect(201)
        const { body, headers } = await list()
        expect(body).toHaveLength(rows.length + written)
        expect(headers['x-total-count']).toBe(String(body.length))
      }
      for (const { body, headers } of await Promise.all(lists)) {
        expect(headers['x-total-count']).toBe(String(body.length))
      }
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })
})

describe('what users put around answers goes on working', () => {
  it.each(['send', 'jsonp'] as const)('a res.%s of their own', async (name) => {
    const seen: unknown[] = []
    const wrap: RequestHandler = (_req, res, next) => {
      const sent = res[name].bind(res) as (body: unknown) => ExpressResponse
      Object.assign(res, {
        [name](body: unknown) {
          seen.push(body)
          return sent(body)
        },
      })
      next()
    }
    await request(app(wrap)).get('/products/1')
    expect(seen).toHaveLength(1)
  })

  it('res.locals.data, once it is sent', async () => {
    const seen: unknown[] = []
    const look: RequestHandler = (_req, res, next) => {
      res.on('finish', () => seen.push(res.locals.data))
      next()
    }
    const agent = request(app(look))
    await agent.get('/products/1')
    await agent.get('/products/1')
    expect(seen).toEqual([products[0], products[0]])
  })

  it('res.locals.data of a list in a shape, whose rows are made all at once for who looks at it only', async () => {
    const seen: unknown[] = []
    const look: RequestHandler = (_req, res, next) => {
      const made = () => Object.getOwnPropertyDescriptor(res.locals, 'data')?.value
      res.on('finish', () => seen.push(made(), res.locals.data))
      next()
    }
    rest = router({ lines: [{ id: 1, unit_price: 1 }] }, { shape: { keys: 'camel' } })
    const agent = request(app(look))
    await agent.get('/lines')
    await agent.patch('/lines?id=1').send({ unitPrice: 2 })
    expect(seen).toEqual([undefined, [{ id: 1, unitPrice: 1 }], undefined, [{ id: 1, unitPrice: 2 }]])
  })

  it.each([
    ['json replacer', ['id'], '{\n  "id": 1\n}'],
    ['json spaces', 0, '{"id":1,"name":"p0","companyId":7}'],
  ])('the setting "%s"', async (setting, value, text) => {
    const server = app()
    server.set(setting, value)
    expect((await request(server).get('/products/1')).text).toBe(text)
  })
})
