import { describe, expect, it } from 'vitest'
import { type Kept, serveShop } from '../../../support/http/shop.ts'

describe.each<Kept>(['a file'])('_explain=true on a list of %s', (kept) => {
  it('tells how the query was understood, instead of rows', async () => {
    const { ask } = await serveShop(kept)
    const query = 'price_gt=5&name_like=a&q=LAMP&_sort=-price&_page=1&_limit=2&_expand=company&prise=1'
    const answer = await ask('GET', `/products?${query}&_explain=true`)
    const told = JSON.parse(answer.body)
    expect(answer.status).toBe(200)
    expect(told).toEqual({
      resource: 'products',
      filters: [
        { field: 'price', operator: 'gt', values: ['5'] },
        { field: 'name', operator: 'like', values: ['a'] },
      ],
      search: 'lamp',
      sort: [{ field: 'price', order: 'desc' }],
      window: { kind: 'page', page: 1, size: 2 },
      relations: { embed: [], expand: ['company'] },
      ignored: [{ name: 'prise', reason: 'unknown field', suggestion: 'price' }],
      plan: { uses: [], examined: 3, matched: 2 },
      ms: expect.any(Number),
    })
  })

  it.each<[string, unknown]>([
    ['/products?', []],
    ['/companies/2/products?', [{ field: 'company_id', operator: 'eq', values: ['2'] }]],
    [
      '/products?_where={"or":[{"price":5},{"not":{"name":"Sofa"}}]}',
      [
        {
          or: [
            { field: 'price', operator: 'eq', values: ['5'] },
            { not: { field: 'name', operator: 'eq', values: ['Sofa'] } },
          ],
        },
      ],
    ],
    ['/products?ids=1&ids=2', [{ field: 'id', operator: 'eq', values: ['1', '2'] }]],
    ['/products?filter={"company_id":[1,2]}', [{ field: 'company_id', operator: 'eq', values: ['1', '2'] }]],
    ['/products?_expand=company&company.name=Bolt', [{ field: 'company_id', operator: 'eq', values: ['2'] }]],
  ])('shows the filters of %s', async (path, filters) => {
    const { ask } = await serveShop(kept)
    const { body } = await ask('GET', encodeURI(`${path}&_explain=true`))
    expect(JSON.parse(body).filters).toEqual(filters)
  })

  it('counts what it finds as the list does', async () => {
    const { ask } = await serveShop(kept)
    for (const query of ['price_gte=10', 'name_like=^[^D]', 'q=lamp', 'nope=1', 'prise_gte=1', '_limit=1']) {
      const list = await ask('GET', `/products?${encodeURI(query)}`)
      const { plan } = JSON.parse((await ask('GET', `/products?${encodeURI(query)}&_explain=true`)).body)
      expect([query, plan.matched]).toEqual([query, Number(list.headers['x-total-count'])])
    }
  })

  it('gives way to a field of that name', async () => {
    const data = { things: [{ id: 1, _explain: true }, { id: 2 }], none: [] }
    const { ask } = await serveShop(kept, {}, data)
    expect(JSON.parse((await ask('GET', '/things?_explain=true')).body)).toEqual([data.things[0]])
    expect(JSON.parse((await ask('GET', '/none?_explain=true')).body)).toMatchObject({ resource: 'none' })
  })

  it('means nothing elsewhere, nor with another value', async () => {
    const { ask } = await serveShop(kept)
    expect((await ask('GET', '/products/1?_explain=true')).body).toBe((await ask('GET', '/products/1')).body)
    expect((await ask('GET', '/products?_explain=1')).body).toBe((await ask('GET', '/products')).body)
  })

  it('explains what a strict read would refuse, and refuses what every read does', async () => {
    const { ask } = await serveShop(kept, { strict: true })
    const { status, body } = await ask('GET', '/products?prise=5&_explain=true&_strict=true')
    expect([status, JSON.parse(body).ignored]).toEqual([
      200,
      [{ name: 'prise', reason: 'unknown field', suggestion: 'price' }],
    ])
    expect((await ask('GET', '/products?_where={&_explain=true')).status).toBe(400)
  })

  it('tells of the data as it is now', async () => {
    const { ask } = await serveShop(kept)
    const matched = async () => JSON.parse((await ask('GET', '/products?_explain=true')).body).plan.matched
    expect(await matched()).toBe(3)
    await ask('POST', '/products', {})
    expect(await matched()).toBe(4)
  })
})

describe('the plan', () => {
  const items = Array.from({ length: 500 }, (_, at) => ({
    id: at,
    price: at,
    group: at % 100,
    name: `n${at}`,
  }))

  it.each<[string, unknown, number, number]>([
    ['group=7', [{ index: 'equality', field: 'group' }], 0, 5],
    ['price_gt=490', [{ index: 'sorted', field: 'price' }], 0, 9],
    ['id=3', [{ index: 'id', field: 'id' }], 0, 1],
    ['group=7&name_endsWith=7', [{ index: 'equality', field: 'group' }], 5, 5],
    ['name_endsWith=7', [], 500, 50],
    ['_sort=-price', [{ index: 'sorted', field: 'price' }], 0, 500],
    ['_sort=price,name', [{ index: 'sorted', field: 'price' }], 0, 500],
    ['price_gt=100&_sort=price', [{ index: 'sorted', field: 'price' }], 0, 399],
    [
      'price_gt=100&_sort=name&_limit=5',
      [
        { index: 'sorted', field: 'price' },
        { index: 'sorted', field: 'name' },
      ],
      0,
      399,
    ],
    // Few enough to sort them.
    ['group=7&_sort=price', [{ index: 'equality', field: 'group' }], 0, 5],
    ['group=7&name_like=^n[^1]', [{ index: 'equality', field: 'group' }], 5, 4],
  ])('of %s names its indexes and counts the rows looked at', async (query, uses, examined, matched) => {
    const { ask } = await serveShop('a file', {}, { items })
    const { body } = await ask('GET', `/items?${encodeURI(query)}&_explain=true`)
    expect(JSON.parse(body).plan).toEqual({ uses, examined, matched })
  })
})
