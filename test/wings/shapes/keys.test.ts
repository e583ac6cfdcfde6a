import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedServer, open } from '../../../src/index.ts'
import { inStyle, type KeyStyle } from '../../../src/wings/shapes/key-style.ts'
import { openApi } from '../../support/http/serve.ts'

it.each<[string, KeyStyle, string]>([
  ['company_id', 'camel', 'companyId'],
  ['companyId', 'snake', 'company_id'],
  ['companyId', 'kebab', 'company-id'],
  ['company-id', 'pascal', 'CompanyId'],
  ['name', 'pascal', 'Name'],
  ['name', 'snake', 'name'],
  ['_id', 'camel', '_id'],
  ['_created_at', 'camel', '_createdAt'],
  ['en-US', 'camel', 'en-US'],
  ['2024', 'camel', '2024'],
  ['a b_c', 'camel', 'a b_c'],
])('%s in %s is %s', (name, style, shown) => {
  expect(inStyle(name, style)).toBe(shown)
})

const json = { 'Content-Type': 'application/json' }
let api: OpenedServer
afterAll(() => api.close())

beforeAll(async () => {
  api = await open({
    data: {
      order_lines: [
        { id: 1, unit_price: 5, company_id: 1, size: { max_width: 3 } },
        { id: 2, unit_price: 7, company_id: 2, size: { max_width: 9 } },
      ],
      companies: [
        { id: 1, full_name: 'Ada' },
        { id: 2, full_name: 'Bob' },
      ],
    },
    live: false,
    foreignKeySuffix: '_id',
    shape: { keys: 'camel' },
    strict: true,
    resources: {
      order_lines: {
        timestamps: true,
        schema: { properties: { unit_price: { minimum: 0 }, packed_by: { type: 'string' } } },
      },
    },
  })
})

const read = async (path: string, init: RequestInit = {}) =>
  JSON.parse(await (await api.fetch(path, init)).text())
const write = (method: string, path: string, body: unknown, headers: Record<string, string> = json) =>
  read(path, { method, headers, body: JSON.stringify(body) })

describe('keys: camel, over rows in snake case', () => {
  it.each<[string, readonly number[]]>([
    ['unitPrice=5', [1]],
    ['unitPrice_gte=6', [2]],
    ['unitPrice:lt=6', [1]],
    ['size.maxWidth_gt=3', [2]],
    ['unit_price_gte=6', [2]],
    ['_sort=-unitPrice', [2, 1]],
    ['_where={"unitPrice":{"gt":5},"or":[{"companyId":2},{"size":{"maxWidth":1}}]}', [2]],
    ['filter={"companyId":[2]}', [2]],
    ['_expand=company&company.fullName=Ada', [1]],
    ['packedBy_null=true', [1, 2]],
  ])('reads %s', async (query, ids) => {
    const rows = await read(`/order_lines?${query}`)
    expect(rows.map?.(({ id }: { id: number }) => id)).toEqual(ids)
  })

  it('writes them in the style of the others, and shows them as they came', async () => {
    const sent = { unitPrice: 1, companyId: 2, size: { maxWidth: 4 }, isNew: true }
    const created = await write('POST', '/order_lines', sent)
    expect(created).toEqual({ id: 3, ...sent, createdAt: expect.any(String), updatedAt: expect.any(String) })
    expect(await read('/order_lines/3', { headers: { Prefer: 'shape=none' } })).toMatchObject({
      ...{ unit_price: 1, company_id: 2, size: { max_width: 4 }, is_new: true },
      createdAt: created.createdAt,
    })
    const operations = [{ op: 'replace', path: '/size/maxWidth', value: 5 }]
    const patch = { 'Content-Type': 'application/json-patch+json' }
    expect(await write('PATCH', '/order_lines/3', operations, patch)).toMatchObject({ size: { maxWidth: 5 } })
    expect(await write('PATCH', '/order_lines?isNew=true', { unitPrice: 8 })).toMatchObject([
      { unitPrice: 8 },
    ])
    await read('/order_lines/3', { method: 'DELETE' })
  })

  it('says what is wrong by the names that clients know', async () => {
    const refused = await write('POST', '/order_lines', { unitPrice: -1 })
    expect(refused).toMatchObject({
      message: 'unitPrice must be at least 0. Nothing was changed.',
      errors: { unitPrice: 'must be at least 0' },
    })
    expect(await read('/order_lines?_where={"unitPrise":1}')).toMatchObject({
      message: '_where.unitPrise: no row has the field unitPrise; correct the name.',
    })
    const missing = await write('DELETE', '/order_lines?unitPrise_gte=1', {})
    expect(missing.message).toContain('No item has the field unitPrise;')
    const operations = [{ op: 'test', path: '/unitPrice', value: 0 }]
    const patch = { 'Content-Type': 'application/json-patch+json' }
    const failed = await write('PATCH', '/order_lines/1', operations, patch)
    expect(failed.message).toContain('(test /unitPrice) failed')
    for (const [query, meant] of [
      ['unitPrise=1', 'unitPrice'],
      ['unitPrise_gte=1', 'unitPrice_gte'],
      ['_sort=unitPrise', 'unitPrice'],
    ]) {
      const { message } = await read(`/order_lines?${query}`)
      expect(message).toMatch(new RegExp(`Did you mean (_sort=)?${meant}\\?`))
    }
    const explained = await read('/order_lines?unitPrice=1&_sort=companyId&_explain=true')
    expect(explained).toMatchObject({ filters: [{ field: 'unitPrice' }], sort: [{ field: 'companyId' }] })
  })

  it.each<[string, unknown, string?]>([
    ['POST /order_lines', { unitPrice: 2, unit_price: 2 }],
    ['POST /order_lines', [{ unitPrice: 1 }, { unit_price: 1, unitPrice: 2 }]],
    ['PUT /order_lines/1', { size: { max_width: 1, maxWidth: 1 } }],
    ['PATCH /order_lines/1', { isNew: 1, is_new: 1 }],
    ['PATCH /order_lines?id=1', { notes: [{ unit_price: 1, unitPrice: 2 }] }],
    ['PATCH /order_lines/1', { UnitPrice: null, unitPrice: 1 }, 'application/merge-patch+json'],
    [
      'PATCH /order_lines/1',
      [{ op: 'add', path: '/size', value: { maxWidth: 1, max_width: 2 } }],
      'application/json-patch+json',
    ],
    ['POST /companies/1/order_lines', { companyId: 2, company_id: 2 }],
  ])('refuses a body with both spellings of a field: %s %j', async (request, sent, type) => {
    const [method = '', path = ''] = request.split(' ')
    const before = await read('/db')
    const { code, message } = await write(method, path, sent, { 'Content-Type': type ?? 'application/json' })
    expect(code).toBe('INVALID_BODY')
    const [, one = '', other = ''] = /^(\w+) and (\w+) are the same field\./.exec(message) ?? []
    expect(JSON.stringify(sent)).toContain(`"${one}"`)
    expect(JSON.stringify(sent)).toContain(`"${other}"`)
    expect(other).not.toBe(one)
    expect(await read('/db')).toEqual(before)
  })

  it('shows a field that would hide another by its own name', async () => {
    const both = await open({
      data: { a: [{ id: 1, x_y: 1, xY: 2 }] },
      live: false,
      shape: { keys: 'camel' },
    })
    const sent = { method: 'PATCH', headers: json, body: '{"x_y":3}' }
    expect(await (await both.fetch('/a/1', sent)).json()).toEqual({ id: 1, x_y: 3, xY: 2 })
    await both.close()
  })

  it('knows the names of fields that few rows have, or that are deep in them', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ id: at + 1, name: 'x' }))
    const row = {
      id: 506,
      name: 'x',
      voucher_code: 'A',
      sizes: [{ max_width: 1 }],
      a: { b: { c: { d_e: 1 } } },
    }
    const data = { lines: many.map((one) => (one.id === row.id ? row : one)) }
    const api = await open({ data, shape: { keys: 'camel' } })
    const ask = async (method: string, path: string, body?: unknown, type = 'application/json') => {
      const init = { method, headers: { 'Content-Type': type } }
      const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
      return (await api.fetch(path, sent)).json()
    }
    const [shown] = [await ask('GET', '/lines?voucherCode=A&_sort=voucherCode')].flat()
    expect(shown).toEqual({
      ...{ id: 506, name: 'x', voucherCode: 'A', sizes: [{ maxWidth: 1 }] },
      a: { b: { c: { dE: 1 } } },
    })
    await ask('PUT', '/lines/506', shown)
    expect(data.lines[505]).toEqual(row)
    await ask('PATCH', '/lines/506', { voucherCode: 'B' })
    await ask(
      'PATCH',
      '/lines/506',
      [{ op: 'add', path: '/sizes/0/maxWidth', value: 2 }],
      'application/json-patch+json',
    )
    expect(data.lines[505]).toEqual({ ...row, voucher_code: 'B', sizes: [{ max_width: 2 }] })
    expect(await ask('PATCH', '/lines?voucherCode=B', { voucherCode: 'C' })).toHaveLength(1)
    await api.close()
  })

  it('writes a new field as the others are, and not as one of thousands of keys is', async () => {
    const votes = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1]))
    const data = { lines: [{ id: 1, votes: { ...votes, more_votes: 1 } }] }
    const own = await open({ data, shape: { keys: 'camel' } })
    await (await own.fetch('/lines/1', { method: 'PATCH', headers: json, body: '{ "newField": 1 }' })).text()
    expect(Object.keys(data.lines[0] ?? {})).toEqual(['id', 'votes', 'newField'])
    await own.close()
  })

  it('goes by the names that rows have when a request is served, not when it came', async () => {
    const data = { lines: [{ id: 1, unit_price: 5 }, { id: 2 }] }
    const own = await openApi({ data, shape: { keys: 'camel' } })
    const ask = async () => (await own.fetch('/lines?netWeight=1&_delay=300')).json()
    const late = ask()
    const waiting = own.fetch('/lines/2?_delay=300', {
      method: 'PATCH',
      headers: json,
      body: '{ "netWeight": 2 }',
    })
    const plain = { ...json, Prefer: 'shape=none' }
    await own.fetch('/lines/1', { method: 'PATCH', headers: plain, body: '{ "netWeight": 1 }' })
    expect((await waiting).status).toBe(200)
    expect(data.lines[1]).toEqual({ id: 2, netWeight: 2 })
    expect(await late).toEqual([{ id: 1, unitPrice: 5, netWeight: 1 }])
    expect(await ask()).toEqual([{ id: 1, unitPrice: 5, netWeight: 1 }])
  })

  it('knows the name of a collection that came after the same request', async () => {
    const data: Record<string, object[]> = { users: [{ id: 1 }] }
    const own = await open({ data, foreignKeySuffix: '_id', shape: { keys: 'camel' } })
    const ask3 = async () => {
      const all = []
      for (let times = 0; times < 3; times++)
        all.push(await (await own.fetch('/users?_embed=userGroups')).json())
      return all
    }
    expect(await ask3()).toEqual(Array(3).fill([{ id: 1 }]))
    data.user_groups = [{ id: 7, user_id: 1 }]
    expect(await ask3()).toEqual(Array(3).fill([{ id: 1, userGroups: [{ id: 7, userId: 1 }] }]))
    delete data.user_groups
    expect(await ask3()).toEqual(Array(3).fill([{ id: 1 }]))
    await own.close()
  })

  it.each<[string, readonly number[]]>([
    ['opt_in=true', [1]],
    ['opt_in_ne=true', [2]],
    ['size.is_null=no', [2]],
    ['stock_in=1,2', [1]],
    ['size.stock_in=1,2', [2]],
    ['_where={"opt_in":true}', [1]],
    ['_where={"size":{"is_null":"no"}}', [2]],
    ['filter={"opt_in":true}', [1]],
    ['filter={"stock_in":[1,2]}', [1]],
    ['filter={"size":{"is_null":"no"}}', [2]],
  ])('in snake case, names may end in words that are operators: %s', async (query, ids) => {
    const size = [
      { isNull: 'yes', stock: 3, lastIn: 1 },
      { isNull: 'no', stock: 1, lastIn: 1 },
    ]
    const data = {
      lines: [
        { id: 1, optIn: true, stock: 1, size: size[0] },
        { id: 2, optIn: false, stock: 3, size: size[1] },
      ],
    }
    const own = await openApi({ data, live: false, strict: true, shape: { keys: 'snake' } })
    const rows = JSON.parse(await (await own.fetch(`/lines?${query}`)).text())
    expect(rows.map?.(({ id }: { id: number }) => id)).toEqual(ids)
    const explained = await (await own.fetch('/lines?opt_inn=1&_explain=true')).json()
    expect(explained).toMatchObject({ ignored: [{ name: 'opt_inn', suggestion: 'opt_in' }] })
  })

  it.each<[KeyStyle, string, readonly number[]]>([
    ['camel', 'sort=["UnitPrice","DESC"]', [2, 1]],
    ['camel', 'sort=["unitPrice","DESC"]', [2, 1]],
    ['snake', 'filter={"unit_price":[7]}&range=[0,0]', [2]],
    ['snake', 'range=[1,1]', [2]],
  ])('in %s, over rows in Pascal case, reads the JSON of other clients: %s', async (keys, query, ids) => {
    const data = {
      Lines: [
        { id: 1, UnitPrice: 5 },
        { id: 2, UnitPrice: 7 },
      ],
    }
    const own = await openApi({ data, live: false, strict: true, shape: { keys } })
    const rows = JSON.parse(await (await own.fetch(`/Lines?${query}`)).text())
    expect(rows.map?.(({ id }: { id: number }) => id)).toEqual(ids)
  })

  it('shows relations by those names', async () => {
    expect(await read('/companies?embed=["orderLines"]&sort=["fullName","DESC"]')).toMatchObject([
      { fullName: 'Bob', orderLines: [{ unitPrice: 7 }] },
      { fullName: 'Ada', orderLines: [{ unitPrice: 5 }] },
    ])
    expect(await read('/companies/1?_embed=orderLines')).toMatchObject({
      fullName: 'Ada',
      orderLines: [{ unitPrice: 5 }],
    })
    expect(await read('/order_lines/1?_expand=company&_fields=company.fullName')).toEqual({
      company: { fullName: 'Ada' },
    })
  })
})

it('follows relationships by those names', async () => {
  const data = { order_lines: [{ id: 1, big_box_id: 1 }], big_boxes: [{ id: 1 }, { id: 2 }] }
  const row = { key: '$id', fields: '$fields', relationships: '$relationships' }
  const own = await open({ data, live: false, foreignKeySuffix: '_id', shape: { keys: 'camel', row } })
  const body = JSON.stringify({
    fields: { bigBoxId: 1 },
    relationships: { bigBox: { data: { id: 2 } } },
  })
  const response = await own.fetch('/order_lines/1', { method: 'PATCH', headers: json, body })
  expect(await response.json()).toEqual({ key: 1, fields: { bigBoxId: 2 } })
  await own.close()
})

it.each<[string, KeyStyle, string, unknown, unknown]>([
  ['a foreign key that no row has', 'camel', 'POST /reviews', { productId: 1 }, { id: 1, product_id: 1 }],
  ['a list of keys', 'camel', 'POST /reviews', { productIds: [1] }, { id: 1, product_ids: [1] }],
  [
    'a part of an object',
    'camel',
    'PATCH /settings',
    { mail: { sendDaily: false } },
    { mail: { send_daily: false } },
  ],
  [
    'a new field beside single words',
    'pascal',
    'POST /products',
    { Name: 'x', Color: 1, UnitPrice: 2 },
    { id: 2, name: 'x', color: 1, unitPrice: 2 },
  ],
  ['the first field of all', 'pascal', 'POST /reviews', { Color: 1 }, { id: 1, Color: 1 }],
])('%s is stored in the style of the others', async (_, keys, request, sent, stored) => {
  const [method = '', path = ''] = request.split(' ')
  const data = {
    products: [{ id: 1, name: 'Desk' }],
    reviews: [],
    settings: { theme: 'a', mail: { send_daily: true } },
  }
  const own = await open({ data, live: false, foreignKeySuffix: '_id', shape: { keys } })
  const headers = {
    'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : json['Content-Type'],
  }
  await own.fetch(path, { method, headers, body: JSON.stringify(sent) })
  const { id } = Object(stored)
  const shown = await own.fetch(id ? `${path}/${id}` : path, { headers: { Prefer: 'shape=none' } })
  expect(await shown.json()).toEqual(id ? stored : { ...data.settings, ...Object(stored) })
  await own.close()
})

it.each<[KeyStyle, string, string]>([
  ['camel', 'password', 'currentPassword'],
  ['pascal', 'Password', 'CurrentPassword'],
  ['snake', 'password', 'current_password'],
])('a password is changed in %s, though rows neither show nor store it', async (keys, password, current) => {
  const own = await openApi({
    data: { users: [{ id: 1, email: 'ada@example.com', full_name: 'Ada', password: 'password-1' }] },
    live: false,
    middlewares: ['accounts'],
    shape: { keys },
  })
  const send = (method: string, path: string, body: object, token = '') => {
    const headers = { ...json, ...(token && { Authorization: `Bearer ${token}` }) }
    return own.fetch(path, { method, headers, body: JSON.stringify(body) })
  }
  const login = (secret: string) => send('POST', '/login', { email: 'ada@example.com', password: secret })
  const { accessToken } = JSON.parse(await (await login('password-1')).text())
  const change = { [password]: 'password-2', [current]: 'password-1' }
  expect((await send('PATCH', '/users/1', change, accessToken)).status).toBe(200)
  expect((await login('password-2')).status).toBe(200)
})
