import { describe, expect, it } from 'vitest'
import { define, type Row, refuse } from '../../../src/index.ts'
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
  site: { title: 'Site' },
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

interface Hooked {
  readonly row: Row
  readonly db: Record<
    string,
    Record<'create' | 'remove', (sent: unknown) => unknown> & { update(...sent: unknown[]): unknown }
  >
}

/** Writes to a row once, however often it runs. */
function onceOn(title: string, resource: string, id = 1) {
  return async ({ row, db }: Hooked) => {
    if (row.title !== title) return
    const sent = [...(resource === 'site' ? [] : [id]), { title: 'y' }]
    await db[resource]?.update(...sent)
  }
}
const write =
  (resource: string, key: string) =>
  ({ row, db }: Hooked) =>
    db[resource]?.update(row[key], { title: 'written' })
const writeComment = ({ db }: Hooked) => db.comments?.update(1, { text: 'written' })
const removeComment = ({ db, row }: Hooked) => row.id === 1 && db.comments?.remove(1)

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

  it('changes nothing if it fails while it still writes', async () => {
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
    const logic = define<Api>({
      'POST /try': async ({ db }) => {
        await db.posts.create({ title: 'x' }).catch(() => {})
        await turn()
        await turn()
        return db.posts.list()
      },
      posts: {
        before: {
          create: ({ db }) => {
            for (const text of ['a', 'b']) db.log.create({ text }).catch(() => {})
            return Promise.reject(refuse(409, 'NO', 'No.'))
          },
        },
      },
      log: { before: { create: turn } },
    })
    await serve(logic, { printError: () => {} })
    expect((await send('POST /try')).body).toEqual(DATA.posts)
    expect(await send('POST /posts', {})).toMatchObject({ status: 409 })
    expect(await get('/db')).toEqual(DATA)
  })

  it('does not run for undo, redo and reset', async () => {
    let ran = 0
    const create = () => void ran++
    const { undo, redo, reset } = await serve({
      posts: { before: { create, update: create, delete: create } },
    })
    await send('POST /posts', { title: 'x' })
    await undo()
    await redo()
    await reset()
    expect(ran).toBe(1)
  })

  it.each<readonly [what: string, at: string, logic: object]>([
    ['row', 'PATCH /posts/1', { posts: { before: { update: onceOn('x', 'posts') } } }],
    [
      'row of the same list',
      'PATCH /posts?id_lte=2',
      { posts: { before: { update: onceOn('x', 'posts', 2) } } },
    ],
    ['object', 'PATCH /site', { site: { before: { update: onceOn('x', 'site') } } }],
  ])('cannot write the %s that it is about', async (_, at, logic) => {
    const lines: string[] = []
    await serve(logic, { printError: (line) => lines.push(line) })
    expect(await send(at, { title: 'x' })).toMatchObject({ status: 500 })
    expect(lines).toEqual([expect.stringMatching(/before\.update of (posts|site)/)])
    expect(await get('/db')).toEqual(DATA)
  })

  it.each<readonly [what: string, at: string, logic: object]>([
    ['writes it', 'DELETE /posts/1', { posts: { before: { delete: write('posts', 'id') } } }],
    ['writes all', 'DELETE /posts?id_lte=2', { posts: { before: { delete: write('posts', 'id') } } }],
    ['writes what goes along', 'DELETE /posts/1', { posts: { before: { delete: writeComment } } }],
    ['writes the parent', 'DELETE /posts/1', { comments: { before: { delete: write('posts', 'postId') } } }],
    ['deletes what goes along', 'DELETE /posts/1', { posts: { before: { delete: removeComment } } }],
  ])('deletes a row even if the hook %s', async (_, at, logic) => {
    const { history, undo } = await serve(logic, { cascade: true })
    expect(await send(at)).toMatchObject({ status: 200 })
    expect(await send('GET /posts/1')).toMatchObject({ status: 404 })
    expect(await get('/comments')).toEqual([])
    expect(await history()).toHaveLength(1)
    await undo()
    expect(await get('/db')).toEqual(DATA)
  })

  it('runs once for each row that is deleted', async () => {
    const deleted: unknown[] = []
    const logic = {
      posts: { before: { delete: removeComment } },
      comments: { before: { delete: ({ row }: { row: Row }) => void deleted.push(row) } },
    }
    await serve(logic, { cascade: true })
    await send('DELETE /posts/1')
    expect(deleted).toEqual(DATA.comments)
  })

  it('runs for rows that lose a reference, as after does', async () => {
    const seen: unknown[] = []
    const logic = define<Api>({
      posts: {
        computed: { mine: ({ userId }) => userId === 1 },
        before: {
          update: ({ row, old }) => {
            seen.push(['before', old.userId, row.userId])
            return { ...row, id: 99, slug: 'orphan', mine: 'no' }
          },
        },
        after: { update: ({ row, old }) => void seen.push(['after', old.userId, row.userId]) },
      },
    })
    const references = { userId: { resource: 'users', onDelete: 'null' } }
    const { undo } = await serve(logic, { resources: { posts: { references } } } as object)
    await send('DELETE /users/1')
    expect(seen).toEqual([
      ['before', 1, null],
      ['after', 1, null],
    ])
    expect(await get('/posts/1')).toEqual({ id: 1, title: 'One', userId: null, slug: 'orphan', mine: false })
    await undo()
    expect(await get('/posts/1')).toEqual({ ...DATA.posts[0], mine: true })
  })

  it('sees computed fields in both rows, and cannot change them', async () => {
    const seen: unknown[] = []
    const logic = define<Api>({
      posts: {
        computed: { loud: ({ title }) => `${title}!` },
        before: {
          create: ({ row }) => void seen.push({ ...row }),
          update: ({ row, old }) => {
            seen.push(row, old)
            return { ...row, loud: 'quiet' }
          },
          delete: ({ row }) => void seen.push(row),
        },
      },
    })
    const schema = { properties: { title: {} }, additionalProperties: false }
    await serve(logic, { data: { posts: [] }, resources: { posts: { schema } } })
    const [a, b] = [
      { id: 1, title: 'a', loud: 'a!' },
      { id: 1, title: 'b', loud: 'b!' },
    ]
    expect((await send('POST /posts', { title: 'a', loud: 'x' })).body).toEqual(a)
    expect((await send('PATCH /posts/1', { title: 'b', loud: 'x' })).body).toEqual(b)
    await send('DELETE /posts/1')
    expect(seen).toEqual([a, b, a, b])
  })

  it('leaves nothing that references what is deleted', async () => {
    const logic = {
      posts: {
        before: { delete: ({ db, row }: Hooked) => db.comments?.create({ postId: row.id }) },
      },
    }
    const references = { postId: { resource: 'posts', onDelete: 'cascade' } }
    await serve(logic, { resources: { comments: { references } } } as object)
    expect(await send('DELETE /posts/1')).toMatchObject({ status: 409, body: { code: 'STILL_REFERENCED' } })
    expect(await get('/db')).toEqual(DATA)
  })

  it.each<readonly [what: string, resources: object]>([
    ['numbers', {}],
    ['numbers that the config asks for', { posts: { ids: 'increment' } }],
    ['texts', { posts: { ids: 'uuid' } }],
  ])('may create rows beside the new ones: ids are %s', async (_, resources) => {
    const ids: unknown[] = []
    const logic = define<Api>({
      posts: {
        before: {
          create: async ({ db, row }) => {
            if (row.title === 'beside') return
            ids.push(row.id)
            await db.posts.create({ title: 'beside' })
          },
        },
      },
    })
    await serve(logic, { resources } as object)
    const { status, body } = await send('POST /posts', [{ title: 'a' }, { title: 'b' }])
    expect([status, body.map(({ id }: Post) => id)]).toEqual([201, ids])
    const all = await get('/posts')
    expect(new Set(all.map(({ id }: Post) => id)).size).toBe(6)
    expect(await send('POST /posts', { title: 'beside' })).toMatchObject({ status: 201 })
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
    let ran = 0
    const again = define<Api>({
      posts: {
        after: {
          create: async ({ db }) => void (ran++ < 100 && (await db.posts.create({ title: 'again' }))),
        },
      },
    })
    await serve(again, { printError: () => {}, resources: { posts: { unique: ['id'] } } })
    expect(await send('POST /posts', { id: 1 })).toMatchObject({ status: 409 })
    expect(ran).toBe(0)
    await send('POST /posts', { title: 'x' })
    expect(ran).toBeLessThan(20)
  })
})

describe('who causes a change', () => {
  const login = async () => {
    const { body } = await send('POST /login', { email: 'ada@example.com', password: 'password-1' })
    return { Authorization: `Bearer ${body.token}` }
  }
  const ada = { id: 1, email: 'ada@example.com', role: 'user' }

  it.each<readonly [what: string, options: object, user: object | undefined]>([
    ['with accounts: the row', { middlewares: ['accounts'] }, { ...ada, city: 'Rome' }],
    ['with the jwt layer: what the token says', { middlewares: ['jwt'] }, ada],
    ['with neither: nobody', {}, undefined],
  ])('is known to hooks of plain requests as to handlers, %s', async (_, options, user) => {
    const users: unknown[] = []
    const saw = ({ user }: { user?: object }) => void users.push(user)
    const logic = {
      posts: { before: { create: saw, update: saw, delete: saw }, after: { create: saw } },
      'POST /write': saw,
    }
    const [first, ...others] = DATA.users
    const data = { ...DATA, users: [{ ...first, city: 'Rome' }, ...others] }
    await serve(logic, { data: structuredClone(data), ...options })
    const headers = user && (await login())
    await send('POST /posts', { title: 'x' }, headers)
    await send('PATCH /posts?id=3', { title: 'y' }, headers)
    await send('DELETE /posts/3', undefined, headers)
    await send('POST /__grow', { posts: 1 }, headers)
    await send('POST /write', undefined, headers)
    expect(users).toEqual(Array.from({ length: users.length }, () => user))
    expect(users.length).toBeGreaterThan(5)
  })

  it('has the rights of the client for hooks of a registration, too', async () => {
    const seen: unknown[] = []
    const logic = define<Api>({
      users: {
        before: {
          create: async ({ db }) => {
            await db.posts.list().catch(({ code }: Error & { code?: string }) => seen.push(code))
            seen.push((await db.asServer.posts.list()).length)
          },
        },
      },
    })
    const access = { read: 'owner' }
    await serve(logic, { middlewares: ['accounts'], resources: { posts: { access } } } as object)
    await send('POST /register', { email: 'eve@example.com', password: 'password-3' })
    expect(seen).toEqual(['AUTH_REQUIRED', 2])
  })

  it('does not matter for passwords: hooks of plain requests store hashes', async () => {
    const invite = define<Api>({
      posts: {
        before: {
          create: async ({ db, row }) => {
            await db.asServer.users.create({ email: `${row.title}@example.com`, password: 'password-4' })
          },
        },
      },
    })
    const server = await serve(invite, { middlewares: ['accounts'] })
    expect(await send('POST /posts', { title: 'guest' }, await login())).toMatchObject({ status: 201 })
    expect(await server.create('posts', { title: 'friend' })).toMatchObject({ title: 'friend' })
    for (const name of ['guest', 'friend']) {
      const sent = { email: `${name}@example.com`, password: 'password-4' }
      expect(await send('POST /login', sent)).toMatchObject({ status: 200 })
    }
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
