import { describe, expect, it } from 'vitest'
import { type Guarded, serveViewers, type ViewerName } from '../../support/http/viewers.ts'

type Client = ViewerName | `${number}:${string}`

function serveOwned(resources: object, data: object, cascade = false): Promise<Guarded> {
  return serveViewers({
    data: structuredClone(data),
    foreignKeySuffix: 'Id',
    resources: { ...resources },
    cascade,
  })
}

async function said({ ask }: Guarded, who: Client, method: string, path: string, body?: unknown) {
  const answer = await ask(who, method, path, body)
  return { status: answer.status, body: JSON.parse(answer.body) }
}

describe('the owner of a row', () => {
  const DATA = {
    users: [],
    notes: [
      { id: 1, by: '1' },
      { id: 2, by: 2 },
    ],
    groups: [{ id: 4 }],
  }
  const NOTES = { notes: { owner: 'by', access: { create: 'anyone', update: 'anyone' } } }

  it.each<[string, Client, [method: string, path: string, body: unknown], unknown]>([
    ['is whoever creates it', 'owner', ['POST', '/notes', {}], { id: 3, by: 1 }],
    ['is nobody else, whatever is sent', 'owner', ['POST', '/notes', { by: 2 }], { id: 3, by: 1 }],
    [
      'is whoever creates many',
      'owner',
      ['POST', '/notes', [{ by: 2 }, {}]],
      [
        { id: 3, by: 1 },
        { id: 4, by: 1 },
      ],
    ],
    ['is nobody where nobody is logged in', 'nobody', ['POST', '/notes', { by: 2 }], { id: 3 }],
    [
      'is whoever creates it by a PUT',
      'owner',
      ['PUT', '/notes/7?_upsert=true', { by: 2 }],
      { id: 7, by: 1 },
    ],
    ['is kept by a PUT, with its type', 'owner', ['PUT', '/notes/1', { a: 1 }], { id: 1, by: '1', a: 1 }],
    ['is kept by a PATCH', 'admin', ['PATCH', '/notes/2', { by: 9, a: 1 }], { id: 2, by: 2, a: 1 }],
    ['is not taken away', 'admin', ['PATCH', '/notes/2', { by: null }], { id: 2, by: 2 }],
    ['is kept by a filtered PATCH', 'owner', ['PATCH', '/notes?id=2', { by: 1 }], [{ id: 2, by: 2 }]],
  ])('%s', async (_, who, [method, path, body], expected) => {
    const answer = await said(await serveOwned(NOTES, DATA), who, method, path, body)
    expect(answer.body).toEqual(expected)
  })

  it('is not filled in where a resource says nothing of owners', async () => {
    const answer = await said(await serveOwned(NOTES, DATA), 'owner', 'POST', '/groups', {})
    expect(answer.body).toEqual({ id: 5 })
  })

  it.each<[string, data: object, expected: unknown]>([
    ['a deleted user', { notes: [{ id: 1, by: 3 }] }, 4],
    ['a deleted user, as text', { notes: [{ id: 1, by: '3' }] }, 4],
    [
      'several deleted users',
      {
        notes: [
          { id: 1, by: 3 },
          { id: 2, by: 4 },
        ],
        groups: [{ id: 1, userId: 6 }],
      },
      10,
    ],
    ['in a resource without rules', { others: [{ id: 1, userId: 3 }] }, 4],
    ['in a single object', { settings: { userId: 3 } }, 4],
    ['in none', { notes: [{ id: 1, by: 2 }], others: [{ id: 3, by: 3 }] }, 3],
  ])('is no new user: named is %s', async (_, data, expected) => {
    const users = [{ id: 1 }, { id: 2 }]
    const resources = { users: { access: { create: 'anyone' } }, ...NOTES }
    const guarded = await serveOwned(resources, { users, notes: [], ...data })
    const eve = { email: 'eve@example.com', password: 'password-of-eve' }
    const { body } = await said(guarded, 'nobody', 'POST', '/register', eve)
    expect(body.user.id).toBe(expected)
    const kim = { ...eve, email: 'kim@example.com' }
    const other = await said(guarded, 'nobody', 'POST', '/users', kim)
    expect([other.status, other.body.id]).toEqual([201, Number(expected) + 1])
  })

  it.each<[string, Client, [method: string, path: string, body: object], status: number]>([
    ['a POST', 'nobody', ['POST', '/users', { id: 3 }], 403],
    ['one of many', 'owner', ['POST', '/users', [{ id: 8 }, { id: '3' }]], 403],
    ['a PUT', 'owner', ['PUT', '/users/3?_upsert=true', {}], 403],
    ['an admin', 'admin', ['POST', '/users', { id: 3 }], 201],
    ['a POST with a free one', 'nobody', ['POST', '/users', { id: 4 }], 201],
  ])('is nobody who chooses to be: with %s', async (_, who, [method, path, body], status) => {
    const resources = { users: { access: { create: 'anyone', update: 'anyone' } }, ...NOTES }
    const guarded = await serveOwned(resources, { users: [{ id: 1 }], notes: [{ id: 1, by: 3 }] })
    const answer = await said(guarded, who, method, path, body)
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.message).toContain('users: the id 3 owns rows already')
  })

  it('may be named in a query before any row has one', async () => {
    const { ask } = await serveOwned({ notes: { owner: 'by' } }, { users: [], notes: [{ id: 1 }] })
    const { status, body } = await ask('owner', 'DELETE', '/notes?by=1')
    expect([status, JSON.parse(body)]).toEqual([200, {}])
  })
})

it.each<[Client, string, examined: number]>([
  ['owner', '/notes?_explain=true', 1],
  ['owner', '/notes?id=1&id=2&_explain=true', 1],
  ['owner', '/notes?id=2&_explain=true', 0],
  ['owner', '/notes?text_like=z&_explain=true', 0],
  ['admin', '/notes?text_like=z&_explain=true', 2],
])('tells %s at %s of no row that is not theirs to read', async (who, path, examined) => {
  const notes = [
    { id: 1, userId: 1, text: 'a' },
    { id: 2, userId: 2, text: 'b' },
  ]
  const resources = { notes: { access: { read: ['owner', 'role:admin'] } } }
  const { status, body } = await said(await serveOwned(resources, { users: [], notes }), who, 'GET', path)
  expect([status, body.plan.examined]).toEqual([200, examined])
})

describe('the users', () => {
  const DATA = {
    users: [
      { id: 1, name: 'Ada', role: 'user' },
      { id: 2, name: 'Bob', role: 'user' },
      { id: 9, name: 'Eve', role: 'admin' },
    ],
    notes: [],
  }

  it.each<[string, Client, [method: string, path: string, body?: unknown], status: number, body?: unknown]>([
    ['are read by users', '2:user', ['GET', '/users/1'], 200, DATA.users[0]],
    ['are not read by nobody', 'nobody', ['GET', '/users/1'], 401],
    ['are not created here', '9:admin', ['POST', '/users', {}], 403],
    ['are not created here by nobody', 'nobody', ['POST', '/users', {}], 401],
    ['are not created by a PUT', 'owner', ['PUT', '/users/5?_upsert=true', {}], 403],
    [
      'change themselves',
      'owner',
      ['PATCH', '/users/1', { name: 'A' }],
      200,
      { id: 1, name: 'A', role: 'user' },
    ],
    ['change no others', 'owner', ['PATCH', '/users/2', { name: 'A' }], 403],
    ['do not promote themselves', 'owner', ['PATCH', '/users/1', { role: 'admin' }], 200, DATA.users[0]],
    ['do not by a PUT', 'owner', ['PUT', '/users/1', { role: 'admin' }], 200, { id: 1, role: 'user' }],
    ['do not by a filter', 'owner', ['PATCH', '/users?id=1', { role: 'admin' }], 200, [DATA.users[0]]],
    ['delete themselves', 'owner', ['DELETE', '/users/1'], 200, {}],
    ['delete no others', 'owner', ['DELETE', '/users/2'], 403],
    ['delete not all', 'owner', ['DELETE', '/users?_all=true'], 403],
  ])('%s', async (_, who, [method, path, body], status, expected) => {
    const answer = await said(await serveOwned({ notes: { access: {} } }, DATA), who, method, path, body)
    expect(answer.status).toBe(status)
    if (expected) expect(answer.body).toEqual(expected)
  })

  it('are promoted by an admin who may change them', async () => {
    const guarded = await serveOwned({ users: { access: { update: 'role:admin' } } }, DATA)
    const answer = await said(guarded, 'admin', 'PATCH', '/users/1', { role: 'admin' })
    expect(answer.body).toEqual({ ...DATA.users[0], role: 'admin' })
  })
})

describe('what a refused write tells', () => {
  const DATA = {
    users: [{ id: 1 }],
    groups: [
      { id: 1, userId: 1, name: 'mine' },
      { id: 2, userId: 3, name: 'SECRET' },
    ],
    things: [{ id: 1, groupId: 1, userId: 3 }],
  }
  const groups = { read: 'owner', create: 'signed-in', update: 'owner', delete: 'owner' }
  const open = { read: 'anyone', create: 'anyone', update: 'anyone', delete: 'anyone' }
  const reference = (onDelete: string) => ({ groupId: { resource: 'groups', onDelete } })

  it('is the same of a row that is not there and of one that may not be seen', async () => {
    const guarded = await serveOwned(
      { groups: { access: groups }, things: { access: open, references: reference('keep') } },
      DATA,
    )
    const hidden = await said(guarded, 'owner', 'POST', '/things', { groupId: 2 })
    const missing = await said(guarded, 'owner', 'POST', '/things', { groupId: 7 })
    expect(hidden.status).toBe(422)
    expect(JSON.stringify(hidden).replaceAll('2', '7')).toBe(JSON.stringify(missing).replaceAll('2', '7'))
    expect((await said(guarded, 'owner', 'POST', '/things', { groupId: 1 })).status).toBe(201)
    for (const [method, path] of [
      ['PATCH', '/groups/2'],
      ['DELETE', '/groups/2'],
      ['PUT', '/groups/2'],
    ] as const) {
      const headers = { 'if-match': '"other"' }
      const answers = await Promise.all(
        ['2', '7'].map((id) => guarded.ask('owner', method, path.replace('2', id), {}, headers)),
      )
      expect(answers.map(({ status }) => status)).toEqual([404, 404])
      expect(answers[0]?.body).toBe(answers[1]?.body)
    }
  })

  it('lets the owner be one that the client may not see', async () => {
    const guarded = await serveOwned(
      {
        users: { access: { read: 'nobody' } },
        things: { access: open, references: { userId: { resource: 'users' } } },
      },
      DATA,
    )
    expect((await said(guarded, 'owner', 'POST', '/things', {})).status).toBe(201)
  })

  it('does not name what keeps a row, if that may not be seen', async () => {
    const guarded = await serveOwned(
      {
        groups: { access: groups },
        things: { access: { ...open, read: 'owner' }, references: reference('restrict') },
      },
      DATA,
    )
    const { status, body } = await said(guarded, 'owner', 'DELETE', '/groups/1')
    expect(status).toBe(409)
    expect(body.message).toContain('is still referenced by things (groupId)')
  })

  it.each([
    ['cascade', 200],
    ['null', 200],
  ])('is nothing of rows that go with it, or stay without it: %s', async (onDelete, status) => {
    const guarded = await serveOwned(
      {
        groups: { access: groups },
        things: { access: { ...open, delete: 'owner', update: 'owner' }, references: reference(onDelete) },
      },
      DATA,
    )
    expect((await said(guarded, 'owner', 'DELETE', '/groups/1')).status).toBe(status)
  })

  it('ends an upsert of a row that is there for others only', async () => {
    const guarded = await serveOwned({ groups: { access: groups } }, DATA)
    const answer = await said(guarded, 'owner', 'PUT', '/groups/2?_upsert=true', {})
    expect([answer.status, answer.body.code]).toEqual([409, 'DUPLICATE_ID'])
  })

  it('does not count rows for the page that may not be seen', async () => {
    const { ask } = await serveOwned({ groups: { access: groups }, things: { access: open } }, DATA)
    const page = { 'x-restable-page': '1' }
    expect(
      (await ask('owner', 'DELETE', '/groups/1', undefined, page)).headers['x-restable-place'],
    ).toBeUndefined()
    expect((await ask('owner', 'DELETE', '/things/1', undefined, page)).headers['x-restable-place']).toBe('0')
  })
})

describe('a deletion that takes rows of others along', () => {
  const DATA = {
    users: [{ id: 1 }],
    groups: [{ id: 1, userId: 1 }],
    things: [{ id: 1, groupId: 1, userId: 3 }],
    parts: [{ id: 1, thingId: 1, groupId: 1, userId: 4 }],
  }
  const access = { delete: 'owner' }
  const cascade = (field: string, resource: string) => ({
    access,
    references: { [field]: { resource, onDelete: 'cascade' } },
  })
  const CASCADING = { things: cascade('groupId', 'groups'), parts: cascade('thingId', 'things') }
  const HALF = { things: cascade('groupId', 'groups'), parts: { access } }
  const PLAIN = { things: { access }, parts: { access } }

  it.each<[string, object, path: string, isCascading?: boolean]>([
    ['of one row', CASCADING, '/groups/1'],
    ['of a nested one', CASCADING, '/users/1/groups/1'],
    ['of those that a filter finds', CASCADING, '/groups?id=1'],
    ['whatever else is asked for', CASCADING, '/groups/1?_dependent=things'],
    ['whatever else is asked for', CASCADING, '/groups/1?_dependent=parts'],
    ['though everything cascades', CASCADING, '/groups/1', true],
  ])('is carried out where the config says so: %s', async (_, resources, path, isCascading = false) => {
    const guarded = await serveOwned({ groups: { access }, ...resources }, DATA, isCascading)
    expect((await said(guarded, 'owner', 'DELETE', path)).status).toBe(200)
    const { body } = await said(guarded, 'admin', 'GET', '/db')
    expect(body).toMatchObject({ groups: [], things: [], parts: [] })
  })

  it.each<[resource: string, by: string, object, path: string, isCascading?: boolean]>([
    ['things', '_dependent', PLAIN, '/groups/1?_dependent=things'],
    ['things', '_dependent', PLAIN, '/groups?id=1&_dependent=things'],
    ['things', '--cascade', PLAIN, '/groups/1', true],
    ['parts', '_dependent', HALF, '/groups/1?_dependent=parts'],
    ['parts', '--cascade', HALF, '/users/1/groups/1', true],
  ])('is refused with the rule of %s where the client asks for it by %s', async (...row) => {
    const [resource, by, resources, path, isCascading = false] = row
    const guarded = await serveOwned({ groups: { access }, ...resources }, DATA, isCascading)
    const { status, body } = await said(guarded, 'owner', 'DELETE', path)
    expect([status, body.code]).toEqual([403, 'AUTH_FORBIDDEN'])
    expect(body.message).toBe(
      `Only the owner can delete ${resource}. A row of ${resource} depends on what you delete, and would go with it (${by}). Nothing was changed.`,
    )
    expect((await said(guarded, 'admin', 'GET', '/db')).body).toEqual(DATA)
  })
})

it('refuses access in a router alone, which does not know who asks', async () => {
  const { router } = await import('../../../src/index.ts')
  for (const settings of [{ access: 640 }, { owner: 'by' }]) {
    expect(() => router({ notes: [] }, { resources: { notes: settings } })).toThrow(
      'access and owner need the layer accounts',
    )
  }
})

it.each<[string, unknown]>([
  ['one rule', { read: 'role:amdin' }],
  ['one of several', { update: ['owner', 'role:amdin'] }],
])('does not start with a role that nobody has: %s', async (_, access) => {
  await expect(serveOwned({ notes: { access } }, { notes: [] })).rejects.toThrow(
    'there is no role "amdin". The roles are user, admin: correct the name, or add it to accounts.roles.',
  )
})

describe('a schema and what the server adds to a row', () => {
  const DATA = {
    users: [{ id: 1 }],
    notes: [
      { id: 1, text: 'old' },
      { id: 2, text: 'hers', userId: 2 },
    ],
  }
  const text = { type: 'string' }
  const CLOSED = { properties: { text }, required: ['text'], additionalProperties: false }
  const NAMED = {
    properties: {
      ...CLOSED.properties,
      id: {},
      userId: text,
      createdAt: { type: 'integer' },
      updatedAt: text,
    },
    required: ['id', 'text', 'userId', 'createdAt', 'updatedAt'],
    additionalProperties: false,
  }
  const schemas: [string, object][] = [
    ['names none of it', CLOSED],
    [
      'allows nothing that it does not evaluate',
      { properties: { text }, required: ['text'], unevaluatedProperties: false },
    ],
    ['requires all of it, as what it is not', NAMED],
    ['requires it by a reference', { $ref: '#/$defs/note', $defs: { note: { ...NAMED, $anchor: 'n' } } }],
    ['requires it in a part, or in an alternative', { allOf: [NAMED], oneOf: [NAMED, { required: ['x'] }] }],
    ['counts the rest', { ...CLOSED, maxProperties: 1, propertyNames: { enum: ['text'] } }],
  ]
  const ACCESS = { create: 'anyone', update: 'anyone' }

  it.each(schemas)('get on where it %s', async (_, schema) => {
    const guarded = await serveOwned({ notes: { schema, timestamps: true, access: ACCESS } }, DATA)
    const ask = async (...args: [Client, string, string, unknown]) => (await said(guarded, ...args)).status
    expect(await ask('owner', 'POST', '/notes', { text: 'a' })).toBe(201)
    // Whoever is not logged in cannot say whose it is.
    expect(await ask('nobody', 'POST', '/notes', [{ text: 'b' }])).toBe(201)
    // Rows that were there before have no owner and no time.
    expect(await ask('admin', 'PATCH', '/notes/1', { text: 'c' })).toBe(200)
    const { body } = await said(guarded, 'owner', 'GET', '/notes/3', undefined)
    expect(body).toMatchObject({ text: 'a', userId: 1, createdAt: expect.any(String) })
    expect(await ask('owner', 'PUT', '/notes/3', body)).toBe(200)
    expect(await ask('owner', 'PUT', '/notes/9?_upsert=true', { text: 'd' })).toBe(201)
    expect(await ask('owner', 'POST', '/notes', { userId: 1 })).toBe(422)
  })

  it('sign up and register get on, too', async () => {
    const properties = { email: text, name: { type: 'string', default: '' } }
    const schema = { properties, required: ['email', 'name'], additionalProperties: false }
    const guarded = await serveOwned({ users: { schema, timestamps: true } }, { users: [] })
    const { status, body } = await said(guarded, 'nobody', 'POST', '/register', {
      email: 'ada@example.com',
      password: 'a long one',
    })
    expect([status, body.user]).toEqual([201, expect.objectContaining({ role: 'user', name: '' })])
  })
})
