import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import express from 'express'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { open, type ResourceSettings, router } from '../../../src/index.ts'
import { json, serving } from '../../support/http/serving.ts'
import { runs } from '../../support/length.ts'

const TIME = '2026-01-31T12:00:00.000Z'

/** Rows from before the settings: each may lack any field. */
const rows = fc.array(
  fc.record(
    {
      title: fc.constantFrom('a', 'b'),
      status: fc.constantFrom('open', 'done'),
      at: fc.record({ city: fc.constant('Rome'), zip: fc.constant('00100') }, { requiredKeys: [] }),
      lines: fc.array(fc.record({ count: fc.nat(9), by: fc.constant('Ada') }, { requiredKeys: [] }), {
        maxLength: 2,
      }),
      createdAt: fc.constant(TIME),
      updatedAt: fc.constant(TIME),
      userId: fc.constant(1),
      $ref: fc.constantFrom('#/nowhere', 'x'),
      $id: fc.constant('y'),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 3 },
)

const COUNT = { properties: { count: { type: 'integer', default: 1 } }, required: ['count'] }
const SCHEMA = {
  $id: 'https://example.com/ticket',
  type: 'object',
  properties: {
    title: { type: 'string' },
    status: { enum: ['open', 'done'], default: 'open' },
    at: {
      properties: { city: { type: 'string' }, zip: { type: 'string', default: '0' } },
      required: ['city'],
    },
    lines: { type: 'array', items: COUNT },
    $id: { type: 'string' },
    $ref: { type: 'string', default: 'x' },
  },
  allOf: [{ required: ['title'] }],
  required: ['status'],
}

const settings: fc.Arbitrary<ResourceSettings> = fc.record(
  { schema: fc.constant(SCHEMA), timestamps: fc.boolean(), ids: fc.constantFrom('uuid', 'increment') },
  { requiredKeys: [] },
)

const numbered = (all: readonly object[]) => all.map((row, at) => ({ id: at + 1, ...row }))

/** What does not fit, of the bodies at these paths. */
async function misfits(get: (path: string) => Promise<unknown>, paths: readonly string[]) {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const { components, paths: described } = Object(await get('/__openapi'))
  const schemaOf = (path: string): object => {
    const { content } = described[path.replace(/\d+$/, '{id}')].get.responses[200]
    return { ...content['application/json'].schema, components: { schemas: components.schemas } }
  }
  const database = { path: '/db', schema: Object(await get('/__schema')) }
  const found: unknown[] = []
  for (const { path, schema } of [database, ...paths.map((path) => ({ path, schema: schemaOf(path) }))]) {
    const body = await get(path)
    const validate = ajv.compile(schema)
    if (!validate(body)) found.push({ path, body, errors: validate.errors })
  }
  return found
}

it('what is read fits the documents, however old it is: in open(), in sessions and in router()', async () => {
  const cases = fc.record({
    tickets: rows,
    profile: rows.map(([first = {}]) => first),
    users: fc.array(fc.record({ role: fc.constantFrom('user', 'chief') }, { requiredKeys: [] }), {
      maxLength: 2,
    }),
    resources: fc.record({ tickets: settings, profile: settings.map(({ ids: _, ...rest }) => rest) }),
    door: fc.constantFrom('open', 'accounts', 'session', 'router'),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ tickets, profile, users, resources, door }) => {
      const data = { tickets: numbered(tickets), profile, users: numbered(users) }
      const paths = ['/db', '/tickets', '/profile', '/users', ...(tickets.length > 0 ? ['/tickets/1'] : [])]
      if (door === 'router') {
        const url = await serving(express().use(router(data, { resources })))
        expect(await misfits(async (path) => (await fetch(url + path)).json(), paths)).toEqual([])
        return
      }
      const readable: Record<string, ResourceSettings> = {
        ...resources,
        users: { access: { read: 'anyone' } },
      }
      const more = door === 'accounts' ? { resources: readable, middlewares: ['accounts'] } : { resources }
      const api = await open({ data, live: false, ...more })
      const client = door === 'session' ? api.session('a') : api
      // With accounts, nobody is logged in.
      if (door !== 'accounts') await client.fetch('/tickets', json('POST', { title: 'new', status: 'open' }))
      expect(await misfits(async (path) => (await client.fetch(path)).json(), paths)).toEqual([])
      await api.close()
    }),
    runs(20),
  )
})
