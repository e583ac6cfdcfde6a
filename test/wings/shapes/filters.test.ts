import { afterEach, describe, expect, it } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'

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

async function openShaped(options: Partial<StartOptions>): Promise<void> {
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
    await openShaped({ shape })
    expect(idsIn((await ask(`/products?${query}`)).body)).toEqual(ids)
    const removed = await ask(`/products?${query}`, { method: 'DELETE' })
    expect(removed.status).toBe(200)
    expect((await ask('/products', { headers: { Prefer: 'shape=none' } })).body).toHaveLength(3 - ids.length)
  })

  it('refuses a filter that cannot be read', async () => {
    await openShaped({ shape: 'strapi' })
    expect((await ask('/products?filters[price][$gte][x]=1')).status).toBe(400)
  })
})

describe('a filter or an order by fields of a parent needs nothing else, and does not show it', () => {
  it.each<[string, string, readonly number[]]>([
    ['drf', 'company__name=Acme', [1, 2]],
    ['drf', 'company__name__icontains=OL', [3]],
    ['drf', 'company__country__name=Spain', [3]],
    ['drf', 'ordering=-company__name,price', [3, 2, 1]],
    ['strapi', 'filters[company][name][$eq]=Acme', [1, 2]],
    ['strapi', 'filters[$or][0][company][name][$eq]=Bolt&filters[$or][1][price][$gt]=50', [1, 3]],
    ['strapi', 'filters[company][country][name]=Norway&sort=price', [2, 1]],
    ['strapi', 'sort=company.name:desc&fields[0]=price&pagination[limit]=1', [3]],
    ['jsonapi', 'filter[company][name]=Acme', [1, 2]],
    ['spring', 'sort=company.name,desc&sort=price,asc', [3, 2, 1]],
  ])('%s: %s', async (shape, query, ids) => {
    await openShaped({ shape, strict: true })
    const { status, body } = await ask(`/products?${query}`)
    expect([status, idsIn(body)]).toEqual([200, ids])
    expect(JSON.stringify(body)).not.toMatch(/"name":"(Acme|Bolt)"|relationships/)
  })

  it('shows it if it is asked for, and never changes rows by it', async () => {
    await openShaped({ shape: 'strapi' })
    const { body } = await ask('/products?filters[company][country][name]=Spain&populate=company')
    expect(body.data).toEqual([{ ...data().products[2], company: data().companies[1] }])
    expect((await ask('/products?filters[company][name]=Acme', { method: 'DELETE' })).status).toBe(400)
  })

  it('finds by a parent that few rows have', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({
      id: at + 1,
      ...(at === 505 && { company_id: 2 }),
    }))
    await openShaped({ shape: 'drf', data: { ...data(), products: many } })
    expect(idsIn((await ask('/products?company__name=Bolt')).body)).toEqual([506])
  })

  it('finds by a parent that came after the same request', async () => {
    const { companies, ...rest } = data()
    const live: Record<string, object[]> = rest
    await openShaped({ shape: 'drf', data: live, live: true })
    const ask3 = async () => {
      const all = []
      for (let times = 0; times < 3; times++)
        all.push(idsIn((await ask('/products?company__name=Acme')).body))
      return all
    }
    expect(await ask3()).toEqual(Array(3).fill([1, 2, 3]))
    live.companies = companies
    expect(await ask3()).toEqual(Array(3).fill([1, 2]))
    delete live.companies
    expect(await ask3()).toEqual(Array(3).fill([1, 2, 3]))
  })

  it('leaves a field of that name alone', async () => {
    const products = [{ id: 1, company: { name: 'Own' }, company_id: 2 }]
    await openShaped({ shape: 'drf', data: { ...data(), products }, strict: true })
    expect((await ask('/products?company__name=Own')).body.results).toEqual(products)
  })

  it('knows names in another style', async () => {
    const rows = { lines: [{ id: 1, big_box_id: 1 }], big_boxes: [{ id: 1, box_size: 3 }] }
    const shape = { keys: 'camel' as const, params: { filter: 'filter' } }
    await openShaped({ shape, data: rows, strict: true })
    expect((await ask('/lines?filter[bigBox][boxSize][gt]=2')).body).toEqual([{ id: 1, bigBoxId: 1 }])
  })
})

describe('fields of related rows', () => {
  it.each<[string, string, unknown]>([
    [
      'jsonapi',
      'fields[products]=name&fields[companies]=country_id&include=company',
      {
        data: [{ attributes: { name: 'Desk' }, relationships: expect.anything() }],
        included: [{ type: 'companies', id: '1', attributes: { country_id: 1 } }],
      },
    ],
    [
      'jsonapi',
      'fields[companies]=price',
      { data: [{ attributes: { name: 'Desk', price: 89, company_id: 1 } }] },
    ],
    [
      'strapi',
      'populate[company][fields][0]=name',
      { data: [{ id: 1, name: 'Desk', price: 89, company_id: 1, company: { id: 1, name: 'Acme' } }] },
    ],
    [
      'strapi',
      'fields[0]=price&populate[company][fields][0]=name&populate[company][populate][0]=country',
      { data: [{ id: 1, price: 89, company: { id: 1, name: 'Acme', country: { id: 1, name: 'Norway' } } }] },
    ],
  ])('%s: %s', async (shape, query, shown) => {
    await openShaped({ shape, strict: true })
    const { body } = await ask(`/products?id=1&${query}`)
    expect(body).toMatchObject(Object(shown))
    if (shape === 'strapi') expect(body.data).toEqual(Object(shown).data)
    else expect(body.included).toEqual(Object(shown).included)
  })
})

it.each<[string, string, number]>([
  ['laravel', 'per_page=0', 15],
  ['laravel', 'per_page=abc', 15],
  ['spring', 'size=-1', 20],
  ['drf', 'page_size=abc', 100],
  ['drf', 'limit=abc', 100],
  ['dummyjson', 'limit=-1', 30],
  ['dummyjson', 'limit=abc', 30],
  ['dummyjson', 'limit=0', 120],
  ['json-server-1', '_page=1&_per_page=abc', 10],
])('%s?%s is a page of the usual size', async (shape, query, count) => {
  const products = Array.from({ length: 120 }, (_, at) => ({ id: at + 1 }))
  await openShaped({ shape, data: { products } })
  expect(idsIn((await ask(`/products?${query}`)).body)).toHaveLength(count)
})

describe('a filter that a shape reads removes no more than it says', () => {
  const users = () => ({
    users: [
      { id: 1, role: 'admin', range: 5, created_by: 1, left: null },
      { id: 2, role: 'Guest', range: 5, created_by: 2, left: 2020 },
    ],
  })

  it.each([
    ['strapi', 'filters[left][$null]=yes'],
    ['drf', 'left__isnull=on'],
    ['drf', 'left__isnull[x]=1'],
    ['laravel', '_where[created_by]=1&filter[range]=5'],
    ['laravel', 'range=5&page=2'],
    [{ keys: 'camel' } as const, 'created_by_ne=1&createdBy_ne=2'],
    [{ keys: 'camel', params: { lookup: '__' } } as const, 'created_by_gte=2&createdBy__gte=1'],
  ])('%j refuses %s', async (shape, query) => {
    await openShaped({ data: users(), shape })
    expect((await ask(`/users?${query}`, { method: 'DELETE' })).status).toBe(400)
  })

  it.each<[string, string, readonly number[]]>([
    ['strapi', 'filters[role][$nei]=ADMIN', [2]],
    ['strapi', 'filters[role][$eqi]=GUEST', [2]],
    ['drf', 'role__iexact=ADMIN', [1]],
    ['drf', 'role__iexact=.dmin', []],
    ['drf', 'left__isnull=0', [2]],
    ['laravel', 'range=5&page=1&per_page=1', [1]],
  ])('%s finds by %s', async (shape, query, ids) => {
    await openShaped({ data: users(), shape })
    expect(idsIn((await ask(`/users?${query}`)).body)).toEqual(ids)
  })
})

it.each<[string, NonNullable<StartOptions['resources']>]>([
  ['companies the client may not read', { companies: { access: { read: 'role:admin' } } }],
  ['those of others', { companies: { access: { read: 'owner' } } }],
])('names no field of %s, where it says what it leaves out of them', async (_, resources) => {
  const users = [{ id: 1, email: 'ada@example.com', role: 'user' }]
  await openShaped({
    data: { ...data(), users },
    shape: 'strapi',
    middlewares: ['accounts'],
    accounts: { persona: true },
    resources,
  })
  const headers = { 'X-Mock-User': 'ada@example.com' }
  const { status, body } = await ask('/products?populate[company][fields]=name&_explain=true', { headers })
  expect(status).toBe(200)
  expect(JSON.stringify(body)).not.toContain('country_id')
})
