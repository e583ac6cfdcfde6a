import { get } from 'node:http'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { replay } from '../../../../src/core/router/response/replay.ts'
import { ResponseCache } from '../../../../src/core/router/response/response-cache.ts'
import { routerOf } from '../../../../src/core/router/router.ts'
import { create, type StartOptions } from '../../../../src/index.ts'
import { openEngine } from '../../../../src/source/open-engine.ts'
import { folderOf } from '../../../support/folder.ts'
import { type Answer, type Ask, exchange } from '../../../support/http/exchange.ts'
import { serve } from '../../../support/http/serve.ts'
import { serving } from '../../../support/http/serving.ts'
import { runs } from '../../../support/length.ts'

const data = {
  products: Array.from({ length: 70 }, (_, index) => ({
    id: index + 1,
    name: `Schraube №${index % 7} ${'lang '.repeat(index % 40)}`,
    companyId: 1 + (index % 3),
  })),
  companies: [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ],
  profile: { name: 'x' },
}

const routes = {
  '/api/*': '/$1',
  '/slow/*': '/$1?_delay=20',
  '/first/:name': '/products?name_like=:name&_limit=1',
}

async function serveReplayed(options: StartOptions = {}) {
  const home = folderOf({ 'db.json': data, 'routes.json': routes })
  return serve({
    source: join(home, 'db.json'),
    routes: join(home, 'routes.json'),
    static: join(home, 'public'),
    ...options,
  })
}

/** A name that both servers are called by, so that their links are the same. */
const host = fc.constantFrom('shop.test', 'mall.test:81')

const read = fc.record({
  host,
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
  path: fc.constantFrom(
    ...['/products/1', '/products/2', '/products/99', '/products', '/products?v=1', '/api/products/1'],
    ...['/products?_page=2', '/products?_page=2&_limit=5', '/products?companyId=2&_start=1', '/first/schr'],
    ...[
      '/companies/1?_embed=products',
      '/products?_expand=company&_limit=3',
      '/companies',
      '/profile',
      '/db',
    ],
    ...['/products?callback=cb&_limit=1', '/nothing', '/__rules', '/companies/1/products', '/products?q=№3'],
  ),
  headers: fc.constantFrom(
    ...[{}, {}, {}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br, gzip;q=0' }],
    ...[{ origin: 'http://app.test' }, { 'if-none-match': 'LAST' }, { 'if-none-match': 'W/"other"' }],
  ),
})

const fields = { 'content-type': 'application/json' }
const write = fc.record({
  host,
  method: fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE'),
  path: fc.constantFrom('/products', '/products/1', '/products/2', '/companies/1', '/profile', '/companies'),
  headers: fc.constantFrom(
    fields,
    { ...fields, 'accept-encoding': 'gzip' },
    { ...fields, origin: 'http://a.test' },
  ),
  body: fc.constantFrom(
    '{"name":"new"}',
    `{"name":"${'long '.repeat(300)}"}`,
    '{"name":"Schraube №3","companyId":2}',
    '{"companyId":9}',
  ),
})

describe('answers that are sent again', () => {
  it('are what a server that keeps nothing answers, header for header, whatever is written', async () => {
    // Whoever has the data may change it: so nothing is kept of it.
    const [ours, plain] = [await serveReplayed(), await serveReplayed({ data: structuredClone(data) })]
    let last = '""'

    const ask = async ({ host, ...asked }: Ask & { host: string }): Promise<void> => {
      const headers: Record<string, string> = { host, ...asked.headers }
      if (headers['if-none-match'] === 'LAST') headers['if-none-match'] = last
      const path = encodeURI(asked.path)
      const both = [ours, plain].map(({ port }) => exchange(port, { ...asked, path, headers }))
      const [got, wanted] = (await Promise.all(both)).map(withoutDate)
      expect(got, JSON.stringify(asked)).toEqual(wanted)
      last = got?.headers.etag ?? last
    }
    const requests = fc.array(fc.oneof({ weight: 8, arbitrary: read }, { weight: 1, arbitrary: write }), {
      minLength: 20,
      maxLength: 60,
    })
    const property = fc.asyncProperty(requests, async (all) => {
      for (const asked of all) await ask(asked)
    })
    await fc.assert(property, { ...runs(8, 300), endOnFailure: true })
  })

  it('have the headers spelt and ordered as the first time', async () => {
    const { url } = await serveReplayed()
    const once = () =>
      new Promise<string[]>((resolve, reject) => {
        get(`${url}/products?_page=1`, (res) => resolve(res.resume().rawHeaders)).on('error', reject)
      })
    const spelling = async () => (await once()).map((text) => (text.endsWith(' GMT') ? 'now' : text))
    expect(await spelling()).toEqual(await spelling())
  })

  it.each([
    ['the usual log', {}, /GET \/companies\/1 \S*200\S* \d+\.\d{3} ms - 28$/],
    ['the layer "logger"', { middlewares: ['logger'] }, /Z GET \/companies\/1 200 \d+\.\d ms \S+$/],
  ])('are in the log: %s', async (_, options, line) => {
    vi.stubEnv('NODE_ENV', 'development')
    const lines: string[] = []
    const { port } = await serveReplayed({ ...options, print: (text) => lines.push(...text.split('\n')) })
    vi.unstubAllEnvs()
    lines.length = 0
    for (let round = 0; round < 3; round++) await exchange(port, { method: 'GET', path: '/companies/1' })
    await vi.waitFor(() => expect(lines).toHaveLength(3))
    for (const each of lines) expect(each).toMatch(line)
  })

  const token = { authorization: 'Bearer mock-bearer-token' }

  it.each<[string, StartOptions, Record<string, string>, Record<string, string>, number]>([
    ['a rate limit', { middlewares: ['rate-limit'], rateLimit: { limit: 2 } }, {}, {}, 429],
    ['a guard', { middlewares: ['bearer'] }, token, {}, 401],
    ['read-only', { readOnly: true }, {}, { 'x-http-method-override': 'DELETE' }, 403],
  ])('do not slip past %s', async (_, options, first, then, status) => {
    const { port } = await serveReplayed(options)
    const ask = (headers: Record<string, string>) =>
      exchange(port, { method: 'GET', path: '/products/1', headers })
    expect((await ask(first)).status).toBe(200)
    expect((await ask(first)).status).toBe(200)
    expect((await ask(then)).status).toBe(status)
  })

  it.each([
    ['--delay', { delay: 20 }, '/products/1'],
    ['?_delay=', {}, '/products/1?_delay=20'],
    ['a rewrite rule', {}, '/slow/products/1'],
  ] as const)('wait as long as %s says', async (_, options, path) => {
    const { port } = await serveReplayed(options)
    await exchange(port, { method: 'GET', path })
    const start = performance.now()
    await exchange(port, { method: 'GET', path })
    expect(performance.now() - start).toBeGreaterThan(18)
  })

  it('are not those of another chain, though both have one cache', async () => {
    const home = folderOf({ 'db.json': data })
    const answers = new ResponseCache()
    const engine = openEngine(join(home, 'db.json'), { id: 'id', foreignKeySuffix: 'Id' })
    const rest = routerOf(engine, { responses: answers })
    const chain = (name: string) => {
      const layer: RequestHandler = (_req, res, next) => {
        res.setHeader('X-Chain', name)
        next()
      }
      return create().use(
        replay({
          responses: answers,
          quiet: [],
          unless: { isOn: false },
          catchUp: () => undefined,
          heard: [],
          logs: [],
        }),
        layer,
        rest,
      )
    }
    const ports = [await serving(chain('a')), await serving(chain('b'))].map((url) =>
      Number(new URL(url).port),
    )
    const headers = { host: 'shop.test' }
    for (const _ of ['first', 'again']) {
      const asked = ports.map((port) => exchange(port, { method: 'GET', path: '/products/1', headers }))
      const sent = await Promise.all(asked)
      expect(sent.map((answer) => answer.headers['x-chain'])).toEqual(['a', 'b'])
    }
  })

  it('are shown to those who look at the page', async () => {
    const { port, url } = await serveReplayed()
    await exchange(port, { method: 'GET', path: '/products/1' })
    const stop = new AbortController()
    const events = await fetch(`${url}/__events`, { signal: stop.signal })
    await exchange(port, { method: 'GET', path: '/products/1' })
    let text = ''
    for await (const piece of events.body ?? []) {
      text += Buffer.from(piece).toString()
      if (text.includes('"path":"/products/1"')) break
    }
    stop.abort()
    expect(text).toContain('"etag"')
  })
})

function withoutDate({ headers: { date: _date, ...headers }, ...answer }: Answer): Answer {
  return { ...answer, headers }
}
