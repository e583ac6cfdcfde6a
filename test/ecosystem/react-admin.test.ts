import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { type Installed, installClients } from '../support/package/install.ts'
import { type Answer, type DataProvider, ids, page, product } from './support/react-admin.ts'

const company = { id: 1, name: 'Acme', hq: { city: 'Rome' } }
const products = Array.from({ length: 30 }, (_, index) => product(index))

let client: Installed
let server: RunningServer
let provider: DataProvider

beforeAll(async () => {
  client = await installClients('react')
}, 180_000)

beforeEach(async () => {
  const data = { companies: [company, { id: 2, name: 'Zeta', hq: { city: 'Oslo' } }], products }
  server = await start({ data: structuredClone(data), foreignKeySuffix: '_id' })
  provider = client.require('ra-data-json-server')(server.url, client.require('ra-core').fetchUtils.fetchJson)
})
afterEach(() => server.close())

describe("react-admin's ra-data-json-server", () => {
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
      { pagination: page(4, 9), sort: { field: 'id', order: 'DESC' }, filter: {} },
      { data: ids(3, 2, 1), total: 30 },
    ],
    [
      'a page past the end',
      'products',
      { pagination: page(9, 9), sort: { field: 'id', order: 'ASC' }, filter: {} },
      { data: [], total: 30 },
    ],
    [
      'no pagination',
      'products',
      { sort: { field: 'id', order: 'DESC' }, filter: {} },
      { data: ids(...products.map(({ id }) => id).reverse()), total: 30 },
    ],
    ['nothing but a name', 'companies', {}, { data: ids(1, 2), total: 2 }],
    [
      'a filter',
      'products',
      { pagination: page(1, 2), sort: { field: 'id', order: 'ASC' }, filter: { company_id: 2 } },
      { data: ids(2, 4), total: 15 },
    ],
    [
      'a search',
      'products',
      { pagination: page(1, 5), sort: { field: 'id', order: 'ASC' }, filter: { q: 'product 2' } },
      { data: ids(2, 20, 21, 22, 23), total: 11 },
    ],
    [
      'a filter inside an object',
      'companies',
      { pagination: page(1, 5), sort: { field: 'id', order: 'ASC' }, filter: { hq: { city: 'Oslo' } } },
      { data: ids(2), total: 1 },
    ],
    ['a filter on something empty', 'products', { filter: { name: 'nothing' } }, { data: [], total: 0 }],
  ])('getList with %s', async (_, resource, params, answer) => {
    expect(await provider.getList(resource, params)).toEqual(answer)
  })

  it('getList with relations, parents and children by name', async () => {
    const { data } = await provider.getList('products', {
      pagination: page(1, 1),
      sort: { field: 'id', order: 'ASC' },
      filter: {},
      meta: { embed: ['company'] },
    })
    expect(data).toEqual([{ ...products[0], company }])
    const list = await provider.getList('companies', { meta: { embed: ['products'] } })
    expect(list.data).toEqual([
      expect.objectContaining({ id: 1, products: expect.arrayContaining(ids(1, 3)) }),
      expect.objectContaining({ id: 2, products: expect.arrayContaining(ids(2, 4)) }),
    ])
  })

  it('getOne, with relations and without', async () => {
    expect(await provider.getOne('products', { id: 3 })).toEqual({ data: products[2] })
    expect(await provider.getOne('products', { id: 3, meta: { embed: ['company'] } })).toEqual({
      data: { ...products[2], company },
    })
    expect(
      await provider.getOne('companies', { id: 1, meta: { embed: ['products', 'nothing'] } }),
    ).toHaveProperty('data.products.length', 15)
  })

  it('getOne of what is not there is an error with a status', async () => {
    await expect(provider.getOne('products', { id: 99 })).rejects.toMatchObject({ status: 404, body: {} })
  })

  it.each([
    ['a few', [3, 1]],
    ['more than twenty', products.map(({ id }) => id)],
    ['some that are gone', [2, 99]],
  ])('getMany of %s', async (_, wanted) => {
    const { data } = await provider.getMany('products', { ids: wanted })
    expect(data).toEqual(ids(...wanted.filter((id) => id < 31).sort((a, b) => a - b)))
  })

  it('getManyReference', async () => {
    const params = {
      target: 'company_id',
      id: 1,
      pagination: page(1, 2),
      sort: { field: 'id', order: 'DESC' },
      filter: {},
    }
    expect(await provider.getManyReference('products', params)).toEqual({ data: ids(29, 27), total: 15 })
  })

  it('create gives the id, and update and delete find it', async () => {
    const made = await provider.create('products', { data: { name: 'new', price: 1 } })
    expect(made).toEqual({ data: { id: 31, name: 'new', price: 1 } })
    const changed = await provider.update('products', {
      id: 31,
      data: { id: 31, name: 'newer' },
      previousData: made.data,
    })
    expect(changed).toEqual({ data: { id: 31, name: 'newer' } })
    expect(await provider.delete('products', { id: 31, previousData: changed.data })).toEqual({ data: {} })
    await expect(provider.getOne('products', { id: 31 })).rejects.toMatchObject({ status: 404 })
  })

  it('an id that is taken is an error with our message', async () => {
    const refused = provider.create('products', { data: { id: 1 } })
    await expect(refused).rejects.toMatchObject({
      status: 409,
      message: 'products already has an item with id 1',
    })
  })

  it('updateMany and deleteMany answer with the ids', async () => {
    expect(await provider.updateMany('products', { ids: [1, 2], data: { name: 'same' } })).toEqual({
      data: [1, 2],
    })
    expect(await provider.getMany('products', { ids: [1, 2] })).toEqual({
      data: [
        { id: 1, name: 'same' },
        { id: 2, name: 'same' },
      ],
    })
    await provider.deleteMany('products', { ids: [1, 2] })
    expect(await provider.getMany('products', { ids: [1, 2] })).toEqual({ data: [] })
  })
})
