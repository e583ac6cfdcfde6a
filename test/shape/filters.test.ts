import { afterEach, describe, expect, it } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../src/index.ts'

const data = () => ({
  products: [
    { id: 1, name: 'Desk', price: 89, company_id: 1 },
    { id: 2, name: 'Chair', price: 20, company_id: 1 },
    { id: 3, name: 'Lamp', price: 35, company_id: 2 },
  ],
  companies: [
    { id: 1, name: 'Acme', country_id: 1 },
    { id: 2, name: 'Bolt', country_id: 2 },
  ],
  countries: [
    { id: 1, name: 'Norway' },
    { id: 2, name: 'Spain' },
  ],
})

let api: OpenedServer
afterEach(() => api.close())

async function serve(options: Partial<StartOptions>): Promise<void> {
  api = await open({ data: data(), live: false, foreignKeySuffix: '_id', ...options })
}

async function ask(path: string, init: RequestInit = {}) {
  const response = await api.fetch(path, init)
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function idsIn(body: unknown): readonly number[] {
  const list: readonly { id: unknown }[] = Array.isArray(body)
    ? body
    : (Object.values(Object(body)).find(Array.isArray) ?? [])
  return list.map(({ id }) => Number(id))
}

describe('a filter of a shape and another one of the same field both hold', () => {
  it.each<[string, string, readonly number[]]>([
    ['drf', 'price__gte=1&price_gte=50', [1]],
    ['drf', 'price__gte=50&price_gte=1', [1]],
    ['drf', 'price__gte=1&price:gte=50', [1]],
    ['drf', 'price__gte=21&price__lte=40', [3]],
    ['drf', 'name__exact=Desk&name=Lamp', []],
    ['drf', 'name__exact=Desk&name__iexact=Lamp', []],
    ['drf', 'name__exact=Desk, large', []],
    ['jsonapi', 'filter[price][gte]=1&filter[price][gte]=50', [1]],
    ['jsonapi', 'filter[name][eq]=Desk&filter[name][eq]=Lamp', [1, 3]],
    ['strapi', 'filters[price][$gte]=1&price_gte=50', [1]],
  ])('%s: %s', async (shape, query, ids) => {
    await serve({ shape })
    expect(idsIn((await ask(`/products?${query}`)).body)).toEqual(ids)
    const removed = await ask(`/products?${query}`, { method: 'DELETE' })
    expect(removed.status).toBe(200)
    expect((await ask('/products', { headers: { Prefer: 'shape=none' } })).body).toHaveLength(3 - ids.length)
  })

  it('refuses a filter that cannot be read', async () => {
    await serve({ shape: 'strapi' })
    expect((await ask('/products?filters[price][$gte][x]=1')).status).toBe(400)
  })
})
