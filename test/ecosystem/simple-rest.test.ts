import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { type Installed, installClients } from '../support/package/install.ts'
import { type Answer, type DataProvider, ids, page, product } from './support/react-admin.ts'

const companies = [
  { id: 1, name: 'Acme', hq: { city: 'Rome' }, tags: ['old', 'big'] },
  { id: 2, name: 'Zeta', hq: { city: 'Oslo' }, tags: ['new'] },
]
const products = Array.from({ length: 30 }, (_, index) => ({
  ...product(index),
  sold: index < 2 ? null : '2026-01-01',
}))
const byId = (order: string) => ({ field: 'id', order })

let client: Installed
let server: RunningServer
let provider: DataProvider

beforeAll(async () => {
  client = await installClients('react')
  server = await start({ data: structuredClone({ companies, products }), foreignKeySuffix: '_id' })
  provider = client.require('ra-data-simple-rest')(server.url)
}, 180_000)
afterAll(() => server?.close())

describe("react-admin's ra-data-simple-rest", () => {
  it.each<[string, string, object, Answer]>([
    [
      'a page',
      'products',
      { pagination: page(2, 3), sort: { field: 'price', order: 'ASC' }, filter: {} },
      { data: ids(27, 26, 25), total: 30 },
    ],
    [
      'the last page',
      'products',
      { pagination: page(4, 9), sort: byId('DESC'), filter: {} },
      { data: ids(3, 2, 1), total: 30 },
    ],
    [
      'a page past the end',
      'products',
      { pagination: page(9, 9), sort: byId('ASC'), filter: {} },
      { data: [], total: 30 },
    ],
    ['nothing but a name', 'companies', { filter: {} }, { data: ids(1, 2), total: 2 }],
    [
      'a filter',
      'products',
      { pagination: page(1, 2), sort: byId('ASC'), filter: { company_id: 2 } },
      { data: ids(2, 4), total: 15 },
    ],
    [
      'a filter of several values',
      'products',
      { filter: { price: [30, 1, 99] } },
      { data: ids(1, 30), total: 2 },
    ],
    [
      'a search',
      'products',
      { pagination: page(1, 5), sort: byId('ASC'), filter: { q: 'product 2' } },
      { data: ids(2, 20, 21, 22, 23), total: 11 },
    ],
    [
      'a filter inside an object',
      'companies',
      { filter: { hq: { city: 'Oslo' } } },
      { data: ids(2), total: 1 },
    ],
    [
      'a filter inside an object and a search',
      'companies',
      { filter: { hq: { city: 'Oslo' }, q: 'acme' } },
      { data: [], total: 0 },
    ],
    ['operators', 'products', { filter: { price_gte: 29, name_endsWith: '1' } }, { data: ids(1), total: 1 }],
    [
      'an operator of a list',
      'companies',
      { filter: { tags_in: ['big', 'none'] } },
      { data: ids(1), total: 1 },
    ],
    ['null', 'products', { filter: { sold: null } }, { data: ids(1, 2), total: 2 }],
    [
      'null among others',
      'products',
      { filter: { sold: [null, '2026-01-01'], price_gte: 27 } },
      { data: ids(1, 2, 3, 4), total: 4 },
    ],
    [
      'null among others, of a field that is not there',
      'companies',
      { filter: { nothing: [null, 1] } },
      { data: ids(1, 2), total: 2 },
    ],
    ['a filter on something empty', 'products', { filter: { name: 'nothing' } }, { data: [], total: 0 }],
    ['a field that is not there', 'companies', { filter: { nothing: 1 } }, { data: ids(1, 2), total: 2 }],
  ])('getList with %s', async (_, resource, params, answer) => {
    expect(await provider.getList(resource, params)).toEqual(answer)
  })

  it('getList and getOne with relations, parents and children by name', async () => {
    const params = { pagination: page(1, 1), sort: byId('ASC'), filter: {}, meta: { embed: ['company'] } }
    expect((await provider.getList('products', params)).data).toEqual([
      { ...products[0], company: companies[0] },
    ])
    expect(await provider.getOne('companies', { id: 2, meta: { embed: ['products'] } })).toHaveProperty(
      'data.products.length',
      15,
    )
    expect(await provider.getOne('products', { id: 3 })).toEqual({ data: products[2] })
  })

  it.each([
    ['a few', [3, 1]],
    ['all of them', products.map(({ id }) => id)],
    ['some that are gone', [2, 99]],
    ['none', []],
  ])('getMany of %s', async (_, wanted) => {
    const { data } = await provider.getMany('products', { ids: wanted })
    expect(data).toEqual(ids(...wanted.filter((id) => id < 31).sort((a, b) => a - b)))
  })

  it('getManyReference', async () => {
    const params = {
      target: 'company_id',
      id: 1,
      pagination: page(1, 2),
      sort: byId('DESC'),
      filter: { price_lt: 5 },
    }
    expect(await provider.getManyReference('products', params)).toEqual({ data: ids(29, 27), total: 2 })
  })

  it('create gives the id, and update and delete find it', async () => {
    const made = await provider.create('companies', { data: { name: 'new' } })
    expect(made).toEqual({ data: { id: 3, name: 'new' } })
    const changed = await provider.update('companies', { id: 3, data: { id: 3, name: 'newer' } })
    expect(changed).toEqual({ data: { id: 3, name: 'newer' } })
    await provider.delete('companies', { id: 3 })
    await expect(provider.getOne('companies', { id: 3 })).rejects.toMatchObject({ status: 404 })
  })
})
