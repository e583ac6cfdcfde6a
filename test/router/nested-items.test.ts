import { describe, expect, it } from 'vitest'
import { create, router } from '../../src/index.ts'
import { exchange } from '../support/exchange.ts'
import { serving } from '../support/serving.ts'

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
    '/companies/9/products/10/reviews',
    '/companies/9/products/10/reviews/1',
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
