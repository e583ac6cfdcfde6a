import { describe, expect, it, vi } from 'vitest'
import { define, type Row, refuse } from '../../src/index.ts'
import { withLogic } from './support.ts'

interface Post {
  id: number
  title: string
  slug?: string
  userId?: number
}
interface Api {
  posts: { row: Post; new: Omit<Post, 'id'> & { id?: number }; kind: 'collection' }
  log: {
    row: { id: number; text: string }
    new: { text: string }
    kind: 'collection'
  }
  users: {
    row: { id: number; email: string }
    new: { email: string; password: string }
    kind: 'collection'
  }
}

const DATA = {
  posts: [
    { id: 1, title: 'One', userId: 1 },
    { id: 2, title: 'Two', userId: 2 },
  ],
  comments: [{ id: 1, postId: 1 }],
  log: [],
  users: [
    { id: 1, email: 'ada@example.com', password: 'password-1' },
    { id: 2, email: 'bob@example.com', password: 'password-2' },
  ],
}
const SCHEMA = {
  type: 'object',
  properties: { title: { type: 'string' }, slug: { type: 'string' }, kind: { default: 'text' } },
  required: ['title', 'slug', 'kind'],
}
const { serve, send, get } = withLogic(DATA)
const slugOf = ({ title }: { readonly title: string }) => title.toLowerCase()

const SLUGS = define<Api>({
  posts: {
    before: {
      create: ({ row }) => ({ ...row, slug: slugOf(row) }),
      update: async ({ row }) => ({ ...row, slug: slugOf(row) }),
    },
  },
  'POST /write': ({ db }) => db.posts.create({ title: 'NEW' }),
})

const PATCH = { 'Content-Type': 'application/json-patch+json' }

describe('before', () => {
  it.each<readonly [what: string, at: string, body: unknown, headers: object]>([
    ['POST', 'POST /posts', { title: 'NEW' }, {}],
    ['POST of many', 'POST /posts', [{ title: 'NEW' }, { title: 'NEW' }], {}],
    ['PUT', 'PUT /posts/1', { title: 'NEW' }, {}],
    ['PUT of a missing item', 'PUT /posts/9?_upsert=true', { title: 'NEW' }, {}],
    ['PATCH', 'PATCH /posts/1', { title: 'NEW' }, {}],
    ['PATCH of many', 'PATCH /posts?id=1', { title: 'NEW' }, {}],
    ['JSON Patch', 'PATCH /posts/1', [{ op: 'replace', path: '/title', value: 'NEW' }], PATCH],
    ['a nested POST', 'POST /users/1/posts', { title: 'NEW' }, {}],
    ['a nested PATCH', 'PATCH /users/1/posts/1', { title: 'NEW' }, {}],
    ['a handler', 'POST /write', undefined, {}],
  ])('runs for %s', async (_, at, body, headers) => {
    const { history } = await serve(SLUGS)
    const response = await send(at, body, { ...headers })
    const rows = [response.body].flat()
    expect(rows.map(({ slug }: Post) => slug)).toEqual(rows.map(() => 'new'))
    expect(await get(`/posts/${rows[0].id}`)).toEqual(rows[0])
    expect(await history()).toHaveLength(1)
  })

  it('runs for create() of the server, too', async () => {
    const server = await serve(SLUGS)
    expect(await server.create('posts', { title: 'NEW' })).toMatchObject({ slug: 'new' })
  })

  it('comes after the defaults, and before the schema', async () => {
    const seen: unknown[] = []
    const logic = define<Api>({
      posts: {
        before: {
          create: ({ row }) => {
            seen.push({ ...row })
            // In place is as good as returned.
            if (row.title !== 'none') row.slug = slugOf(row)
          },
        },
      },
    })
    await serve(logic, { resources: { posts: { schema: SCHEMA } } })
    expect((await send('POST /posts', { title: 'NEW' })).body).toMatchObject({ slug: 'new', kind: 'text' })
    expect(seen).toEqual([{ id: 3, title: 'NEW', kind: 'text' }])
    expect(await send('POST /posts', { title: 'none' })).toMatchObject({
      status: 422,
      body: { errors: { slug: 'is required' } },
    })
  })

  it('refuses the whole change, cascades included', async () => {
    await serve(
      { comments: { before: { delete: () => Promise.reject(refuse(409, 'IN_USE', 'No.')) } } },
      { cascade: true },
    )
    expect(await send('DELETE /posts?id_lte=2')).toMatchObject({ status: 409, body: { code: 'IN_USE' } })
    expect(await get('/posts')).toEqual(DATA.posts)
    expect(await send('DELETE /posts/2')).toMatchObject({ status: 200 })
  })

  it('refuses with what it returns, too', async () => {
    await serve({ posts: { before: { create: () => refuse(409, 'FULL', 'No.') } } })
    expect(await send('POST /posts', {})).toMatchObject({ status: 409, body: { code: 'FULL' } })
    expect(await get('/posts')).toEqual(DATA.posts)
  })

  it('sees the row that it replaces, and not the new one in the data', async () => {
    const seen: unknown[] = []
    const logic = define<Api>({
      posts: {
        before: {
          create: async ({ db }) => void seen.push((await db.posts.list()).length),
          update: ({ old, row }) => void seen.push([old.title, row.title]),
        },
      },
    })
    await serve(logic)
    await send('POST /posts', { title: 'Three' })
    await send('PATCH /posts/1', { title: 'Uno' })
    expect(seen).toEqual([2, ['One', 'Uno']])
  })

  it('writes into the same commit', async () => {
    const logic = define<Api>({
      posts: { before: { update: ({ row, db }) => void db.log.create({ text: row.title }) } },
      log: { before: { create: ({ row }) => ({ ...row, text: `${row.text}!` }) } },
    })
    const { history, undo } = await serve(logic)
    await send('PATCH /posts?id_lte=2', { title: 'x' })
    expect(await get('/log')).toMatchObject([{ text: 'x!' }, { text: 'x!' }])
    expect(await history()).toHaveLength(1)
    await undo()
    expect(await get('/log')).toEqual([])
  })

  it('is an error of the server if it fails otherwise, or leads to itself', async () => {
    const lines: string[] = []
    const logic = define<Api>({
      posts: { before: { create: ({ db }) => db.posts.create({ title: 'again' }) } },
      log: { before: { create: ({ row }) => JSON.parse(row.text) } },
    })
    await serve(logic, { printError: (line) => lines.push(line) })
    expect(await send('POST /posts', {})).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } })
    expect(await send('POST /log', { text: '{' })).toMatchObject({ status: 500 })
    expect(lines).toEqual([
      expect.stringContaining('Hooks led to each other'),
      expect.stringMatching(/hooks\.test\.ts:\d+/),
    ])
    expect(await get('/posts')).toEqual(DATA.posts)
  })

  it('does not run for undo, redo and reset', async () => {
    const create = vi.fn()
    const { undo, redo, reset } = await serve({
      posts: { before: { create, update: create, delete: create } },
    })
    await send('POST /posts', { title: 'x' })
    await undo()
    await redo()
    await reset()
    expect(create).toHaveBeenCalledTimes(1)
  })

  it('cannot write the row that it is about', async () => {
    const logic = define<Api>({
      posts: {
        before: {
          update: async ({ row, db }) =>
            void (row.title === 'x' && (await db.posts.update(1, { title: 'y' }))),
        },
      },
    })
    await serve(logic, { printError: () => {} })
    expect(await send('PATCH /posts/1', { title: 'x' })).toMatchObject({ status: 500 })
    expect(await get('/posts')).toEqual(DATA.posts)
  })
})

describe('after', () => {
  it('runs once the write is saved, before the response, in a commit of its own', async () => {
    const logic = define<Api>({
      posts: {
        after: {
          create: ({ row, db }) => db.log.create({ text: `create ${row.id}` }),
          update: ({ row, old, db }) => db.log.create({ text: `${old.title} ${row.title}` }),
          delete: ({ row, db }) => db.log.create({ text: `delete ${row.id}` }),
        },
      },
    })
    const { history } = await serve(logic)
    await send('POST /posts', [{ title: 'x' }, { title: 'y' }])
    await send('PATCH /posts/3', { title: 'z' })
    await send('DELETE /posts/3')
    const texts = (await get('/log')).map(({ text }: Row) => text)
    expect(texts).toEqual(['create 3', 'create 4', 'x z', 'delete 3'])
    expect((await history()).map(({ method }) => method)).toEqual([
      ...['DELETE', 'DELETE', 'PATCH', 'PATCH', 'POST', 'POST', 'POST'],
    ])
  })

  it('fails into the log, and changes nothing of the response', async () => {
    const lines: string[] = []
    const fails = () => Promise.reject(new Error('no'))
    await serve({ posts: { after: { create: fails } } }, { printError: (line) => lines.push(line) })
    expect(await send('POST /posts', { title: 'x' })).toMatchObject({ status: 201 })
    expect(lines).toEqual([
      expect.stringMatching(/posts\.after\.create failed: Error: no[\s\S]*hooks\.test\.ts:\d+/),
    ])
  })

  it('does not run if the write is refused, and ends where it leads to itself', async () => {
    const create = vi.fn(({ db }) => db.posts.create({ title: 'again' }))
    await serve(
      { posts: { after: { create } } },
      { printError: () => {}, resources: { posts: { unique: ['id'] } } },
    )
    expect(await send('POST /posts', { id: 1 })).toMatchObject({ status: 409 })
    expect(create).not.toHaveBeenCalled()
    await send('POST /posts', { title: 'x' })
    expect(create.mock.calls.length).toBeLessThan(20)
  })
})

describe('with accounts', () => {
  const ACCESS = {
    middlewares: ['accounts'],
    resources: {
      posts: { access: { read: 'owner', create: 'signed-in', update: 'owner' } },
      log: { access: { read: 'role:admin', create: 'nobody' } },
    },
  }

  it('acts as the client of the request, and as the server only on demand', async () => {
    const users: unknown[] = []
    const logic = define<Api>({
      'GET /mine': ({ db }) => db.posts.list(),
      'POST /take/:id': ({ db, params }) => db.posts.update(params.id ?? '', { title: 'taken' }),
      'GET /log/all': ({ db }) => db.log.list(),
      'POST /log': ({ db }) => db.log.create({ text: 'x' }),
      'POST /log/server': ({ db, user }) => db.asServer.log.create({ text: String(user?.email) }),
      posts: { before: { update: ({ user }) => void users.push(user) } },
      log: { before: { create: ({ user }) => void users.push(user?.id) } },
    })
    await serve(logic, ACCESS as object)
    const { body } = await send('POST /login', { email: 'ada@example.com', password: 'password-1' })
    const ada = { Authorization: `Bearer ${body.token}` }
    expect((await get('/mine', ada)).map(({ id }: Row) => id)).toEqual([1])
    expect(await send('POST /take/2', {}, ada)).toMatchObject({ status: 404 })
    expect(await send('POST /take/1', {})).toMatchObject({ status: 401 })
    expect(await send('POST /take/1', {}, ada)).toMatchObject({ status: 200 })
    expect(await send('GET /log/all')).toMatchObject({ status: 401, body: { code: 'AUTH_REQUIRED' } })
    expect(await send('GET /log/all', undefined, ada)).toMatchObject({ status: 403 })
    expect(await send('POST /log', {}, ada)).toMatchObject({ status: 403, body: { code: 'AUTH_FORBIDDEN' } })
    expect(await send('POST /log/server', {}, ada)).toMatchObject({ body: { text: 'ada@example.com' } })
    // Without the password.
    expect(users).toEqual([{ id: 1, email: 'ada@example.com', role: 'user' }, 1])
  })

  it('stores passwords as hashes, and shows them to nobody', async () => {
    const seen: unknown[] = []
    const logic = define<Api>({
      'POST /invite': ({ db }) =>
        db.asServer.users.create({ email: 'eve@example.com', password: 'password-3' }),
      users: { before: { create: ({ row }) => void seen.push(row) } },
    })
    await serve(logic, ACCESS as object)
    expect(await send('POST /invite')).toMatchObject({ status: 200, body: { email: 'eve@example.com' } })
    expect(JSON.stringify(seen)).not.toContain('password')
    const login = await send('POST /login', { email: 'eve@example.com', password: 'password-3' })
    expect(login.status).toBe(200)
  })
})
