import { expect, it } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { json, serving } from '../../support/http/serving.ts'

type Row = Record<string, unknown>

/** The API of an object that its owner goes on changing. */
async function open(data: object) {
  const api = router(data)
  const base = await serving(create().use(api))
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${base}/${path}`, body === undefined ? { method } : json(method, body))
    expect(response.ok, `${method} ${path}`).toBe(true)
    return response.json()
  }
  return { ask, state: () => api.db.getState() }
}

it('changes the very row and object that their owner holds, who goes on changing them', async () => {
  const tags = ['a']
  const [post, profile] = [
    { id: 1, title: 'a', tags },
    { name: 'me', tags },
  ] as [Row, Row]
  const { ask } = await open({ posts: [post, { id: 2 }], profile })
  await ask('PATCH', 'posts/1', { title: 'b' })
  await ask('PATCH', 'profile', { name: 'you' })
  expect([post.title, profile.name]).toEqual(['b', 'you'])
  Object.assign(post, { own: true })
  Object.assign(profile, { own: true })
  tags.push('b')
  const expected = { id: 1, title: 'b', tags, own: true }
  expect(await ask('GET', 'posts/1')).toEqual(expected)
  expect(await ask('GET', 'posts?own=true')).toEqual([expected])
  expect(await ask('GET', 'profile')).toEqual({ name: 'you', tags, own: true })
  await ask('PUT', 'posts/1', { title: 'c' })
  expect(post).toEqual({ title: 'c', id: 1 })
})

it('changes a row wherever its owner has put it, and takes it out of one list only', async () => {
  const row = { id: 1, title: 'a' }
  const { ask } = await open({ posts: [row, row, { id: 2 }], pinned: [row] })
  await ask('PATCH', 'posts/1', { title: 'b' })
  expect(await ask('GET', 'pinned')).toEqual([{ id: 1, title: 'b' }])
  expect(await ask('GET', 'posts?title=b')).toHaveLength(2)
  await ask('DELETE', 'posts/1')
  expect(await ask('GET', 'posts')).toEqual([{ id: 1, title: 'b' }, { id: 2 }])
  expect(await ask('GET', 'pinned')).toEqual([{ id: 1, title: 'b' }])
})

it.each([1, 100])(
  'changes and removes all that a filter finds, a row that is there twice among %i others',
  async (count) => {
    const row = { id: 0, title: 'a' }
    const others = Array.from({ length: count }, (_, at) => ({ id: at + 1, title: 'a' }))
    const { ask } = await open({ posts: [row, ...others, row] })
    await ask('PATCH', 'posts?title=a', { title: 'b' })
    expect(await ask('GET', 'posts?title=b')).toHaveLength(count + 2)
    await ask('DELETE', 'posts?title=b')
    expect(await ask('GET', 'posts')).toEqual([])
  },
)

it('asks a row once for what to send, though that has the same method', async () => {
  class Post {
    id = 1
    title = 'a'
    toJSON = () => ({ ...this })
  }
  const { ask } = await open({ posts: [new Post()] })
  expect(await ask('PATCH', 'posts/1', { title: 'b' })).toEqual({ id: 1, title: 'b' })
  expect(await ask('GET', 'posts')).toEqual([{ id: 1, title: 'b' }])
})

it('has the fields of a changed row in the order of the response', async () => {
  const { ask } = await open({ posts: [{ id: 1, title: 'a', views: 1 }] })
  const sent = JSON.stringify(await ask('PUT', 'posts/1', { views: 2, text: 'x', title: 'b' }))
  expect(JSON.stringify(await ask('GET', 'posts/1'))).toBe(sent)
  await ask('PATCH', 'posts/1', { more: 1 })
  expect(Object.keys((await ask('GET', 'posts/1')) as object)).toEqual([
    'views',
    'text',
    'title',
    'id',
    'more',
  ])
})

it('shows what its owner changes in dates and class instances, also in lists that were sent before', async () => {
  class Post {
    id: number
    #title = 'a'
    constructor(id: number) {
      this.id = id
    }
    rename(title: string) {
      this.#title = title
    }
    toJSON() {
      return { id: this.id, title: this.#title }
    }
  }
  const [post, at] = [new Post(1), new Date(0)]
  const { ask } = await open({ posts: [post], days: [{ id: 1, at }, { id: 2 }] })
  expect(await ask('GET', 'posts')).toEqual([{ id: 1, title: 'a' }])
  expect(await ask('GET', 'days')).toEqual([{ id: 1, at: '1970-01-01T00:00:00.000Z' }, { id: 2 }])
  post.rename('b')
  at.setTime(1)
  expect(await ask('GET', 'posts')).toEqual([{ id: 1, title: 'b' }])
  expect(await ask('GET', 'posts?title=b')).toHaveLength(1)
  expect(await ask('GET', 'days')).toEqual([{ id: 1, at: '1970-01-01T00:00:00.001Z' }, { id: 2 }])
  await ask('PATCH', 'posts/1', { id: 1 })
  post.rename('c')
  expect(await ask('GET', 'posts')).toEqual([{ id: 1, title: 'c' }])
})

it('stores what a client sends in place of a row that would not send it', async () => {
  let title = 'a'
  class Post {
    id = 1
    #title = 'a'
    toJSON() {
      return { id: this.id, title: this.#title }
    }
  }
  class Settable {
    id = 2
    #title = 'a'
    get title() {
      return this.#title
    }
    set title(title: string) {
      this.#title = title
    }
  }
  const plain = { id: 3, toJSON: () => ({ id: 3, title }) }
  const { ask } = await open({ posts: [new Post(), new Settable(), plain] })
  for (const path of ['posts/1', 'posts/2', 'posts/3']) {
    const changed = await ask('PATCH', path, { title: 'b', more: 1 })
    expect(changed).toMatchObject({ title: 'b', more: 1 })
    expect(await ask('GET', path)).toEqual(changed)
  }
  title = 'c'
  expect(await ask('GET', 'posts/3')).toMatchObject({ title: 'b' })
})

it('leaves a setter that the row is sent by to its owner', async () => {
  class Post {
    id = 1
    #title = 'a'
    get title() {
      return this.#title
    }
    set title(title: string) {
      this.#title = title
    }
    toJSON() {
      return { id: this.id, title: this.title }
    }
  }
  const post = new Post()
  const { ask } = await open({ posts: [post] })
  expect(await ask('PATCH', 'posts/1', { title: 'b' })).toEqual({ id: 1, title: 'b' })
  expect([post.title, Object.keys(post)]).toEqual(['b', ['id']])
  post.title = 'c'
  expect(await ask('GET', 'posts/1')).toEqual({ id: 1, title: 'c' })
  expect(await ask('PUT', 'posts/1', {})).toEqual({ id: 1 })
  expect(await ask('GET', 'posts/1')).toEqual({ id: 1 })
})

it.each<[string, (post: Row) => Row]>([
  [
    'setter',
    (post) =>
      Object.defineProperty(post, 'views', {
        ...{ get: () => 0, enumerable: true, configurable: true },
        set() {
          throw new Error('No views are counted here.')
        },
      }),
  ],
  ['proxy', (post) => new Proxy(post, { set: refuse, defineProperty: refuse, deleteProperty: refuse })],
  ['proxy for removals', (post) => new Proxy(post, { deleteProperty: refuse })],
])('takes all of a change of a row whose %s throws', async (_, make) => {
  for (const sent of [
    { title: 'b', views: 1 },
    { note: 'a', views: 1, title: 'b' },
  ]) {
    const { ask } = await open({ posts: [make({ id: 1, title: 'a', views: 0, note: 'a' })] })
    expect(await ask('PUT', 'posts/1', sent)).toEqual({ ...sent, id: 1 })
    expect(await ask('GET', 'posts')).toEqual([{ ...sent, id: 1 }])
  }
})

function refuse(): never {
  throw new Error('This cannot be changed.')
}

it('takes changes of what is frozen, which stays as it was', async () => {
  const data = {
    posts: Object.freeze([Object.freeze({ id: 1, title: 'a' })]),
    profile: Object.freeze({ name: 'me' }),
  }
  const before = structuredClone(data)
  const { ask, state } = await open(Object.freeze(data))
  await ask('PATCH', 'posts/1', { title: 'b' })
  await ask('POST', 'posts', {})
  await ask('PATCH', 'profile', { name: 'you' })
  const expected = { posts: [{ id: 1, title: 'b' }, { id: 2 }], profile: { name: 'you' } }
  expect(await ask('GET', 'db')).toEqual(expected)
  expect(state()).toEqual(expected)
  expect(data).toEqual(before)
})

it('takes changes of what its owner computes', async () => {
  const row = {
    id: 1,
    first: 'A',
    get title() {
      return `${this.first}!`
    },
  }
  const made = [{ id: 1 }]
  const { ask } = await open({
    posts: [row],
    get tags() {
      return made
    },
    get profile() {
      return { name: 'me' }
    },
  })
  expect(await ask('PATCH', 'posts/1', { first: 'B' })).toMatchObject({ first: 'B' })
  expect(await ask('GET', 'posts/1')).toEqual({ id: 1, first: 'B', title: 'B!' })
  await ask('PATCH', 'posts/1', { title: 'own' })
  expect(await ask('GET', 'posts/1')).toEqual({ id: 1, first: 'B', title: 'own' })
  await ask('POST', 'tags', {})
  expect(await ask('GET', 'tags')).toEqual([{ id: 1 }, { id: 2 }])
  await ask('PATCH', 'profile', { name: 'you' })
  expect(await ask('GET', 'profile')).toEqual({ name: 'me' })
})
