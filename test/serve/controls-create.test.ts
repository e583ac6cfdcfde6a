import { describe, expect, it } from 'vitest'
import type { ResourcesSettings, StartOptions } from '../../src/index.ts'
import { openApi } from '../support/http/serve.ts'

async function opened(data: object, options: StartOptions = {}) {
  const api = await openApi({ data, live: false, ...options })
  return { ...api, all: async (name: string): Promise<unknown> => (await api.fetch(`/${name}`)).json() }
}

describe('create()', () => {
  it('fills in what all other rows have, and nothing else', async () => {
    const { create, createMany } = await opened({
      posts: [
        { id: 1, title: 'a', size: { width: 1 }, draft: true },
        { id: 2, title: 'b', size: { width: 2 } },
      ],
    })
    const post = await create('posts', { title: 'mine' })
    expect(post).toEqual({ id: 3, title: 'mine', size: { width: expect.any(Number) } })
    const more = await createMany('posts', 3, (at) => ({ title: `Post ${at}` }))
    expect(more.map(({ id, title }) => [id, title])).toEqual([4, 5, 6].map((id, at) => [id, `Post ${at}`]))
    expect(await createMany('posts', 0)).toEqual([])
    await expect(createMany('posts', Number.NaN)).rejects.toThrow('createMany takes a resource, a number')
  })

  it('makes the same rows of the same data', async () => {
    const data = {
      posts: [
        { id: 1, title: 'a', stars: 3 },
        { id: 2, title: 'b', stars: 5 },
      ],
    }
    const make = async () => (await opened(structuredClone(data))).createMany('posts', 5)
    expect(await make()).toEqual(await make())
  })

  it('fits the schema where there are no rows', async () => {
    const schema = {
      type: 'object',
      required: [
        'name',
        'email',
        'age',
        'kind',
        'born',
        'site',
        'key',
        'code',
        'address',
        'tags',
        'on',
        'at',
      ],
      properties: {
        name: { type: 'string', minLength: 12 },
        email: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 18, maximum: 20 },
        kind: { enum: ['a', 'b'] },
        born: { type: 'string', format: 'date' },
        at: { type: 'string', format: 'date-time' },
        site: { type: 'string', format: 'uri' },
        key: { type: 'string', format: 'uuid' },
        code: { type: 'string', maxLength: 3 },
        address: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
        tags: { type: 'array', minItems: 2, items: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 } },
        on: { type: 'boolean' },
        note: { type: 'string' },
        level: { type: 'string', default: 'low' },
      },
    }
    const { createMany } = await opened({ users: [] }, { resources: { users: { schema, timestamps: true } } })
    const users = await createMany('users', 10, (at) => (at === 3 ? { name: 'just mine, please' } : {}))
    expect(users).toHaveLength(10)
    expect(users[3]).toMatchObject({ name: 'just mine, please', level: 'low', createdAt: expect.any(String) })
    for (const user of users) expect(user).not.toHaveProperty('note')
  })

  it('writes by the rules of a request', async () => {
    const schema = { properties: { price: { type: 'number', minimum: 0 } } }
    const { create, all } = await opened({ products: [] }, { resources: { products: { schema } } })
    await expect(create('products', { price: -1 })).rejects.toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      errors: { price: 'must be at least 0' },
    })
    await expect(create('pots')).rejects.toMatchObject({ status: 404 })
    expect(await all('products')).toEqual([])
  })

  it.each<[string, object, ResourcesSettings]>([
    ['texts', { posts: [{ id: 1, slug: 'hello' }] }, { posts: { unique: ['slug'] } }],
    ['addresses', { posts: [{ id: 1, email: 'a@example.com' }] }, { posts: { unique: ['email'] } }],
    ['numbers', { posts: [{ id: 1, position: 1 }] }, { posts: { unique: ['position'] } }],
    [
      'two together',
      { posts: [{ id: 1, first: 'a', last: 'b' }] },
      { posts: { unique: [['first', 'last']] } },
    ],
    [
      'what only the schema names',
      { posts: [] },
      {
        posts: { unique: ['slug'], schema: { required: ['slug'], properties: { slug: { type: 'string' } } } },
      },
    ],
  ])('keeps apart what must differ: %s', async (_, data, resources) => {
    const { create, createMany, all, fetch } = await opened(data, { resources })
    await createMany('posts', 5)
    await fetch('/posts/2', { method: 'DELETE' })
    for (let times = 0; times < 5; times++) await create('posts')
    expect(Object(await all('posts')).length).toBeGreaterThanOrEqual(9)
  })
})

describe('parents', () => {
  it('are those that there are', async () => {
    const { createMany } = await opened({
      posts: [{ id: 'a' }, { id: 'b' }],
      comments: [{ id: 1, body: 'x', postId: 'a' }],
    })
    const made = await createMany('comments', 12)
    expect(new Set(made.map(({ postId }) => postId))).toEqual(new Set(['a', 'b']))
  })

  it('are made if there are none, and theirs too', async () => {
    const { create, all } = await opened(
      {
        users: [],
        posts: [],
        comments: [{ id: 1, body: 'x', postId: 7 }],
      },
      {
        resources: {
          posts: {
            schema: {
              required: ['title', 'userId'],
              properties: { title: { type: 'string' }, userId: { type: 'integer' } },
            },
          },
        },
      },
    )
    const comment = await create('comments', { body: 'mine' })
    expect(comment).toEqual({ id: 2, body: 'mine', postId: 1 })
    expect(await all('posts')).toEqual([{ id: 1, title: expect.any(String), userId: 1 }])
    expect(await all('users')).toEqual([{ id: 1 }])
  })

  it('are made with the id that a row names', async () => {
    const { create, all } = await opened({ posts: [{ id: 1, title: 'a' }], comments: [] })
    await create('comments', { postId: 9 })
    expect(await all('posts')).toEqual([
      { id: 1, title: 'a' },
      { id: 9, title: 'a' },
    ])
    await create('comments', { postId: null })
    expect(await all('posts')).toHaveLength(2)
  })

  it('of parents end somewhere', async () => {
    const { create } = await opened({ folders: [{ id: 1, name: 'a', folderId: 1 }] })
    expect(await create('folders', { name: 'b' })).toEqual({ id: 2, name: 'b', folderId: 1 })
  })
})
