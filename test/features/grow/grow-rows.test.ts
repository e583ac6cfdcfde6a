import { describe, expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { openApi } from '../../support/http/serve.ts'

type Body = Record<string, unknown>

async function opened(data: object, options: StartOptions = {}) {
  const api = await openApi({ data, live: false, ...options })
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await api.fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }
  const db = async (headers = {}) => (await send('GET', '/db', undefined, headers)).body
  return { ...api, send, db }
}

const shop = () => ({
  companies: [
    { id: 1, name: 'Acme Ltd' },
    { id: 2, name: 'Initech Inc' },
  ],
  products: Array.from({ length: 12 }, (_, at) => ({
    id: at + 1,
    name: `Thing ${at}`,
    price: at + 0.5,
    companyId: 1 + (at % 2),
  })),
  profile: { name: 'Ada' },
  empty: [],
})

describe('POST /__grow', () => {
  it('adds rows in one change, which can be undone', async () => {
    const { send, db } = await opened(shop())
    const before = await db()
    const { status, body } = await send('POST', '/__grow', { products: 30, companies: 3 })
    expect(status).toBe(201)
    expect(body).toEqual({ version: expect.any(Number), created: { companies: 3, products: 30 }, rows: {} })
    const { products = [], companies = [] } = (await db()) as Record<string, readonly Body[]>
    expect(products.slice(0, 12)).toEqual(before.products)
    expect(products.map(({ id }) => id)).toEqual(Array.from({ length: 42 }, (_, at) => at + 1))
    expect(Object.keys(products.at(-1) ?? {})).toEqual(['id', 'name', 'price', 'companyId'])
    const ids = new Set(companies.map(({ id }) => id))
    expect(ids).toEqual(new Set([1, 2, 3, 4, 5]))
    expect(products.every(({ companyId }) => ids.has(companyId))).toBe(true)
    expect((await send('GET', '/__history')).body).toHaveLength(1)
    expect((await send('POST', '/__undo')).status).toBe(200)
    expect(await db()).toEqual(before)
  })

  it('adds the same rows with the same seed, wherever it is sent to', async () => {
    const grown = async (seed: string) => {
      const { send, db } = await opened(shop())
      await send('POST', `/__grow${seed}`, { products: 20 })
      return (await db()).products
    }
    expect(await grown('?seed=7')).toEqual(await grown('?seed=7'))
    expect(await grown('?seed=7')).not.toEqual(await grown('?seed=8'))
    expect(await grown('')).toEqual(await grown(''))
  })

  it('points at parents from inside of objects and lists, too', async () => {
    const { send, db } = await opened({
      users: [3, 7, 11, 900].map((id) => ({ id })),
      products: ['desk', 'lamp', 'chair'].map((id) => ({ id })),
      orders: Array.from({ length: 12 }, (_, at) => ({
        id: at + 1,
        by: { userId: [3, 7, 11][at % 3] },
        lines: [{ productId: 'desk', quantity: at }, { productId: at % 2 ? 'lamp' : 'chair' }].slice(at % 2),
      })),
    })
    expect(await send('POST', '/__grow', { orders: 200, users: 2 })).toMatchObject({ status: 201 })
    const { users = [], products = [], orders = [] } = (await db()) as Record<string, readonly Body[]>
    const [userIds, productIds] = [users, products].map((rows) => new Set(rows.map(({ id }) => id)))
    expect(orders).toHaveLength(212)
    for (const { by, lines } of orders as readonly { by: Body; lines: readonly Body[] }[]) {
      expect(userIds).toContain(by.userId)
      for (const { productId } of lines) expect(productIds).toContain(productId)
    }
  })

  it('finds what is left of an enumeration whose values differ', async () => {
    const resources = { a: { unique: ['c'], schema: { properties: { c: { enum: ['x', 'y', 'z'] } } } } }
    const { send, db } = await opened({ a: [{ id: 1, c: 'y' }] }, { resources })
    expect(await send('POST', '/__grow', { a: 2 })).toMatchObject({ status: 201 })
    expect(new Set(((await db()).a as Body[]).map(({ c }) => c))).toEqual(new Set(['x', 'y', 'z']))
    expect(await send('POST', '/__grow', { a: 1 })).toMatchObject({
      status: 409,
      body: { code: 'NOT_UNIQUE' },
    })
  })

  it('stays in its session', async () => {
    const { send, db, count } = await opened(shop())
    await send('POST', '/__grow', { products: 5 }, { 'X-Mock-Session': 'a' })
    expect((await db({ 'X-Mock-Session': 'a' })).products).toHaveLength(17)
    expect(count('products')).toBe(12)
  })

  it.each<[unknown, string, number, string]>([
    [{ prodcts: 5 }, '', 404, 'There is no collection called prodcts. Did you mean products?'],
    [{ x: 5 }, '', 404, 'There is no collection called x. Known are companies, products, empty.'],
    [{ profile: 1 }, '', 400, 'profile is a single object: rows can only be added to collections.'],
    [
      { products: 0 },
      '',
      400,
      'products must be a number of rows, from 1 to 100,000, or a list of rows to fill in.',
    ],
    [
      { products: '5' },
      '',
      400,
      'products must be a number of rows, from 1 to 100,000, or a list of rows to fill in.',
    ],
    [
      { products: 60_000, companies: 60_000 },
      '',
      400,
      'At most 100,000 rows can be added at a time, not 120,000.',
    ],
    [
      { products: [1] },
      '',
      400,
      'products must be a number of rows, from 1 to 100,000, or a list of rows to fill in.',
    ],
    [{}, '', 400, 'Say how many rows: {"products": 500}.'],
    [[], '', 400, 'Say how many rows: {"products": 500}.'],
    [{ products: 5 }, '?seed=x', 400, 'seed must be a whole number, such as seed=7.'],
    [{ empty: 5 }, '', 409, 'empty has neither rows nor a schema, so there is nothing to go by.'],
  ])('refuses %j%s', async (body, query, status, message) => {
    const { send, count } = await opened(shop())
    const refused = await send('POST', `/__grow${query}`, body)
    expect(refused).toMatchObject({ status, body: { message: expect.stringContaining(message) } })
    expect(count('products')).toBe(12)
  })

  it('refuses pages of other sites, and where nothing can be changed', async () => {
    const { send } = await opened(shop())
    const foreign = await send('POST', '/__grow', { products: 1 }, { Origin: 'https://evil.test' })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'FOREIGN_ORIGIN' } })
    const locked = await opened(shop(), { readOnly: true })
    expect(await locked.send('POST', '/__grow', { products: 1 })).toMatchObject({ status: 403 })
  })

  it('does for each client what that may do by itself', async () => {
    const resources = {
      products: { access: { create: 'role:admin' } },
      notes: { access: { create: 'anyone' } },
    } as const
    const data = {
      ...shop(),
      users: [{ id: 1, email: 'a@a.test' }],
      notes: [{ id: 1, text: 'Hi', userId: 1 }],
    }
    const { send, grow } = await opened(data, { middlewares: ['accounts'], resources })
    const open = await send('POST', '/__grow', { notes: [{ text: 'Mine' }] })
    expect(open).toMatchObject({
      status: 201,
      body: { created: { notes: 1 }, rows: { notes: [{ id: 2, text: 'Mine' }] } },
    })
    const refused = await send('POST', '/__grow', { products: 1 })
    expect(refused).toMatchObject({ status: 401, body: { code: 'AUTH_REQUIRED' } })
    expect(await grow({ products: 2 })).toEqual({ products: 2 })
  })

  it('learns nothing from rows that a client may not read', async () => {
    const users = ['ada', 'bob'].map((name, at) => ({ id: at + 1, email: `${name}@a.test`, role: 'user' }))
    const notes = Array.from({ length: 20 }, (_, at) => ({
      id: at + 1,
      text: at % 2 === 0 ? 'mine' : `secret ${at}`,
      userId: 1 + (at % 2),
    }))
    const { send } = await opened(
      { users, notes },
      {
        middlewares: ['accounts'],
        accounts: { persona: true },
        resources: { notes: { access: { read: 'owner', create: 'signed-in' } } },
      },
    )
    const asAda = { 'X-Mock-User': 'ada@a.test' }
    expect(await send('POST', '/__grow', { notes: 30 }, asAda)).toMatchObject({ status: 201 })
    const { body } = await send('GET', '/notes', undefined, asAda)
    expect(body).toHaveLength(40)
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('goes on if another request takes an id meanwhile', async () => {
    const data = { tags: Array.from({ length: 4 }, (_, at) => ({ id: `t-${at}`, name: 'x' })) }
    const { grow, count } = await opened(data)
    await Promise.all(Array.from({ length: 4 }, () => grow({ tags: 10 }, { seed: 1 })))
    expect(count('tags')).toBe(44)
  })
})

describe('rows that are given some fields', () => {
  it('are stored with the parents that they miss, in one change', async () => {
    const { create, db, undo, history } = await opened({
      users: [],
      posts: [{ id: 1, title: 'One', userId: 9 }],
      comments: [{ id: 1, body: 'Nice', postId: 1 }],
    })
    const before = await db()
    expect(await create('comments', { postId: 7 })).toEqual({ id: 2, body: 'Nice', postId: 7 })
    expect(await db()).toEqual({
      users: [{ id: 1 }],
      posts: [
        { id: 1, title: 'One', userId: 9 },
        { id: 7, title: 'One', userId: 1 },
      ],
      comments: [
        { id: 1, body: 'Nice', postId: 1 },
        { id: 2, body: 'Nice', postId: 7 },
      ],
    })
    expect(await history()).toHaveLength(1)
    await undo()
    expect(await db()).toEqual(before)
  })

  it('are refused by the name of the field, also beside their parents', async () => {
    const schema = { properties: { price: { type: 'number', minimum: 0 } } }
    const { create, db } = await opened(
      { companies: [], products: [] },
      { resources: { products: { schema } } },
    )
    await expect(create('products', { price: -1, companyId: 3 })).rejects.toMatchObject({
      errors: { 'products.price': 'must be at least 0' },
    })
    expect(await db()).toEqual({ companies: [], products: [] })
  })

  it('keep a password, hashed', async () => {
    const { create, send } = await opened(
      { users: [{ id: 1, email: 'a@a.test' }] },
      { middlewares: ['accounts'] },
    )
    await create('users', { email: 'b@a.test', password: 'correct horse' })
    const login = await send('POST', '/login', { email: 'b@a.test', password: 'correct horse' })
    expect(login).toMatchObject({ status: 200, body: { user: { id: 2 } } })
  })

  it('have as many parents as a unique key needs', async () => {
    const { grow, db } = await opened(
      { users: [{ id: 'u-1', name: 'Ada' }], profiles: [{ id: 1, userId: 'u-1' }] },
      { resources: { profiles: { unique: ['userId'], references: { userId: { resource: 'users' } } } } },
    )
    expect(await grow({ profiles: 3 })).toEqual({ users: 3, profiles: 3 })
    const { profiles = [] } = (await db()) as Record<string, readonly Body[]>
    expect(new Set(profiles.map(({ userId }) => userId))).toEqual(new Set(['u-1', 'u-2', 'u-3', 'u-4']))
  })
})
