import { describe, expect, it } from 'vitest'
import { create, router } from '../../../../src/index.ts'
import { json, serving } from '../../../support/http/serving.ts'
import { type Kept, serveShop } from '../../../support/http/shop.ts'

const MINIMAL = { prefer: 'return=minimal' }
const WHOLE = { prefer: 'return=representation' }

describe.each<Kept>(['a file', 'a live object'])('Prefer: return on a write to %s', (kept) => {
  it.each<[string, string, unknown, number]>([
    ['POST', '/products', { name: 'a' }, 201],
    ['POST', '/products', [{ name: 'a' }, { name: 'b' }], 201],
    ['POST', '/companies/1/products', { name: 'a' }, 201],
    ['POST', '/profile', { name: 'a' }, 201],
    ['PUT', '/products/1', { name: 'a' }, 204],
    ['PUT', '/products/77?_upsert=true', { name: 'a' }, 201],
    ['PATCH', '/products/1', { name: 'a' }, 204],
    ['PATCH', '/profile', { name: 'a' }, 204],
    ['DELETE', '/products/1', undefined, 204],
  ])('minimal: %s %s has no body', async (method, path, body, status) => {
    const plain = await (await serveShop(kept)).ask(method, path, body)
    const { ask, kept: read } = await serveShop(kept)
    const answer = await ask(method, path, body, MINIMAL)
    expect([answer.status, answer.body]).toEqual([status, ''])
    expect(answer.headers['preference-applied']).toBe('return=minimal')
    expect(answer.headers.vary).toMatch(/\bPrefer\b/)
    expect(answer.headers).not.toHaveProperty('content-type')
    expect(answer.headers.location?.replace(/^.*:\d+/, '')).toBe(
      plain.headers.location?.replace(/^.*:\d+/, ''),
    )
    if (method !== 'DELETE' && !Array.isArray(body)) expect(answer.headers.etag).toBe(plain.headers.etag)
    const written = method === 'DELETE' ? 2 : 'a'
    expect(JSON.stringify(await read())).toContain(JSON.stringify(written))
  })

  it.each<[string, string, unknown, unknown]>([
    ['DELETE', '/companies/2', undefined, { id: 2, name: 'Bolt' }],
    ['PUT', '/companies/2', { a: 1 }, { a: 1, id: 2 }],
    ['PATCH', '/companies/2', { a: 1 }, { id: 2, name: 'Bolt', a: 1 }],
    ['POST', '/companies', { a: 1 }, { a: 1, id: 3 }],
  ])('representation: %s %s answers the item', async (method, path, body, item) => {
    const { ask } = await serveShop(kept)
    const answer = await ask(method, path, body, WHOLE)
    expect(JSON.parse(answer.body)).toEqual(item)
    expect(answer.headers['preference-applied']).toBe('return=representation')
    expect(answer.headers.vary).toMatch(/\bPrefer\b/)
  })

  it.each(['', 'return', 'return=all', 'wait=10', 'return="', 'x; return=minimal'])(
    'anything else, as %j, changes nothing',
    async (prefer) => {
      const { ask } = await serveShop(kept)
      const answer = await ask('DELETE', '/products/1', undefined, { prefer })
      expect([answer.status, answer.body]).toEqual([200, '{}'])
      expect(answer.headers).not.toHaveProperty('preference-applied')
      expect(answer.headers.vary ?? '').not.toMatch(/Prefer/)
    },
  )

  it('is not applied to what failed, nor to a read', async () => {
    const { ask } = await serveShop(kept)
    const answers = [
      await ask('PUT', '/products/99', {}, MINIMAL),
      await ask('POST', '/products', { id: 1 }, MINIMAL),
      await ask('GET', '/products/1', undefined, MINIMAL),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 409, 200])
    for (const { headers, body } of answers) {
      expect(headers).not.toHaveProperty('preference-applied')
      expect(body).not.toBe('')
    }
  })

  it('can be read by a page of another origin, and asked for', async () => {
    const { ask } = await serveShop(kept)
    const origin = 'http://page.test'
    const answer = await ask('PATCH', '/products/1', {}, { ...MINIMAL, origin })
    const exposed = answer.headers['access-control-expose-headers']?.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['Preference-Applied', 'ETag', 'X-Total-Count', 'Location']),
    )
    const preflight = await ask('OPTIONS', '/products?price=1', undefined, {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'if-match,if-none-match,prefer,content-type',
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-headers']).toBe(
      'if-match,if-none-match,prefer,content-type',
    )
    expect(preflight.headers['access-control-allow-methods']).toMatch(/PATCH/)
  })
})

it('the answer without a body carries the tag of the plain item, which a render of your own would wrap', async () => {
  const rest = router({ posts: [{ id: 1 }] })
  const url = await serving(create().use(rest))
  const put = (headers: object) => {
    const { headers: sent, ...rest } = json('PUT', { a: 1 })
    return fetch(`${url}/posts/1`, { ...rest, headers: { ...sent, ...headers } })
  }
  const plain = (await put({})).headers.get('etag')
  expect(plain).toMatch(/^W\/"/)
  rest.render = (_req, res) => res.jsonp({ data: res.locals.data })
  expect((await put(MINIMAL)).headers.get('etag')).toBe(plain)
  const wrapped = await put(WHOLE)
  expect(await wrapped.json()).toEqual({ data: { a: 1, id: 1 } })
  expect(wrapped.headers.get('preference-applied')).toBe('return=representation')
})

it('nothing is kept of a dry run, whatever is asked for', async () => {
  const rest = router(
    {
      posts: [
        { id: 1, n: 1 },
        { id: 2, n: 1 },
      ],
    },
    { _isFake: true },
  )
  const url = await serving(create().use(rest))
  const asks: [string, string, unknown, string][] = [
    ['PATCH', '/posts?n=1', { n: 2 }, 'application/json'],
    ['PATCH', '/posts/1', [{ op: 'replace', path: '/n', value: 3 }], 'application/json-patch+json'],
    ['PATCH', '/posts/1', { n: null }, 'application/merge-patch+json'],
    ['PUT', '/posts/9?_upsert=true', { n: 4 }, 'application/json'],
    ['DELETE', '/posts?n=1', undefined, 'application/json'],
  ]
  const statuses = []
  for (const [method, path, body, type] of asks) {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([200, 200, 200, 201, 200])
  expect(await (await fetch(`${url}/posts`)).json()).toEqual([
    { id: 1, n: 1 },
    { id: 2, n: 1 },
  ])
})
