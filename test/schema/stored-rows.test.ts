import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import express from 'express'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { open, type ResourceSettings, router } from '../../src/index.ts'
import { serving } from '../support/http/serving.ts'
import { runs } from '../support/length.ts'

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

async function misfits(get: (path: string) => Promise<unknown>, paths: readonly string[]) {
  const documents = [await get('/__schema'), await get('/__openapi')].map(Object)
  const [schema, openapi] = documents
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const found: unknown[] = []
  for (const path of paths) {
    const body = await get(path)
    const template = path.replace(/\d+$/, '{id}').replaceAll('/', '~1')
    const $ref = `#/paths/${template}/get/responses/200/content/application~1json/schema`
    const schemas = path === '/db' ? [schema, { ...openapi, $ref }] : [{ ...openapi, $ref }]
    for (const one of schemas) {
      const validate = ajv.compile(one)
      if (!validate(body)) found.push([path, body, validate.errors])
    }
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
    hasAccounts: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ tickets, profile, users, resources, hasAccounts }) => {
      const data = { tickets: numbered(tickets), profile, users: numbered(users) }
      const paths = ['/db', '/tickets', '/profile', '/users', ...(tickets.length > 0 ? ['/tickets/1'] : [])]
      const api = await open({
        data,
        live: false,
        ...(hasAccounts
          ? { resources: { ...resources, users: { access: { read: 'anyone' } } }, middlewares: ['accounts'] }
          : { resources }),
      })
      onTestFinished(() => api.close())
      const json = async (response: Promise<Response>) => (await response).json()
      expect(await misfits((path) => json(api.fetch(path)), paths)).toEqual([])
      const session = api.session('a')
      await session.grow({ tickets: 1 }).catch(() => {})
      expect(await misfits((path) => json(session.fetch(path)), paths)).toEqual([])
      const url = await serving(express().use(router(structuredClone(data), { resources })))
      expect(await misfits((path) => json(fetch(url + path)), paths)).toEqual([])
    }),
    runs(15),
  )
})
