import { get as ask, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type { RequestHandler } from 'express'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { create, defaults, type RestRouter, router } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'

const MB = 1024 * 1024

const companies = [
  { id: 1, logo: 'QUJD'.repeat((7 * MB) / 4) },
  {
    id: 2,
    logo: `${'\u2028é"\n'.repeat(1000)}${'x'.repeat(5 * MB)}`,
    tags: Array.from({ length: 20_000 }, (_, at) => ({ at })),
  },
]
const products = Array.from({ length: 500 }, (_, at) => ({ id: at + 1, companyId: (at % 3) + 1 }))
const DATA = {
  companies,
  products,
  archive: { pages: Array.from({ length: 9 }, (_, at) => ({ at, text: 'abcd'.repeat(MB) })) },
}

const expanded = products.map((product) => {
  const company = companies.find(({ id }) => id === product.companyId)
  return company ? { ...product, company } : product
})

let folder: string
let rest: RestRouter
const opened: ReturnType<ReturnType<typeof create>['listen']>[] = []

beforeAll(() => {
  folder = folderOf({ 'db.json': DATA })
})

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server of a router of its own. */
function serve(source: string | object = join(folder, 'db.json'), ...before: RequestHandler[]) {
  rest = router(source)
  const app = create()
  app.set('fault log', () => undefined)
  app.use(...before, ...defaults({ logger: false, noGzip: true }), rest)
  const server = app.listen(0)
  opened.push(server)
  const { port } = server.address() as AddressInfo
  const send = (path: string, method = 'GET', headers = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      ask({ port, path, method, headers, agent: false }, resolve).on('error', reject)
    })
  return { send, etagOf: app.get('etag fn') as (text: string) => string }
}

const LARGE: readonly (readonly [string, string, unknown])[] = [
  ['rows that share a parent', '/products?_expand=company&_limit=8', expanded.slice(0, 8)],
  ['the same of one parent', '/companies/2/products?_embed=company&_limit=6', childrenOf(2).slice(0, 6)],
  ['one huge object', '/archive', DATA.archive],
  ['all there is', '/db', DATA],
]

function childrenOf(company: number) {
  return expanded.filter(({ companyId }) => companyId === company)
}

describe.each([
  ['a file', () => join(folder, 'db.json'), LARGE],
  // Others may change its rows while they are sent, whatever was asked for.
  ['an object of the user', () => structuredClone(DATA), LARGE.slice(0, 1)],
] as const)('from %s', (_, source, large) => {
  it.each(large)('a large answer is what Express would send: %s', async (_name, path, data) => {
    const { send } = serve(source())
    const expected = JSON.stringify(data, null, 2)
    expect(expected.length).toBeGreaterThan(32 * MB)
    const answer = await send(path)
    expect((await text(answer)) === expected).toBe(true)
    // They would have to come first.
    expect(Object.keys(answer.headers)).not.toContain('etag')
    expect(Object.keys(answer.headers)).not.toContain('content-length')

    const head = await send(path, 'HEAD')
    const { 'transfer-encoding': _chunked, ...headers } = answer.headers
    expect({ ...head.headers, date: '' }).toEqual({ ...headers, date: '' })
    expect(await text(head)).toBe('')
  })

  it('an answer that relations make too large is refused, and a smaller one is given', async () => {
    const { send } = serve(source())
    const answer = await send('/products?_expand=company')
    expect(answer.statusCode).toBe(400)
    expect(JSON.parse(await text(answer))).toMatchObject({ code: 'ANSWER_TOO_LARGE' })
    expect((await send('/products?_expand=company&_limit=2', 'HEAD')).statusCode).toBe(200)
  })
})

// However the rows were found, they are rendered by the same code.
describe('from a file', () => {
  it.each(LARGE.slice(0, 1))('JSONP is what Express would send: %s', async (_name, path, data) => {
    const { send } = serve()
    const json = JSON.stringify(data, null, 2).replaceAll('\u2028', '\\u2028')
    const expected = `/**/ typeof a.b[0] === 'function' && a.b[0](${json});`
    const answer = await send(`${path}${path.includes('?') ? '&' : '?'}callback=a.b[0]()`)
    expect((await text(answer)) === expected).toBe(true)
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  it('a render of the user gets the data, and never what is too large', async () => {
    const { send } = serve()
    const render = vi.fn<RestRouter['render']>((_req, res) => {
      res.jsonp({ data: res.locals.data })
    })
    rest.render = render
    const answer = await send('/products?_expand=company&_limit=10')
    const wrapped = JSON.stringify({ data: expanded.slice(0, 10) }, null, 2)
    expect((await text(answer)) === wrapped).toBe(true)
    expect((await send('/products?_expand=company', 'HEAD')).statusCode).toBe(400)
    expect(render).toHaveBeenCalledTimes(1)
  })
})

it('what was answered can be looked at', async () => {
  const seen: unknown[] = []
  const { send } = serve(undefined, (_req, res, next) => {
    res.once('finish', () => seen.push(res.locals.data))
    next()
  })
  for (const limit of [2, 10]) await text(await send(`/products?_expand=company&_limit=${limit}`))
  // Not with `toEqual`, which takes seconds for this many values.
  expect(isDeepStrictEqual(seen, [expanded.slice(0, 2), expanded.slice(0, 10)])).toBe(true)
})

it('an answer is what it was, though somebody changes rows in place while it is sent', async () => {
  const { send } = serve()
  const answer = await send('/archive')
  const { pages } = rest.db.getState().archive as typeof DATA.archive
  for (const page of pages) page.text = 'changed'
  expect(await text(answer)).not.toContain('changed')
})

it('those who go away in the middle leave nothing behind', async () => {
  const faults: unknown[] = []
  const { send } = serve()
  const answers = await Promise.all(Array.from({ length: 3 }, (_, n) => send(`/db?n=${n}`)))
  for (const answer of answers) answer.on('error', (error) => faults.push(error)).destroy()
  expect((await text(await send('/archive'))).length).toBeGreaterThan(32 * MB)
  expect(faults).toEqual([])
})
