import { describe, expect, it } from 'vitest'
import { type Kept, serveShop } from '../../support/http/shop.ts'

describe.each<Kept>(['a file', 'a live object'])('a PUT that may create, in %s', (kept) => {
  it('makes the item where there is none, and replaces it from then on', async () => {
    const { ask, url, kept: read } = await serveShop(kept)
    const made = await ask('PUT', '/products/999?_upsert=true', { name: 'New', id: 5 })
    expect([made.status, made.headers.location]).toEqual([
      201,
      `${url.replace('localhost', '127.0.0.1')}/products/999`,
    ])
    expect(JSON.parse(made.body)).toEqual({ name: 'New', id: 999 })
    expect(made.headers.etag).toBe((await ask('GET', '/products/999')).headers.etag)
    const again = await ask('PUT', '/products/999?_upsert=true', { name: 'Newer' })
    expect([again.status, again.headers.location]).toEqual([200, undefined])
    expect((await read()).products?.at(-1)).toEqual({ name: 'Newer', id: 999 })
    expect(JSON.parse((await ask('POST', '/products', {})).body)).toEqual({ id: 1000 })
  })

  it.each<[string, unknown[], string, unknown]>([
    ['a number where ids are', [{ id: 1 }], '7', 7],
    ['a number where ids are, zero too', [{ id: 1 }], '0', 0],
    ['zero where there is nothing yet', [], '0', 0],
    ['a string where ids are, zero too', [{ id: 'a' }], '0', '0'],
    ['a number where there is nothing yet', [], '7', 7],
    ['a string where ids are', [{ id: 'a' }], '7', '7'],
    ['a string where it is no number', [{ id: 1 }], 'seven', 'seven'],
    ['a string where a number would be written otherwise', [{ id: 1 }], '007', '007'],
    [
      'a string where a number would lose digits',
      [{ id: 1 }],
      '12345678901234567890',
      '12345678901234567890',
    ],
    ['what the path says, decoded', [{ id: 'a' }], 'a%20b', 'a b'],
  ])('gives it an id that is %s', async (_what, items, id, stored) => {
    const { ask } = await serveShop(kept, {}, { items })
    const made = await ask('PUT', `/items/${id}?_upsert=true`, {})
    expect([made.status, JSON.parse(made.body)]).toEqual([201, { id: stored }])
    expect((await ask('GET', `/items/${id}`)).status).toBe(200)
  })

  it('keeps zero where rules make the ids of other rows', async () => {
    const rules = { resources: { items: { ids: 'increment', timestamps: true } } } as const
    const { ask } = await serveShop(kept, rules, { items: [{ id: 1 }] })
    expect(JSON.parse((await ask('PUT', '/items/0?_upsert=true', {})).body)).toMatchObject({ id: 0 })
    expect(JSON.parse((await ask('POST', '/items', { id: 0 })).body)).toMatchObject({ id: 2 })
  })

  it('is every PUT where the server says so, unless the request says no', async () => {
    const { ask } = await serveShop(kept, { upsert: true })
    expect((await ask('PUT', '/products/98?_upsert=false', {})).status).toBe(404)
    expect((await ask('PUT', '/products/98', {})).status).toBe(201)
    expect((await ask('PATCH', '/products/97', {})).status).toBe(404)
    expect((await ask('PATCH', '/products/97?_upsert=true', {})).status).toBe(404)
  })

  it('is none by default, and with no other value', async () => {
    const { ask } = await serveShop(kept)
    for (const query of ['', '?_upsert', '?_upsert=', '?_upsert=1', '?_upsert=false']) {
      expect((await ask('PUT', `/products/98${query}`, {})).status).toBe(404)
    }
    expect((await ask('PUT', '/nowhere/1?_upsert=true', {})).status).toBe(404)
  })

  it('makes it once, whoever comes together', async () => {
    const { ask, kept: read } = await serveShop(kept)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => ask('PUT', '/products/50?_upsert=true', { n })),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(201), count(200)]).toEqual([1, 29])
    expect((await read()).products).toHaveLength(4)
    const only = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        ask('PUT', '/products/51?_upsert=true', { n }, { 'if-none-match': '*' }),
      ),
    )
    expect(only.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(only.filter(({ status }) => status === 412)).toHaveLength(29)
  })

  it('does not create what If-Match asks for', async () => {
    const { ask } = await serveShop(kept)
    for (const tag of ['*', '"a"']) {
      expect((await ask('PUT', '/products/99?_upsert=true', {}, { 'if-match': tag })).status).toBe(412)
    }
    expect((await ask('GET', '/products/99')).status).toBe(404)
  })

  it('goes by the key of the data', async () => {
    const { ask } = await serveShop(kept, { id: 'key' }, { things: [{ key: 1 }] })
    const made = await ask('PUT', '/things/2?_upsert=true', { key: 9, a: 1 })
    expect(JSON.parse(made.body)).toEqual({ key: 2, a: 1 })
  })

  it('refuses an id that no URL could hold', async () => {
    const { ask } = await serveShop(kept)
    const answer = await ask('PUT', `/products/${'x'.repeat(1001)}?_upsert=true`, {})
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'INVALID_BODY'])
  })
})
