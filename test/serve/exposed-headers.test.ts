import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { StartOptions } from '../../src/index.ts'
import { folderOf } from '../support/folder.ts'
import { exchange } from '../support/http/exchange.ts'
import { serve } from '../support/http/serve.ts'

const ORIGIN = { origin: 'http://page.test' }
const KEY = { 'x-api-key': 'web-client-key-001' }

async function serveProducts(options: StartOptions) {
  return serve({ data: { products: [{ id: 1 }] }, ...options })
}

function exposedBy(headers: Readonly<Record<string, string>>): readonly string[] {
  return (headers['access-control-expose-headers'] ?? '').split(', ').filter(Boolean)
}

const delay = { min: 0, max: 1 }

describe.each([[[]], [['cors']]])('with %j, a page of another origin may read', (before) => {
  it.each<[string, StartOptions, Record<string, string>, number, readonly string[]]>([
    ['the limit', { middlewares: ['rate-limit'] }, {}, 200, ['X-RateLimit-Limit', 'X-RateLimit-Remaining']],
    [
      'when it may come again',
      { middlewares: ['rate-limit'], rateLimit: { limit: 1 } },
      {},
      429,
      ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'Retry-After'],
    ],
    [
      'when to try again, by a rule',
      { faults: { rules: [{ status: 503, headers: { 'Retry-After': '1' } }] } },
      {},
      503,
      ['Retry-After'],
    ],
    ['what was honored', {}, { prefer: 'code=503' }, 503, ['Preference-Applied']],
    ['which session it was in', {}, { 'x-mock-session': 'a' }, 200, ['X-Mock-Session']],
    ['who it is', { middlewares: ['api-key'] }, KEY, 200, ['X-Authenticated-Client', 'X-RateLimit-Limit']],
    [
      'how long it waited',
      { middlewares: ['delay'], delay },
      {},
      200,
      ['X-Simulated-Delay', 'X-Server-Time'],
    ],
    [
      'how long it waited to be refused',
      { middlewares: ['delay', 'api-key'], delay },
      {},
      401,
      ['X-Simulated-Delay', 'X-Server-Time'],
    ],
    [
      'all of it',
      { middlewares: ['delay', 'rate-limit', 'api-key'], delay },
      KEY,
      200,
      ['X-Simulated-Delay', 'X-RateLimit-Remaining', 'X-Authenticated-Client'],
    ],
  ])('%s', async (_, options, headers, status, wanted) => {
    const { port } = await serveProducts({
      ...options,
      middlewares: [...before, ...(options.middlewares ?? [])],
    })
    const ask = () => exchange(port, { method: 'GET', path: '/products', headers: { ...ORIGIN, ...headers } })
    if (status === 429) await ask()
    const answer = await ask()
    expect(answer.status).toBe(status)
    const exposed = exposedBy(answer.headers)
    expect(exposed).toEqual(expect.arrayContaining([...wanted]))
    expect(exposed).toEqual([...new Set(exposed)])
    for (const name of wanted) expect(answer.headers).toHaveProperty(name.toLowerCase())
    if (status === 200) expect(exposed).toEqual(expect.arrayContaining(['X-Total-Count', 'Link', 'ETag']))
  })
})

describe('what may be read', () => {
  it('is what json-server says where no origin is sent', async () => {
    const { port } = await serveProducts({ middlewares: ['delay', 'rate-limit', 'api-key'], delay })
    const plain = await exchange(port, { method: 'GET', path: '/products?_page=1', headers: KEY })
    expect(exposedBy(plain.headers)).toEqual(['X-Total-Count', 'Link'])
  })

  it("is the documented union, plus what a user's file adds", async () => {
    const { port } = await serveProducts({})
    const plain = await exchange(port, { method: 'GET', path: '/products', headers: ORIGIN })
    expect(exposedBy(plain.headers)).toEqual(['X-Total-Count', 'Link', 'Location', 'Content-Range', 'ETag'])

    const home = folderOf({})
    const file = `${home}/own.cjs`
    const source =
      "module.exports = (_req, res, next) => { res.append('Access-Control-Expose-Headers', 'X-Own'); next() }"
    await writeFile(file, source)
    const own = await serveProducts({ middlewares: ['rate-limit', file] })
    const answer = await exchange(own.port, { method: 'GET', path: '/products', headers: ORIGIN })
    const exposed = String(answer.headers['access-control-expose-headers'])
    for (const name of ['X-Own', 'X-RateLimit-Remaining', 'ETag']) expect(exposed).toContain(name)
  })
})
