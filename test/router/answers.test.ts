import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { RequestHandler, Response } from 'express'
import request from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { create, defaults, type RestRouter, router } from '../../src/index.ts'
import { AnswerCache, RenderedAnswer } from '../../src/router/answer-cache.ts'

const products = Array.from({ length: 80 }, (_, index) => ({
  id: index + 1,
  name: `p${index}`,
  companyId: 7,
}))

let folder: string
let rest: RestRouter

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restable-answers-'))
  const file = join(folder, 'db.json')
  writeFileSync(file, JSON.stringify({ products, companies: [{ id: 1 }], profile: { name: 'a' } }))
  rest = router(file)
})

afterEach(() => rmSync(folder, { recursive: true }))

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

  it('serves all lists that mean the same', async () => {
    const agent = request(app())
    const [plain, varied] = [await agent.get('/products?_limit=3'), await agent.get('/products?v=1&_limit=3')]
    expect(varied.text).toBe(plain.text)
    expect(varied.headers.etag).toBe(plain.headers.etag)
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

describe('what users put around answers goes on working', () => {
  it.each(['send', 'jsonp'] as const)('a res.%s of their own', async (name) => {
    const seen: unknown[] = []
    const wrap: RequestHandler = (_req, res, next) => {
      const sent = res[name].bind(res) as (body: unknown) => Response
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

  it.each([
    ['json replacer', ['id'], '{\n  "id": 1\n}'],
    ['json spaces', 0, '{"id":1,"name":"p0","companyId":7}'],
  ])('the setting "%s"', async (setting, value, text) => {
    const server = app()
    server.set(setting, value)
    expect((await request(server).get('/products/1')).text).toBe(text)
  })
})

describe('the store of answers', () => {
  const answer = (text: string, isCurrent = () => true) =>
    new RenderedAnswer({ data: text, isCurrent }, () => 'W/"x"')

  it('gives out an answer only while it is true', () => {
    const cache = new AnswerCache(100_000)
    let isTrue = true
    cache.set(
      '/a',
      answer('x', () => isTrue),
    )
    expect(cache.get('/a')).toBeDefined()
    isTrue = false
    expect(cache.get('/a')).toBeUndefined()
    expect(cache.size).toBe(0)
  })

  it('takes about as much memory as it says, compressed copies included', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const cache = new AnswerCache(24 * 1024 * 1024)
    const used = async () => {
      for (let round = 0; round < 3; round++) {
        collect()
        await new Promise(setImmediate)
      }
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    // What answers show belongs to the data, and is there anyhow.
    const rows = Array.from({ length: 6000 }, (_, n) => {
      const words = Array.from({ length: 150 }, (_word, at) => (n * 7919 + at * 104_729) % 99_991)
      return { name: `${n % 3 ? 'ß' : n % 2 ? '№' : ''}${words.join(' ')}` }
    })
    const before = await used()
    for (const [n, data] of rows.entries()) {
      const made = new RenderedAnswer({ data, isCurrent: () => true }, () => `W/"${n}"`)
      await made.gzipped()
      cache.set(`/products?name=${n}`, made)
    }
    const taken = (await used()) - before
    expect(cache.size).toBeGreaterThan(10 * 1024 * 1024)
    expect(taken).toBeLessThan(cache.size * 1.5)
  })

  it('counts the body and a compressed copy', () => {
    const cache = new AnswerCache(100_000)
    cache.set('/a', answer('x'.repeat(1000)))
    expect(cache.size).toBeGreaterThan(1400)
    cache.clear()
    expect(cache.size).toBe(0)
  })
})
