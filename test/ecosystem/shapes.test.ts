import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { type Installed, installClients } from '../support/package/install.ts'

const data = () => ({
  products: Array.from({ length: 45 }, (_, at) => ({
    id: at + 1,
    name: `Product ${at + 1}`,
    price: at,
    company_id: (at % 2) + 1,
  })),
  companies: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ],
})

let client: Installed
let server: RunningServer
beforeAll(async () => {
  client = await installClients('axios')
}, 180_000)
afterEach(() => server.close())

async function serveShape(shape: string): Promise<void> {
  server = await start({ data: data(), live: false, foreignKeySuffix: '_id', shape })
}

/** Each reads page after page as the documentation of its server says, and returns all ids. */
const READERS: Readonly<Record<string, (get: Get) => Promise<readonly number[]>>> = {
  async laravel(get) {
    const ids: number[] = []
    for (let url: string | null = '/products?per_page=20'; url !== null; ) {
      const { data, links, meta } = await get(url)
      ids.push(...idsIn(data))
      expect(meta.to).toBe(ids.length)
      url = links.next
    }
    return ids
  },
  async drf(get) {
    const ids: number[] = []
    for (let url: string | null = '/products/?limit=20'; url !== null; ) {
      const { results, next } = await get(url)
      ids.push(...idsIn(results))
      url = next
    }
    return ids
  },
  async spring(get) {
    const ids: number[] = []
    for (let [number, pages] = [0, 1]; number < pages; number++) {
      const { content, page } = await get(`/products?page=${number}&size=20&sort=id,asc`)
      ids.push(...idsIn(content))
      pages = page.totalPages
    }
    return ids
  },
  async dummyjson(get) {
    const ids: number[] = []
    for (let [skip, total] = [0, 1]; skip < total; skip += 20) {
      const { products, ...rest } = await get(`/products?limit=20&skip=${skip}`)
      ids.push(...idsIn(products))
      total = rest.total
    }
    return ids
  },
  async 'json-server-1'(get) {
    const ids: number[] = []
    for (let page: number | null = 1; page !== null; ) {
      const { data, next } = await get(`/products?_page=${page}&_per_page=20`)
      ids.push(...idsIn(data))
      page = next
    }
    return ids
  },
}

// biome-ignore lint/suspicious/noExplicitAny: what a client gets is what this is about
type Get = (url: string) => Promise<any>

function idsIn(rows: readonly { readonly id: number }[]): readonly number[] {
  return rows.map(({ id }) => id)
}

describe('axios, used as the documentation says, reads all pages of', () => {
  it.each(Object.entries(READERS))('%s', async (shape, read) => {
    await serveShape(shape)
    const axios = client.require('axios').create({ baseURL: server.url })
    const ids = await read(async (url) => (await axios.get(url)).data)
    expect(ids).toEqual(data().products.map(({ id }) => id))
  })
})

describe("refine's data provider for Strapi", () => {
  it('lists, filters, sorts, reads, creates, changes and deletes', async () => {
    await serveShape('strapi')
    const provider = client.require('@refinedev/strapi-v4').DataProvider(server.url)
    const resource = 'products'
    const list = await provider.getList({
      resource,
      pagination: { currentPage: 2, current: 2, pageSize: 3 },
      sorters: [{ field: 'price', order: 'desc' }],
      filters: [
        { field: 'name', operator: 'contains', value: 'PRODUCT 1' },
        { field: 'company_id', operator: 'in', value: [2] },
      ],
    })
    expect([idsIn(list.data), list.total]).toEqual([[12, 10], 5])
    expect((await provider.getOne({ resource, id: 3 })).data).toMatchObject({ id: 3, name: 'Product 3' })
    expect(idsIn((await provider.getMany({ resource, ids: [4, 9] })).data)).toEqual([4, 9])
    const created = await provider.create({ resource, variables: { name: 'new' } })
    const id = created.data.data?.id ?? created.data.id
    expect(id).toBe(46)
    await provider.update({ resource, id, variables: { name: 'newer' } })
    expect((await provider.getOne({ resource, id })).data.name).toBe('newer')
    await provider.deleteOne({ resource, id })
    await expect(provider.getOne({ resource, id })).rejects.toMatchObject({ statusCode: 404 })
  })
})

describe('Kitsu, a client of JSON:API', () => {
  it('lists with related rows, reads, creates, changes, deletes, and reads errors', async () => {
    await serveShape('jsonapi')
    // Its build for require() cannot be loaded.
    const { default: Kitsu } = await import(client.require.resolve('kitsu').replace(/\.js$/, '.mjs'))
    const api = new Kitsu({
      baseURL: server.url,
      pluralize: false,
      resourceCase: 'none',
      camelCaseTypes: false,
    })
    const params = { page: { size: 2 }, sort: '-price', include: 'company', filter: { company_id: 1 } }
    const list = await api.get('products', { params })
    expect(list.data).toMatchObject([
      { id: '45', type: 'products', name: 'Product 45', company: { data: { name: 'Ada' } } },
      { id: '43' },
    ])
    expect(list.meta).toEqual({ total: 23, totalPages: 12 })
    const created = await api.create('products', { name: 'new', price: 3 })
    expect([created.status, created.data.id]).toEqual([201, '46'])
    await api.update('products', { id: '46', name: 'newer' })
    expect((await api.get('products/46')).data).toMatchObject({ name: 'newer', price: 3 })
    await api.delete('products', '46')
    const error = await api.get('products/46').catch((one: unknown) => one)
    expect(Object(error).errors).toEqual([expect.objectContaining({ status: '404', code: 'NOT_FOUND' })])
  })
})
