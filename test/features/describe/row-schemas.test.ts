import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { describeApi, type StartOptions } from '../../../src/index.ts'

const DATA = {
  users: [{ id: 1, email: 'ada@example.com', role: 'admin' }],
  agents: [{ id: 'a', name: 'Ada' }],
  tags: [{ id: 5 }],
  tickets: [
    { id: 1, title: 'Broken', agentId: 'a', tagIds: [5], at: { city: 'Rome', zip: '00100' }, note: 'x' },
    { id: 2, title: 'Lost', agentId: 'a', tagIds: [], at: { city: 'Oslo', zip: '0150' } },
  ],
}

const text = { type: 'string' }

const described = (tickets: object, more: StartOptions = {}) =>
  describeApi({ data: structuredClone(DATA), resources: { tickets }, ...more })

/** The lines of an interface. */
async function typeOf(name: string, ...args: Parameters<typeof described>): Promise<string> {
  const types = await (await described(...args)).types()
  const found = new RegExp(`export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(types)?.[1] ?? ''
  return found
    .replace(/^ *\/\*\*.*\n/gm, '')
    .replace(/\n */g, ' ')
    .trim()
}

describe('a schema that does not list every field', () => {
  const PART = { properties: { title: { ...text, minLength: 1 } }, required: ['title'] }

  it('has what rows have beside that: present where all have it, and asked of nobody', async () => {
    expect(await typeOf('Ticket', { schema: PART })).toBe(
      'id: number title: string agentId: string tagIds: number[] at: { city: string zip: string } note?: string',
    )
    expect(await typeOf('NewTicket', { schema: PART })).toBe(
      'id?: number title: string agentId?: string tagIds?: number[] at?: { city: string zip: string } note?: string',
    )
  })

  it.each<[string, object, ticket: string]>([
    ['what it requires, and rows have', { required: ['at'] }, 'at: { city: string zip: string }'],
    ['what it requires, and not all rows have', { required: ['note'] }, 'note?: string'],
    ['what it requires, and nobody knows', { required: ['cause'] }, 'cause?: unknown'],
    [
      'fields of an object of which it lists some',
      { properties: { at: { properties: { city: { enum: ['Rome', 'Oslo'] } } } } },
      'at?: { city?: "Rome" | "Oslo" zip: string }',
    ],
    [
      'all that it leaves open on purpose',
      { properties: { at: { type: 'object' } } },
      'at?: Record<string, unknown>',
    ],
    [
      'entries of a list of which it lists some',
      { properties: { log: { type: 'array', items: { properties: { by: text } } } } },
      'log?: { by?: string at: number }[]',
    ],
    ['what a part of it lists', { allOf: [{ properties: { note: { enum: ['x'] } } }] }, 'note?: "x"'],
    [
      'what rows are, too, that do not fit',
      { properties: { note: { type: 'integer' } } },
      'note?: number | string',
    ],
    ['the values of rows that do not fit', { properties: { note: { enum: ['y'] } } }, 'note?: "y" | "x"'],
  ])('has %s', async (_, schema, ticket) => {
    const rows = DATA.tickets.map((row) => ({ ...row, log: [{ by: 'Ada', at: 1 }] }))
    const types = await typeOf('Ticket', { schema }, { data: { ...DATA, tickets: rows } })
    expect(types).toContain(ticket)
  })

  it.each(['additionalProperties', 'unevaluatedProperties'])(
    'has no others where %s is false',
    async (word) => {
      expect(await typeOf('Ticket', { schema: { ...PART, [word]: false } })).toBe('id: number title: string')
    },
  )

  it('keeps relations, nested paths and filters, in types and in OpenAPI', async () => {
    const api = await described({ schema: PART })
    const types = await api.types()
    expect(types).toContain('export interface TicketRelations {\n  agent?: Agent')
    expect(types).toContain('"/agents/{id}/tickets": {')
    const { paths, components } = await api.openapi()
    expect(Object.keys(paths)).toContain('/agents/{id}/tickets/{childId}')
    expect(JSON.stringify(components.parameters)).toContain('"agentId"')
    expect(Object(components.schemas).Ticket.properties.agentId).toMatchObject({ 'x-references': 'agents' })
    const listing = JSON.stringify(Object(paths['/agents']).get.responses[200])
    expect(listing).toContain('"tickets"')
  })

  it('asks nobody for as many fields as a row has: the server adds some, and a patch may have one', async () => {
    const least = async (data: object) => {
      const tickets = { schema: { ...PART, minProperties: 3 }, timestamps: true }
      const { Ticket, NewTicket, TicketPatch } = Object(
        (await (await described(tickets, { data })).openapi()).components.schemas,
      )
      return [Ticket, NewTicket, TicketPatch].map(({ minProperties }) => minProperties)
    }
    expect(await least({ ...DATA, tickets: [] })).toEqual([6, 3, undefined])
    // The rows are older than the timestamps.
    expect(await least(DATA)).toEqual([undefined, 3, undefined])
  })

  const patchTester = async (schema: object) => {
    const document = await (await described({ schema })).openapi()
    const ajv = new Ajv2020({ strict: false })
    return ajv.compile({ ...document, $ref: '#/components/schemas/TicketPatch' })
  }

  it.each<[string, object]>([
    ['alternatives ask for', { anyOf: [{ required: ['note'] }, { allOf: [{ required: ['title'] }] }] }],
    ['one of several forms asks for', { oneOf: [{ required: ['note'] }, { required: ['title'] }] }],
    ['a condition asks for', { if: { required: ['note'] }, else: { required: ['title'] } }],
    ['another field asks for', { dependentRequired: { at: ['note'] } }],
    ['is not to be there without another', { not: { properties: { note: { const: 'x' } } } }],
  ])('asks a patch for nothing that %s', async (_, parts) => {
    const validate = await patchTester({ properties: { title: text, note: text }, ...parts })
    expect([validate({ at: { city: 'Rome', zip: '1' } }), validate.errors]).toEqual([true, null])
  })

  const NOTES = { properties: { note: text } }

  it.each<[string, object]>([
    ['a condition lists', { if: { required: ['title'] }, ...Object.fromEntries([['then', NOTES]]) }],
    ['a condition lists otherwise', { allOf: [{ if: { required: ['title'] }, else: NOTES }] }],
    ['a condition asks about', { if: NOTES }],
    ['another field brings', { dependentSchemas: { title: NOTES } }],
  ])('lets a patch of a closed schema have what %s', async (_, parts) => {
    const validate = await patchTester({
      properties: { title: text },
      ...parts,
      unevaluatedProperties: false,
    })
    const patches = [{ title: 'y' }, { note: 'x' }, { title: 'y', note: 'x' }, { note: 1 }, { other: 'x' }]
    expect(patches.map((patch) => validate(patch))).toEqual([true, true, true, false, false])
  })

  it('keeps relations whose key only alternatives list', async () => {
    const one = { properties: { agentId: text }, required: ['agentId'] }
    const types = await (await described({ schema: { oneOf: [one, { required: ['note'] }] } })).types()
    expect(types).toContain('export interface TicketRelations {\n  agent?: Agent')
  })

  it('has the keys that references name, of the type of the ids there, though no row has them', async () => {
    const references = {
      agentId: { resource: 'agents' },
      tagIds: { resource: 'tags' },
      lead: { resource: 'users' },
    }
    const data = { ...DATA, tickets: [] }
    for (const more of [{}, { schema: PART }, { schema: { properties: { lead: {} } } }]) {
      const ticket = await typeOf('Ticket', { references, ...more }, { data })
      for (const line of ['agentId?: string', 'tagIds?: number[]', 'lead?: number'])
        expect(ticket).toContain(line)
      const types = await (await described({ references, ...more }, { data })).types()
      expect(types).toContain('export interface TicketRelations {\n  agent?: Agent')
      expect(types).toContain('"/agents/{id}/tickets": {')
    }
    const closed = { schema: { ...PART, additionalProperties: false }, references }
    expect(await typeOf('Ticket', closed, { data })).toBe('id: number | string title: string')
  })
})

describe('what the server adds', () => {
  const SCHEMA = {
    properties: {
      title: text,
      status: { enum: ['open', 'done'], default: 'open' },
      at: { properties: { city: text, country: { ...text, default: 'DE' } }, required: ['city', 'country'] },
      lines: {
        type: 'array',
        items: { properties: { count: { type: 'integer', default: 1 } }, required: ['count'] },
      },
    },
    required: ['title', 'status'],
    additionalProperties: false,
  }
  const ACCOUNTS: StartOptions = { middlewares: ['accounts'] }
  const tickets = { schema: SCHEMA, timestamps: true, access: { read: 'anyone' as const } }

  it('is present in what is read, unless rows are older, and not asked of clients', async () => {
    expect(await typeOf('Ticket', tickets, { ...ACCOUNTS, data: { ...DATA, tickets: [] } })).toBe(
      'id: number | string title: string status: "open" | "done" at?: { city: string country: string } ' +
        'lines?: { count: number }[] createdAt: string updatedAt: string userId: number',
    )
    expect(await typeOf('Ticket', tickets, ACCOUNTS)).toBe(
      'id: number title: string status?: "open" | "done" at?: { city: string country?: string } ' +
        'lines?: { count: number }[] createdAt?: string updatedAt?: string userId?: number',
    )
    expect(await typeOf('NewTicket', tickets, ACCOUNTS)).toBe(
      'id?: number title: string status?: "open" | "done" at?: { city: string country?: string } lines?: { count?: number }[]',
    )
  })

  it.each<[string, object]>([
    [
      'names it',
      { properties: { ...SCHEMA.properties, userId: { type: 'integer' }, createdAt: text, updatedAt: text } },
    ],
    ['requires it', { ...SCHEMA, required: ['id', 'title', 'userId', 'createdAt', 'updatedAt'] }],
    ['is not there, and rows have it', {}],
  ])('is the same where a schema %s', async (_, schema) => {
    const rows = DATA.tickets.map((row) => ({
      ...row,
      userId: 1,
      createdAt: '2026-01-31T12:00:00Z',
      updatedAt: 'x',
    }))
    const said = Object.keys(schema).length > 0 ? { schema } : {}
    const more = { ...ACCOUNTS, data: { ...DATA, tickets: rows } }
    const read = await typeOf('Ticket', { ...tickets, schema: undefined, ...said }, more)
    for (const line of ['userId: number', 'createdAt: string', 'updatedAt: string'])
      expect(read).toContain(line)
    const sent = await typeOf('NewTicket', { ...tickets, schema: undefined, ...said }, more)
    expect(sent).toContain('title')
    expect(sent).not.toMatch(/userId|createdAt|updatedAt|id:/)
  })

  it('is not asked for in alternatives either', async () => {
    const one = (kind: string) => ({
      properties: { id: text, kind: { const: kind }, createdAt: text },
      required: ['id', 'kind', 'createdAt'],
    })
    const api = await described({ schema: { oneOf: [one('a'), one('b')] }, timestamps: true })
    const { oneOf } = Object((await api.openapi()).components.schemas).NewTicket
    expect(oneOf).toEqual(
      ['a', 'b'].map((kind) => ({ properties: { id: text, kind: { const: kind } }, required: ['kind'] })),
    )
  })

  it('may be missing where whoever creates a row need not be logged in', async () => {
    const open = { ...tickets, access: { create: 'anyone' as const } }
    expect(await typeOf('Ticket', open, ACCOUNTS)).toContain('userId?: number')
    expect(await typeOf('NewTicket', open, ACCOUNTS)).not.toContain('userId')
  })

  it('is no more than it is in a single object, which nobody created', async () => {
    const config = {
      access: { read: 'anyone' as const },
      timestamps: true,
      schema: { properties: { theme: text } },
    }
    const types = async (profile: object) => {
      const more = { ...ACCOUNTS, data: { ...DATA, profile }, resources: { profile: config } }
      return typeOf('Profile', {}, more)
    }
    expect(await types({})).toBe('theme?: string createdAt?: string updatedAt?: string')
    expect(await types({ userId: 1 })).toBe(
      'theme?: string userId: number createdAt?: string updatedAt?: string',
    )
  })

  it('is marked as read-only, which the page and other clients go by', async () => {
    const { $defs } = await (await described(tickets, ACCOUNTS)).schema()
    const { properties, required } = Object($defs).Ticket
    expect(properties).toMatchObject({
      userId: { type: 'integer', readOnly: true, 'x-references': 'users' },
      createdAt: { type: 'string', format: 'date-time', readOnly: true },
    })
    expect(required).toEqual(['id', 'title'])
  })

  it('is the role of a user who signs up, too: one of those of the settings, or of a user', async () => {
    expect(await typeOf('NewUser', {}, ACCOUNTS)).toBe('id?: number email: string role?: "user" | "admin"')
    const more = { ...ACCOUNTS, data: { ...DATA, users: [{ id: 1, role: 'chief' }, { id: 2 }] } }
    expect(await typeOf('User', {}, more)).toBe('id: number role?: "user" | "admin" | "chief"')
  })

  it('is in the examples of what is read as far as rows have it, and not in those of what is sent', async () => {
    const { schema: _, ...rest } = tickets
    const { paths } = await (await described(rest, ACCOUNTS)).openapi()
    const example = (path: string, method: string, status?: number) => {
      const operation = Object(paths[path])[method]
      const { content } = status === undefined ? operation.requestBody : operation.responses[status]
      return content['application/json'].example
    }
    const { id, ...sent } = DATA.tickets[0] ?? {}
    const read = { ...sent, id }
    expect([example('/tickets', 'post', 201), example('/tickets', 'get', 200)]).toEqual([read, [read]])
    expect(example('/tickets', 'post')).toEqual(sent)
    expect(example('/tickets/{id}', 'put')).toEqual(sent)
    expect(example('/tickets/{id}', 'patch')).toEqual(sent)
    // The path has the key.
    const { agentId: __, ...below } = Object(sent)
    expect(example('/agents/{id}/tickets', 'post')).toEqual(below)
  })
})
