import { readFileSync, writeFileSync } from 'node:fs'
import { OutgoingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { create, defaults, type RestRouter, router } from '../../../../src/index.ts'
import { folderOf } from '../../../support/folder.ts'
import { type Answer, exchange } from '../../../support/http/exchange.ts'
import { serve } from '../../../support/http/serve.ts'
import { serving } from '../../../support/http/serving.ts'

const zips = vi.hoisted(() => ({ count: 0 }))
vi.mock('node:zlib', async (original) => {
  const real = await original<typeof import('node:zlib')>()
  const gzip = (...args: unknown[]) => {
    zips.count++
    return Reflect.apply(real.gzip, undefined, args)
  }
  return { ...real, gzip }
})

const DATA = {
  products: Array.from({ length: 90 }, (_, at) => ({
    id: at + 1,
    name: `product ${at} ${'long '.repeat(at)}`,
    companyId: 1 + (at % 3),
  })),
  companies: [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ],
  profile: { name: 'x' },
}

const READS = [
  ['an item', '/products/40'],
  ['a page', '/products?_page=2&_limit=40'],
  ['a filter', '/products?companyId=2'],
  ['a filter on a field that no row has', '/products?v=1&_limit=40'],
  ['a search', '/products?q=long&_sort=name&_limit=40'],
  ['a list', '/products'],
  ['a list with relations', '/products?_expand=company&_limit=40'],
  ['an item with relations', '/companies/1?_embed=products'],
  ['the children of an item', '/companies/2/products'],
  ['an object', '/profile'],
  ['everything', '/db'],
] as const

interface Served {
  readonly port: number
  readonly db: RestRouter['db']
  readonly file: string
}

/** Everything that answers reads, by how it is set up. */
const SERVERS = {
  async 'router() in an application of create()'(file: string): Promise<Served> {
    const rest = router(file)
    const app = create().use(defaults({ logger: false, noGzip: true }), rest)
    return { port: portOf(await serving(app)), file, db: lazily(() => rest.db) }
  },
  async "router() in somebody's own Express"(file: string): Promise<Served> {
    const rest = router(file)
    const app = express().set('json spaces', 2).use(rest)
    return { port: portOf(await serving(app)), file, db: lazily(() => rest.db) }
  },
  async 'start()'(file: string): Promise<Served> {
    const folder = join(file, '..')
    const server = await serve({
      source: file,
      snapshots: join(folder, 'saved'),
      static: join(folder, 'none'),
    })
    return { port: server.port, file, db: lazily(() => server.db) }
  },
}

const names = Object.keys(SERVERS) as (keyof typeof SERVERS)[]
const stringify = vi.spyOn(JSON, 'stringify')

/** How often something was written out as answers are: with two spaces. Saves are written so as well. */
function rendered(): number {
  return stringify.mock.calls.filter(([, , indent]) => indent === 2).length
}

beforeEach(() => {
  stringify.mockClear()
  zips.count = 0
})

async function open(name: keyof typeof SERVERS, data: object = DATA): Promise<Served> {
  const home = folderOf({ 'db.json': data })
  return SERVERS[name](join(home, 'db.json'))
}

function ask({ port }: Served, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return exchange(port, { method, path, headers })
}

describe.each(names)('a kept answer of %s', (name) => {
  it.each(READS)('is written out once, however often it is asked for: %s', async (_, path) => {
    const server = await open(name)
    const first = await ask(server, path)
    expect(first.status).toBe(200)
    expect(rendered()).toBeGreaterThan(0)

    stringify.mockClear()
    for (let round = 0; round < 3; round++) expect((await ask(server, path)).body).toBe(first.body)
    const head = await ask(server, path, {}, 'HEAD')
    expect(head.headers['content-length']).toBe(first.headers['content-length'])
    const zipped = await ask(server, path, { 'accept-encoding': 'gzip' })
    expect(zipped.body).toBe(first.body)
    const known = await ask(server, path, { 'if-none-match': first.headers.etag ?? '' })
    expect(known.status).toBe(304)
    expect(rendered()).toBe(0)
  })

  it('is the one that a HEAD asked for', async () => {
    const server = await open(name)
    await ask(server, '/products', {}, 'HEAD')
    stringify.mockClear()
    await ask(server, '/products')
    expect(rendered()).toBe(0)
  })

  it.each([
    ['a list', '/products'],
    ['a list with relations', '/products?_expand=company'],
    ['everything', '/db'],
  ])('is made by one of ten who ask for it together: %s', async (_, path) => {
    const rows = Array.from({ length: 10_000 }, (_row, at) => ({ id: at, name: `row ${at}`, companyId: 1 }))
    const data = { ...DATA, products: rows }
    const alone = await open(name, data)
    const { body } = await ask(alone, path)
    const once = rendered()

    const server = await open(name, data)
    stringify.mockClear()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(server, path)))
    expect(answers.every((answer) => answer.body === body)).toBe(true)
    expect(rendered()).toBe(once)
  })
})

describe('a kept answer of start()', () => {
  it.each(READS)('is compressed once: %s', async (_, path) => {
    const server = await open('start()')
    const first = await ask(server, path, { 'accept-encoding': 'gzip' })
    const times = first.headers['content-encoding'] === 'gzip' ? 1 : 0
    for (let round = 0; round < 3; round++) await ask(server, path, { 'accept-encoding': 'gzip, br' })
    expect(zips.count).toBe(times)
  })

  it.each(READS)(
    'leaves again with all its headers together, before anybody looks at the request: %s',
    async (_, path) => {
      const server = await open('start()')
      const headers = { 'accept-encoding': 'gzip', origin: 'http://app.test' }
      const first = await ask(server, path, headers)
      // Its head is kept from the second time on.
      await ask(server, path, headers)
      const setHeader = vi.spyOn(OutgoingMessage.prototype, 'setHeader')
      onTestFinished(() => setHeader.mockRestore())
      const set = () => setHeader.mock.contexts.filter((message) => message instanceof ServerResponse).length
      const again = await ask(server, path, headers)
      expect(set()).toBe(0)
      expect(withoutDate(again)).toEqual(withoutDate(first))
      await ask(server, path, { ...headers, origin: 'http://other.test' })
      expect(set()).toBeGreaterThan(0)
    },
  )
})

/** A change of the data, and what has to be asked for it to be seen. */
type Change = (server: Served) => Promise<unknown>

const write =
  (method: string, path: string, body: object = {}): Change =>
  (server) =>
    exchange(server.port, {
      method,
      path,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

/** Others write into the file; who writes next through the server finds it. */
const editOutside: Change = async (server) => {
  const data = JSON.parse(readFileSync(server.file, 'utf8'))
  data.products[39].name = 'from outside'
  data.products[1].name = 'from outside'
  data.profile.name = 'from outside'
  writeFileSync(server.file, JSON.stringify(data))
  await write('PATCH', '/companies/1', { name: 'c' })(server)
}

const CHANGES: readonly (readonly [string, Change])[] = [
  ['a POST', write('POST', '/products', { name: 'long new', companyId: 2, v: 2 })],
  ['a nested POST', write('POST', '/companies/2/products', { name: 'long new' })],
  ['a POST of a parent that was missing', write('POST', '/companies', { id: 3, name: 'late' })],
  ['a PUT', write('PUT', '/products/40', { name: 'put', companyId: 2 })],
  ['a PATCH', write('PATCH', '/products/40', { companyId: 3 })],
  ['a PATCH of a parent', write('PATCH', '/companies/1', { name: 'renamed' })],
  ['a DELETE', write('DELETE', '/products/1')],
  ['a PUT of the object', write('PUT', '/profile', { name: 'put' })],
  ['a PATCH of the object', write('PATCH', '/profile', { more: true })],
  ['an edit of the file', editOutside],
]

/** Changes of the data itself: not all are in the file. */
const BY_HAND: readonly (readonly [string, Change])[] = [
  [
    'a row changed in place by router.db',
    async ({ db }) => void db.get('products').find({ id: 40 }).assign({ name: 'by hand' }).value(),
  ],
  ['a write of router.db', async ({ db }) => db.get('products').remove({ companyId: 2 }).write()],
  [
    'setState',
    async ({ db }) => db.setState({ ...DATA, products: DATA.products.slice(50), profile: { name: 'set' } }),
  ],
]

describe.each(names)('an answer that %s kept is never an old one', (name) => {
  it.each(CHANGES)('after %s', (_, change) => check(change, ({ file }) => readFileSync(file, 'utf8')))
  it.each(BY_HAND)('after %s', (_, change) => check(change, ({ db }) => JSON.stringify(db.getState())))

  async function check(change: Change, stored: (server: Served) => string): Promise<void> {
    const server = await open(name)
    const paths = READS.map(([, path]) => path)
    const before: Answer[] = []
    for (const path of paths) {
      await ask(server, path)
      before.push(await ask(server, path))
    }
    await change(server)
    const after: Answer[] = []
    for (const path of paths) after.push(await ask(server, path))

    expect(after.map(({ body }) => body)).not.toEqual(before.map(({ body }) => body))
    const fresh = await servingNow(JSON.parse(stored(server)))
    for (const [at, path] of paths.entries()) {
      const { status, body } = await ask(fresh, path)
      expect([path, after[at]?.status, after[at]?.body]).toEqual([path, status, body])
    }
  }
})

it('an answer that start() kept is not used for what a snapshot brought back', async () => {
  const server = await open('start()')
  const saved = await exchange(server.port, { method: 'POST', path: '/__snapshots__' })
  const all = () => Promise.all(READS.map(async ([, path]) => (await ask(server, path)).body))
  const before = await all()
  await write('DELETE', '/companies/2')(server)
  const after = await all()
  expect(after).not.toEqual(before)
  await exchange(server.port, { method: 'PUT', path: `/__snapshots__/${JSON.parse(saved.body).id}` })
  expect(await all()).toEqual(before)
})

/** A server that keeps nothing: what it serves stays somebody else's. */
async function servingNow(data: object): Promise<Served> {
  const rest = router(data)
  const app = create().use(defaults({ logger: false, noGzip: true }), rest)
  return { port: portOf(await serving(app)), file: '', db: lazily(() => rest.db) }
}

/** Whoever asks for `db` holds the data, and then nothing is kept any more. */
function lazily(db: () => RestRouter['db']): RestRouter['db'] {
  return new Proxy({} as RestRouter['db'], { get: (_, name) => Reflect.get(db(), name, db()) })
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

function withoutDate({ headers: { date: _date, ...headers }, ...answer }: Answer): Answer {
  return { ...answer, headers }
}
