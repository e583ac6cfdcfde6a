import { describe, expect, it } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { exchange } from '../../support/http/exchange.ts'
import { serving } from '../../support/http/serving.ts'

function shop() {
  return {
    companies: [{ id: 9, name: 'Nine' }, { id: 'x' }],
    products: [
      { id: 10, name: 'Desk', companyId: 9 },
      { id: 11, name: 'Lamp', companyId: '9' },
      { id: 12, name: 'Sofa', companyId: 8 },
      { id: 13, name: 'Shelf', companyId: null },
      { id: 14, name: 'Chair' },
      { id: 15, name: 'Odd', companyId: [9] },
    ],
    reviews: [{ id: 1, productId: 10 }],
    profile: { companyId: 9 },
  }
}

function ask(base: string, path: string, method = 'GET', headers = {}) {
  return exchange(Number(new URL(base).port), { method, path, headers })
}

describe('GET of a nested item', () => {
  it.each([
    ['/companies/9/products/10', 10],
    ['/companies/9/products/10/', 10],
    ['/companies/9/Products/10', 10],
    ['/Companies/9/products/10', 10],
    ['/companies/%39/products/1%30', 10],
    ['/companies/9/products/11', 11],
    ['/companies/8/products/12', 12],
  ])('finds %s as the item itself is found', async (path, id) => {
    const base = await serving(create().use(router(shop())))
    const [nested, plain] = [await ask(base, path), await ask(base, `/products/${id}`)]
    expect(nested.status).toBe(200)
    expect(nested.body).toBe(plain.body)
    expect(nested.headers.etag).toBe(plain.headers.etag)
    const { etag } = nested.headers
    expect((await ask(base, path, 'GET', { 'if-none-match': etag })).status).toBe(304)
    const head = await ask(base, path, 'HEAD')
    expect([head.status, head.headers.etag, head.body]).toEqual([200, etag, ''])
  })

  it('and of nested lists takes a parent in any case, as it takes every resource', async () => {
    const base = await serving(create().use(router(shop())))
    const [lower, upper] = [
      await ask(base, '/companies/9/products'),
      await ask(base, '/COMPANIES/9/PRODUCTS'),
    ]
    expect(upper.body).toBe(lower.body)
    expect(JSON.parse(upper.body)).toHaveLength(3)
  })

  it.each([
    '/companies/9/products/12',
    '/companies/9/products/13',
    '/companies/null/products/13',
    '/companies/undefined/products/14',
    '/companies/9/products/99',
    '/companies/x/products/10',
    '/products/10/companies/9',
    '/nothing/9/products/10',
    '/profile/9/products/10',
    '/company/9/products/10',
    '/companies/9/profile/1',
    '/companies/9/nothing/10',
    '/companies//products/10',
  ])('%s is 404 {}', async (path) => {
    const base = await serving(create().use(router(shop())))
    const { status, body } = await ask(base, path)
    expect([status, body]).toEqual([404, '{}'])
  })

  it('takes relations and fields as any item does, whatever they leave of the key', async () => {
    const base = await serving(create().use(router(shop())))
    const { body } = await ask(
      base,
      '/companies/9/products/10?_expand=company&_embed=reviews&_fields=name,company.name',
    )
    expect(JSON.parse(body)).toEqual({
      name: 'Desk',
      company: { name: 'Nine' },
      reviews: [{ id: 1, productId: 10 }],
    })
  })
})

describe('writes of a nested item', () => {
  const product = '/companies/9/products/11'

  async function write(path: string, method: string, body?: unknown, isFake = false) {
    const data = shop()
    const base = await serving(create().use(router(data, { _isFake: isFake })))
    const headers = { 'content-type': 'application/json' }
    const { status, body: text } = await exchange(Number(new URL(base).port), {
      method,
      path,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status, body: JSON.parse(text), products: data.products }
  }

  it.each([
    ['PUT', { name: 'New' }, { name: 'New', companyId: '9', id: 11 }],
    ['PUT', { id: 5, companyId: 8 }, { companyId: '9', id: 11 }],
    ['PATCH', { name: 'New' }, { id: 11, name: 'New', companyId: '9' }],
    ['PATCH', { id: 5, companyId: null, a: 1 }, { id: 11, name: 'Lamp', companyId: '9', a: 1 }],
  ])('%s %j keeps the id and the key of the path, as they are stored', async (method, body, expected) => {
    const written = await write(product, method, body)
    expect([written.status, written.body]).toEqual([200, expected])
    expect(written.products[1]).toEqual(expected)
    expect(written.products).toHaveLength(6)
  })

  it('DELETE removes it', async () => {
    const { status, body, products } = await write(product, 'DELETE')
    expect([status, body]).toEqual([200, {}])
    expect(products.map(({ id }) => id)).toEqual([10, 12, 13, 14, 15])
  })

  it.each(['PUT', 'PATCH', 'DELETE'])('%s answers as if where nothing is stored', async (method) => {
    const { status, products } = await write(
      product,
      method,
      method === 'DELETE' ? undefined : { a: 1 },
      true,
    )
    expect([status, products]).toEqual([200, shop().products])
  })

  it.each(
    ['PUT', 'PATCH', 'DELETE', 'POST'].flatMap((method) =>
      [
        ...['/companies/9/products/12', '/companies/9/products/13', '/companies/null/products/13'],
        ...['/companies/9/products/99', '/nothing/9/products/10', '/profile/9/products/10'],
        ...['/companies/9/profile/1', '/products/10/companies/9'],
      ].map((path) => [method, path] as const),
    ),
  )('%s %s is 404 {} and changes nothing', async (method, path) => {
    const { status, body, products } = await write(path, method, { name: 'x', companyId: 9 })
    expect([status, body, products]).toEqual([404, {}, shop().products])
  })

  it('PUT creates nothing, even where PUT creates items', async () => {
    for (const path of ['/companies/9/products/12', '/companies/9/products/99']) {
      const { status, products } = await write(`${path}?_upsert=true`, 'PUT', {})
      expect([status, products]).toEqual([404, shop().products])
    }
  })

  it.each([
    [
      'application/json-patch+json',
      [
        { op: 'replace', path: '/companyId', value: 8 },
        { op: 'add', path: '/a', value: 1 },
      ],
    ],
    ['application/merge-patch+json', { companyId: null, a: 1 }],
  ])('a patch of the type %s keeps the key, too', async (type, body) => {
    const data = shop()
    const base = await serving(create().use(router(data)))
    const headers = { 'content-type': type }
    const port = Number(new URL(base).port)
    const sent = { method: 'PATCH', path: product, headers, body: JSON.stringify(body) }
    expect((await exchange(port, sent)).status).toBe(200)
    expect(data.products[1]).toEqual({ id: 11, name: 'Lamp', companyId: '9', a: 1 })
    expect((await exchange(port, { ...sent, path: '/companies/9/products/12' })).status).toBe(404)
  })

  it('If-Match is compared with the item', async () => {
    const data = shop()
    const base = await serving(create().use(router(data)))
    const { etag = '' } = (await ask(base, product)).headers
    expect((await ask(base, product, 'DELETE', { 'if-match': 'W/"x"' })).status).toBe(412)
    expect((await ask(base, '/companies/9/products/12', 'DELETE', { 'if-match': etag })).status).toBe(404)
    expect(data.products).toHaveLength(6)
    expect((await ask(base, product, 'DELETE', { 'if-match': etag })).status).toBe(200)
  })

  it('POST does not take an id in its path', async () => {
    expect((await write(product, 'POST', {})).status).toBe(404)
  })

  it.each([
    [{ cascade: true }, ''],
    [{}, '?_dependent=reviews'],
  ])('DELETE takes dependents along as for any item: %j %s', async (options, query) => {
    const data = shop()
    const base = await serving(create().use(router(data, options)))
    expect((await ask(base, `/companies/9/products/10${query}`, 'DELETE')).status).toBe(200)
    expect(data.reviews).toEqual([])
  })

  it('of many at a time, none escapes the key that another has just changed', async () => {
    const data = shop()
    const base = await serving(create().use(router(data)))
    const port = Number(new URL(base).port)
    const headers = { 'content-type': 'application/json' }
    const send = (path: string, body: unknown) =>
      exchange(port, { method: 'PATCH', path, headers, body: JSON.stringify(body) })
    const answers = await Promise.all([
      send('/products/10', { companyId: 'x' }),
      ...Array.from({ length: 10 }, (_, n) => send('/companies/9/products/10', { n })),
    ])
    const late = answers.filter(({ status }) => status === 404)
    expect(late.length + answers.filter(({ status }) => status === 200).length).toBe(11)
    expect(data.products[0]).toMatchObject({ companyId: 'x' })
  })
})
