import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/index.ts'
import { inlined } from '../../../src/wings/schemas/inlined.ts'

const data = () => ({
  users: [{ id: 'a', email: 'ada@example.com', company_id: 1, lead: 1 }],
  companies: [{ id: 1 }],
  profile: { theme: 'dark' },
})

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Mine',
  allOf: [{ properties: { score: { type: 'number', readOnly: true } }, required: ['score'] }],
  properties: {
    email: { type: 'string', format: 'email', description: 'Where to write' },
    role: { enum: ['user', 'admin'], default: 'user' },
    home: { $ref: '#/$defs/address' },
    company_id: { type: 'integer' },
    lead: { type: 'integer' },
    boss: { $ref: '#' },
  },
  required: ['email', 'role'],
  unevaluatedProperties: false,
  $defs: { address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
}

const resources = {
  users: {
    schema,
    unique: ['email', ['role', 'company_id']],
    references: {
      company_id: { resource: 'companies', onDelete: 'restrict' as const },
      lead: { resource: 'companies' },
    },
    timestamps: true,
    ids: 'uuid' as const,
  },
  companies: { timestamps: ['made', 'changed'] as [string, string] },
  profile: { schema: { properties: { theme: { enum: ['dark', 'light'] } }, required: ['theme'] } },
}

const SAID = { properties: { id: { type: 'string', pattern: '^X' } } }

const described = () => describeApi({ data: data(), foreignKeySuffix: '_id', resources })

describe('a resource with a schema of its own', () => {
  it('has that in the JSON Schema, with what the server adds, and is complete in itself', async () => {
    const { $defs } = await (await described()).schema()
    const user = Object(Object($defs).User)
    expect(user).toEqual({
      title: 'User',
      type: 'object',
      unevaluatedProperties: false,
      properties: {
        id: { type: 'string' },
        score: { type: 'number', readOnly: true },
        email: schema.properties.email,
        role: schema.properties.role,
        home: schema.$defs.address,
        company_id: {
          type: 'integer',
          description: 'The id of one of companies',
          'x-references': 'companies',
        },
        lead: { type: 'integer', description: 'The id of one of companies', 'x-references': 'companies' },
        boss: { $ref: '#/$defs/UserMine' },
        createdAt: { type: 'string', format: 'date-time', readOnly: true },
        updatedAt: { type: 'string', format: 'date-time', readOnly: true },
      },
      // The others are of rows that are newer than the settings.
      required: ['id', 'email'],
      'x-unique': [['email'], ['role', 'company_id']],
    })
    // Its boss need not have what the server adds.
    expect(Object($defs).UserMine).toMatchObject({
      required: ['email', 'role'],
      properties: { boss: { $ref: '#/$defs/UserMine' } },
    })
    expect(Object($defs).Company).toMatchObject({
      properties: { id: { type: 'integer' }, made: { readOnly: true }, changed: { format: 'date-time' } },
    })
    expect(Object($defs).Profile).toMatchObject({
      properties: { theme: { enum: ['dark', 'light'] } },
      required: ['theme'],
    })
  })

  it.each<['increment' | 'uuid' | 'nanoid', object, object, object]>([
    ['increment', { type: 'integer' }, { type: ['string', 'integer'] }, { type: 'integer' }],
    ['uuid', { type: 'string', format: 'uuid' }, { type: 'string' }, { type: ['integer', 'string'] }],
    ['nanoid', { type: 'string' }, { type: 'string' }, { type: ['integer', 'string'] }],
  ])('tells of ids what they are, and what %s will make of them', async (ids, none, texts, numbers) => {
    for (const rules of [{ ids }, { ids, schema: {} }]) {
      const resources = { none: rules, words: rules, counts: rules, said: { ids, schema: SAID } }
      const rows = { none: [], words: [{ id: 'a' }], counts: [{ a: 0, id: 1 }], said: [] }
      const { $defs } = await (await describeApi({ data: rows, resources })).schema()
      const id = (name: string) => Object(Object($defs)[name]).properties.id
      expect([id('None'), id('Word'), id('Count'), id('Said')]).toEqual([
        none,
        texts,
        numbers,
        SAID.properties.id,
      ])
    }
  })

  it('has types by it, and asks new ones only for what a client has to send', async () => {
    const types = await (await described()).types()
    expect(types).toContain(`export interface NewUser {
  id?: string
  /** Where to write */
  email: string
  role?: "user" | "admin"
`)
    expect(types).toMatch(/export interface User \{\n {2}id: string\n {2}score\?: number\n/)
    expect(types).toContain('theme: "dark" | "light"')
  })

  it('has the errors of its own rules in the OpenAPI document, and no others', async () => {
    const { paths, components } = await (await described()).openapi()
    const codes = (path: string, method: string) => {
      const refs = JSON.stringify(Object(paths[path])[method].responses).match(/Error\d+(?:-\d+)?/g) ?? []
      const text = refs.map((name) => JSON.stringify(Object(components.responses)[name])).join('')
      return ['VALIDATION_FAILED', 'NOT_UNIQUE', 'STILL_REFERENCED'].filter((code) => text.includes(code))
    }
    expect(codes('/users', 'post')).toEqual(['VALIDATION_FAILED', 'NOT_UNIQUE'])
    expect(codes('/users/{id}', 'patch')).toEqual(['VALIDATION_FAILED', 'NOT_UNIQUE'])
    expect(codes('/users/{id}', 'delete')).toEqual([])
    expect(codes('/companies', 'post')).toEqual([])
    expect(codes('/companies/{id}', 'delete')).toEqual(['STILL_REFERENCED'])
    expect(codes('/profile', 'put')).toEqual(['VALIDATION_FAILED'])
  })

  it('has no example that does not fit', async () => {
    const { paths } = await (await described()).openapi()
    const media = Object(paths['/users/{id}']).get.responses[200].content['application/json']
    expect(media.example).toBeUndefined()
  })
})

it.each<[string, object, object]>([
  [
    'references to references',
    { items: { $ref: '#/$defs/b' }, $defs: { b: { $ref: '#/$defs/c' }, c: { type: 'null' } } },
    { items: { type: 'null' } },
  ],
  [
    'words beside a reference',
    { items: { $ref: '#/$defs/b', title: 'x' }, $defs: { b: { type: 'null' } } },
    { items: { type: 'null', title: 'x' } },
  ],
  [
    'fields beside a reference',
    { $ref: '#/$defs/b', properties: { a: {} }, $defs: { b: { properties: { c: {} } } } },
    { properties: { c: {}, a: {} } },
  ],
  [
    'draft 7',
    { items: [{ $ref: '#/definitions/a' }], additionalItems: false, definitions: { a: {} } },
    { prefixItems: [{}], items: false },
  ],
  [
    'fields that are called like words',
    { properties: { $ref: {}, id: { $id: 'x' }, enum: { $ref: '#/$defs/a' } }, $defs: { a: true } },
    { properties: { $ref: {}, id: {}, enum: {} } },
  ],
  [
    'a schema that contains itself',
    { properties: { next: { $ref: '#/$defs/a' } }, $defs: { a: { items: { $ref: '#/$defs/a' } } } },
    { properties: { next: { $ref: '#/$defs/a' } }, $defs: { a: { items: { $ref: '#/$defs/a' } } } },
  ],
  [
    'values that look like schemas',
    { default: { $ref: '#' }, enum: [{ $id: 1 }] },
    { default: { $ref: '#' }, enum: [{ $id: 1 }] },
  ],
])('a schema is taken into another document: %s', (_, written, inside) => {
  expect(inlined(written)).toEqual(inside)
})
