import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { serve } from '../../support/http/serve.ts'
import { json, serving } from '../../support/http/serving.ts'

const COMPANIES = [
  { id: 1, name: 'One', headquarter: { lat: 1, lng: 2 }, locations: [{ city: 'Rome', zip: 1 }] },
  { id: 2, name: 'Two', headquarter: { lat: 3, lng: 4 }, locations: [] },
]
const PRODUCTS = [
  { id: 1, name: 'Desk', companyId: 1 },
  { id: 2, name: 'Lamp', companyId: 1 },
]

async function urlOf(data: Record<string, unknown> = { companies: COMPANIES, products: PRODUCTS }) {
  const home = folderOf({ 'db.json': data })
  const { url } = await serve({ source: join(home, 'db.json') })
  return url
}

async function get(url: string) {
  const response = await fetch(url)
  return {
    body: await response.json(),
    etag: response.headers.get('etag'),
    total: response.headers.get('x-total-count'),
  }
}

describe('_fields and _omit', () => {
  it.each<[string, unknown]>([
    [
      '/companies?_fields=id,headquarter.lat',
      [
        { id: 1, headquarter: { lat: 1 } },
        { id: 2, headquarter: { lat: 3 } },
      ],
    ],
    ['/companies?_fields=name&_fields=id&_limit=1', [{ id: 1, name: 'One' }]],
    ['/companies?_fields[]=name&_limit=1', [{ name: 'One' }]],
    ['/companies/1?_fields=locations.city', { locations: [{ city: 'Rome' }] }],
    ['/companies/1?_omit=locations,%20headquarter', { id: 1, name: 'One' }],
    ['/companies/1?_fields=id,locations&_omit=locations.zip', { id: 1, locations: [{ city: 'Rome' }] }],
    ['/companies/1?_fields=nope', {}],
    ['/companies/1?_fields=&_omit=', COMPANIES[0]],
    ['/companies/1/products?_fields=name', [{ name: 'Desk' }, { name: 'Lamp' }]],
    ['/companies/1?_embed=products&_fields=name', { name: 'One', products: PRODUCTS }],
    [
      '/companies/1?_embed=products&_fields=products.name',
      { products: [{ name: 'Desk' }, { name: 'Lamp' }] },
    ],
    [
      '/products/1?_expand=company&_fields=id,company.headquarter.lat',
      { id: 1, company: { headquarter: { lat: 1 } } },
    ],
    ['/products/1?_expand=company&_omit=company', PRODUCTS[0]],
    ['/products?name=Lamp&_sort=id&_fields=id', [{ id: 2 }]],
  ])('%s', async (path, expected) => {
    const url = await urlOf()
    for (let times = 0; times < 2; times++) expect((await get(url + path)).body).toEqual(expected)
    const live = await serving(create().use(router({ companies: COMPANIES, products: PRODUCTS })))
    expect((await get(live + path)).body).toEqual(expected)
  })

  it.each<[string, unknown]>([
    ['_omit=notes.a', [null, { b: 2 }, 3, {}]],
    ['_fields=notes.a', [{ a: 1 }, { a: 4 }]],
  ])('of a list of anything: %s', async (query, notes) => {
    const posts = [{ id: 1, notes: [null, { a: 1, b: 2 }, 3, { a: 4 }] }]
    const url = await serving(create().use(router({ posts })))
    expect((await get(`${url}/posts/1?${query}`)).body).toMatchObject({ notes })
  })

  it('change neither totals nor pages, and have an ETag of their own', async () => {
    const url = await urlOf()
    const plain = await get(`${url}/products?_page=1&_limit=1`)
    const named = await get(`${url}/products?_page=1&_limit=1&_fields=name`)
    const others = await get(`${url}/products?_page=1&_limit=1&_omit=name`)
    expect([plain.total, named.total, others.total]).toEqual(['2', '2', '2'])
    expect(new Set([plain.etag, named.etag, others.etag]).size).toBe(3)
    expect([named.body, others.body]).toEqual([[{ name: 'Desk' }], [{ id: 1, companyId: 1 }]])
  })

  it('are what the answer is kept by, and what is kept follows writes', async () => {
    const url = await urlOf()
    for (const path of ['/products/1?_fields=name', '/products?_fields=name&_limit=1']) {
      const before = JSON.stringify((await get(url + path)).body)
      await fetch(`${url}/products/1`, json('PATCH', { name: path }))
      const after = JSON.stringify((await get(url + path)).body)
      expect(after).toBe(before.replace(/"name":"[^"]*"/, `"name":"${path}"`))
    }
  })

  it('are filters where any row has such a field', async () => {
    const rows = [
      { id: 1, _fields: 'id', a: 1 },
      { id: 2, _omit: 'a', a: 2 },
    ]
    const url = await urlOf({ rows })
    expect((await get(`${url}/rows?_fields=id`)).body).toEqual([rows[0]])
    expect((await get(`${url}/rows?_omit=a`)).body).toEqual([rows[1]])
    expect((await get(`${url}/rows/1?_fields=a&_omit=a`)).body).toEqual(rows[0])
    await fetch(`${url}/rows/1`, { method: 'DELETE' })
    expect((await get(`${url}/rows?_fields=id`)).body).toEqual([{ id: 2 }])
  })

  it('concern reads only', async () => {
    const url = await urlOf()
    const patched = await fetch(`${url}/products/1?_fields=name`, json('PATCH', { name: 'x' }))
    expect(await patched.json()).toEqual({ ...PRODUCTS[0], name: 'x' })
  })

  it('make of a long list, written out row by row, what they make of a short one', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => ({
      id: n,
      text: 'x'.repeat(50),
      deep: { a: n, b: n },
    }))
    const url = await urlOf({ rows })
    const response = await fetch(`${url}/rows?_fields=id,deep.b`)
    const expected = rows.map(({ id }) => ({ id, deep: { b: id } }))
    expect(await response.text()).toBe(JSON.stringify(expected, null, 2))
  })
})
