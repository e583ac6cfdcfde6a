import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeApi, type OpenOptions, open, router } from '../../src/index.ts'
import { fileOf, folderOf } from '../support/folder.ts'

const DATA = {
  posts: [
    { post_id: 1, id: 'plain', title: 'a', person_id: 'ada' },
    { post_id: 2, title: 'b', person_id: 'bob' },
  ],
  people: [{ handle: 'ada' }, { handle: 'bob' }],
  // One to one: its id is called as a key to posts is.
  drafts: [{ post_id: 1, text: 'x' }],
}
const RESOURCES = {
  posts: { id: 'post_id' },
  people: { id: 'handle' },
  drafts: { id: 'post_id' },
}

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what is tested
type Answered = any

const SETTINGS = { foreignKeySuffix: '_id', resources: RESOURCES } as const

async function opened(options: OpenOptions = {}) {
  const data = options.source === undefined && { data: structuredClone(DATA), live: false }
  const api = await open({ ...SETTINGS, ...data, ...options })
  onTestFinished(() => api.close())
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await api.fetch(path, { method, headers: { ...type, ...headers }, ...init })
    const answer: Answered = await response.json()
    return { status: response.status, headers: response.headers, body: answer }
  }
  return { api, ask, get: async (path: string) => (await ask('GET', path)).body }
}

describe("a resource's own id, whatever it is called,", () => {
  it.each<[string, string, unknown]>([
    ['is what a path names', '/posts/2', DATA.posts[1]],
    ['has plain data beside it', '/posts?id=plain', [DATA.posts[0]]],
    ['is what ids mean', '/posts?ids=2', [DATA.posts[1]]],
    [
      'is what a key of another name leads to',
      '/posts/1?_expand=person',
      { ...DATA.posts[0], person: DATA.people[0] },
    ],
    ['is what children point at', '/people/bob?_embed=posts', { ...DATA.people[1], posts: [DATA.posts[1]] }],
    ['is the parent in a nested path', '/people/bob/posts', [DATA.posts[1]]],
    ['is no key: nothing to expand', '/drafts/1?_expand=post', DATA.drafts[0]],
    ['is no key: no children', '/posts/1?_embed=drafts', { ...DATA.posts[0], drafts: [] }],
    ['is no key: no nested path', '/posts/1/drafts', []],
    ['is no key of its own rows', '/posts/1/posts', []],
  ])('%s', async (_, path, body) => {
    expect(await (await opened()).get(path)).toEqual(body)
  })

  it('is no key: a nested path makes no row, and none goes along with another', async () => {
    const { ask, get } = await opened({ cascade: true })
    expect((await ask('POST', '/posts/2/drafts', { text: 'y' })).status).toBe(404)
    expect((await ask('DELETE', '/posts/1')).status).toBe(200)
    expect(await get('/drafts')).toEqual(DATA.drafts)
  })

  it('is in the description: relations, paths, types, the service', async () => {
    const { get } = await opened()
    const shaped = { ...SETTINGS, data: DATA, shape: 'jsonapi' } as const
    const [types, ofShape] = await Promise.all([
      (await describeApi({ ...SETTINGS, data: DATA })).types(),
      (await describeApi(shaped)).types(),
    ])
    expect(types).toMatch(/interface NewPost \{[^}]*post_id\?: number/)
    expect(types).not.toMatch(/drafts\?: /)
    expect(ofShape).toContain('Omit<Post, "post_id">')
    const { resources } = await get('/__service')
    const idOf = (name: string) => resources.find((one: { name: string }) => one.name === name)
    expect(idOf('posts')).toMatchObject({
      id: 'post_id',
      relations: [{ field: 'person_id', resource: 'people' }],
    })
    expect(idOf('drafts').relations).toEqual([])
    const { paths } = await get('/__openapi')
    expect(Object.keys(paths)).toContain('/people/{id}/posts')
    expect(Object.keys(paths)).not.toContain('/posts/{id}/drafts')
  })

  it('is in the log of changes, and grows', async () => {
    const { ask, get } = await opened()
    expect((await ask('POST', '/__grow', { people: [{ handle: 'cy' }] })).body.created).toEqual({ people: 1 })
    expect((await get('/people/cy')).handle).toBe('cy')
    await ask('PATCH', '/posts/2', { title: 'c' })
    expect((await get('/__history'))[0].changes).toMatchObject([{ resource: 'posts', id: 2 }])
  })

  it('is the id in JSON:API, of rows and of what they include', async () => {
    const { ask, get } = await opened({ shape: 'jsonapi' })
    const { data, included } = await get('/posts/1?include=person')
    expect(data).toMatchObject({ id: '1', attributes: { id: 'plain', title: 'a' } })
    expect(data.relationships.person.data).toEqual({ type: 'people', id: 'ada' })
    expect(included).toMatchObject([{ type: 'people', id: 'ada' }])
    const relationships = { person: { data: { type: 'people', id: 'bob' } } }
    const sent = { data: { type: 'posts', id: '7', attributes: { title: 'd' }, relationships } }
    expect((await ask('POST', '/posts', sent)).headers.get('location')).toMatch(/\/posts\/7$/)
    const stored = await ask('GET', '/posts/7', undefined, { Prefer: 'shape=none' })
    expect(stored.body).toEqual({ post_id: 7, title: 'd', person_id: 'bob' })
  })

  it('is written as other keys are', async () => {
    const { ask, get } = await opened({ shape: { keys: 'camel' } })
    expect(await get('/posts?postId=1')).toEqual([{ postId: 1, id: 'plain', title: 'a', personId: 'ada' }])
    expect((await ask('POST', '/posts', { postId: 9, title: 'x' })).headers.get('location')).toMatch(
      /\/posts\/9$/,
    )
    expect((await ask('PATCH', '/posts/9', { postId: 10 })).body).toEqual({ postId: 9, title: 'x' })
  })

  it('is what db in code finds rows by, and its chain', async () => {
    const data = structuredClone(DATA)
    const { db } = router(data, { foreignKeySuffix: '_id', resources: RESOURCES })
    expect(db.get('posts').insert({ title: 'new' }).value()).toEqual({ title: 'new', post_id: 3 })
    expect(db.get('people').getById('bob').value()).toEqual({ handle: 'bob' })
    expect(db.get('people').removeById('bob').value()).toEqual({ handle: 'bob' })
    expect(db.get('other').value()).toBeUndefined()
  })

  it('is what a comment stays beside, in a file with several resources', async () => {
    const line = (row: object, note: string) => `    ${JSON.stringify(row)}, // ${note}\n`
    const posts = DATA.posts.map((row) => line(row, `post ${row.post_id}`)).join('')
    const people = DATA.people.map((row) => line(row, `person ${row.handle}`)).join('')
    const source = fileOf(`{\n  "posts": [\n${posts}  ],\n  "people": [\n${people}  ]\n}\n`, 'db.jsonc')
    const { ask } = await opened({ source })
    await ask('DELETE', '/posts/1')
    await ask('PATCH', '/people/bob', { age: 3 })
    await ask('PATCH', '/posts/2', { title: 'c' })
    const lines = readFileSync(source, 'utf8')
      .split('\n')
      .filter((one) => one.includes('//'))
    expect(lines.map((one) => one.trim())).toEqual([
      expect.stringMatching(/"title": ?"c".*post 2$/),
      expect.stringMatching(/ada.*person ada$/),
      expect.stringMatching(/bob.*"age": ?3.*person bob$/),
    ])
  })

  it('is that of rows in CSV, and of sample data', async () => {
    const folder = folderOf({ 'posts.csv': 'post_id,id,title\n1,x,a\n2,y,b\n' })
    const { ask } = await opened({ source: `${folder}/` })
    expect((await ask('POST', '/posts', { id: 'z', title: 'c' })).body).toEqual({
      post_id: 3,
      id: 'z',
      title: 'c',
    })
    await ask('DELETE', '/posts/1')
    expect(readFileSync(join(folder, 'posts.csv'), 'utf8')).toBe('post_id,id,title\n2,y,b\n3,z,c\n')
    const made = await opened({ source: join(folderOf(), 'new.json') })
    expect(await made.get('/posts/1?_embed=comments')).toMatchObject({
      post_id: 1,
      comments: [{ post_id: 1 }, {}],
    })
  })
})

const ACCOUNTS = { middlewares: ['accounts'], accounts: { secret: 'x'.repeat(32) } }

it.each<[string, OpenOptions, string]>([
  [
    'a reference',
    {
      resources: { ...RESOURCES, drafts: { id: 'post_id', references: { post_id: { resource: 'posts' } } } },
    },
    'resources.drafts.references.post_id: "post_id" has the ids of drafts, and is no key. Name another field.',
  ],
  [
    'via',
    { ...ACCOUNTS, resources: { drafts: { id: 'post_id', access: { read: 'via:post_id' } } } },
    'resources.drafts.access.read: "post_id" has the ids of drafts, and is no key. Name another field.',
  ],
  [
    'an owner',
    { ...ACCOUNTS, resources: { drafts: { id: 'user_id', access: { read: 'owner' } } } },
    'resources.drafts.owner: "user_id" has the ids of drafts, and is no key. Name another field.',
  ],
  [
    'a timestamp',
    { resources: { drafts: { id: 'at', timestamps: ['at', 'on'] } } },
    'resources.drafts.timestamps: "at" is the primary key. Name another field.',
  ],
  [
    'a path',
    { resources: { drafts: { id: 'a.b' } } },
    '"resources.drafts.id" must be the name of a field, without dots and brackets',
  ],
])('an own id that is %s is refused', async (_, options, message) => {
  await expect(opened(options)).rejects.toThrow(message)
})

it('gives access, to rows whose keys name it and to their owners', async () => {
  const data = {
    users: [],
    projects: [],
    tasks: [],
  }
  const all = (...rule: string[]) => ({ read: rule, create: rule, update: rule, delete: rule })
  const resources = {
    users: { id: 'uid' },
    projects: { id: 'code', access: { ...all('owner'), create: 'signed-in' } },
    tasks: { id: 'no', access: all('via:project_id') },
  }
  const { ask } = await opened({ data, resources, ...ACCOUNTS })
  const join = async (email: string) => {
    const { body } = await ask('POST', '/register', { email, password: 'long enough' })
    return { user: body.user, as: { Authorization: `Bearer ${body.accessToken}` } }
  }
  const [ada, bob] = [await join('ada@example.com'), await join('bob@example.com')]
  expect([ada.user.uid, bob.user.uid]).toEqual([1, 2])
  const project = await ask('POST', '/projects', { code: 'p' }, ada.as)
  expect(project.body).toEqual({ code: 'p', user_id: 1 })
  expect((await ask('POST', '/tasks', { project_id: 'p' }, ada.as)).body).toMatchObject({
    no: 1,
    project_id: 'p',
  })
  expect((await ask('POST', '/tasks', { project_id: 'p' }, bob.as)).status).toBe(403)
  expect((await ask('GET', '/tasks/1', undefined, ada.as)).status).toBe(200)
  expect((await ask('GET', '/tasks/1', undefined, bob.as)).status).toBe(404)
  expect((await ask('GET', '/projects/p/tasks', undefined, bob.as)).body).toEqual([])
  expect((await ask('PATCH', '/users/1', { name: 'Ada' }, ada.as)).status).toBe(200)
  expect((await ask('PATCH', '/users/1', { name: 'Bob' }, bob.as)).status).toBe(403)
})
