import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { open, type ResourceSettings } from '../../../src/index.ts'

const NODE = { type: 'object', properties: { x: {}, next: { $ref: '#/$defs/node' } }, required: ['x'] }
const COUNT = { type: 'object', properties: { n: { default: 1 } }, required: ['n'] }

/** Rows that are older than these rules, or were edited by hand. */
const CASES: readonly [name: string, row: unknown, schema: ResourceSettings['schema'], ResourceSettings?][] =
  [
    [
      'oneOf',
      { kind: 'a' },
      {
        oneOf: [
          { properties: { kind: { const: 'a' } }, required: ['kind', 'r'] },
          { properties: { kind: { const: 'b' } }, required: ['kind'] },
        ],
      },
    ],
    ['anyOf', {}, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
    ['if', { k: 1 }, { if: { required: ['k'] }, else: { required: ['z'] } }],
    ['dependentRequired', { k: 1 }, { dependentRequired: { k: ['z'] } }],
    ['dependentSchemas', { k: 1 }, { dependentSchemas: { k: { required: ['z'] } } }],
    ['minProperties', { a: 1 }, { minProperties: 2 }, { timestamps: true }],
    ['definitions', { child: { x: 1, next: {} } }, { properties: { child: NODE }, $defs: { node: NODE } }],
    ['prefixItems', { at: [{}] }, { properties: { at: { prefixItems: [COUNT] } } }],
    ['dictionaries', { at: { a: {} } }, { properties: { at: { additionalProperties: COUNT } } }],
    ['patterns', { at: { a: {} } }, { properties: { at: { patternProperties: { '^a': COUNT } } } }],
    ['lengths', { at: '' }, { properties: { at: { type: 'string', minLength: 1 } } }],
    ['types', { at: 1 }, { properties: { at: { type: 'string' } } }],
    ['null', { at: null }, { properties: { at: { type: 'string' } } }],
    ['enumerations', { at: 'c' }, { properties: { at: { enum: ['a', 'b'] } } }],
    ['closed', { at: 1 }, { additionalProperties: false }],
    [
      'unevaluated',
      { a: 1 },
      { allOf: [{ properties: { a: {} }, required: ['b'] }], unevaluatedProperties: false },
    ],
    ['forbidden', { at: 1 }, { properties: { at: false } }],
    ['many', Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`f${n}`, n])), manyTexts(150)],
    ['no row', 7, undefined, { timestamps: true }],
    ['timestamps', { createdAt: 'yesterday', updatedAt: 5 }, undefined, { timestamps: true }],
    [
      'named',
      { $id: 'x', $ref: '#/x' },
      { $id: 'https://a.test/x', properties: { $id: COUNT, $ref: COUNT } },
    ],
  ]

function manyTexts(count: number) {
  const names = Array.from({ length: count }, (_, n) => `f${n}`)
  return { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
}

it('what is read fits its schema, whatever rules its rows break: GET /db, each list, in sessions too', async () => {
  const rows = CASES.map(([name, row]) => [
    name,
    [typeof row === 'object' ? { id: 1, ...row } : row, { id: 2 }],
  ])
  const resources = Object.fromEntries(
    CASES.map(([name, , schema, more]) => [name, { ...more, ...(schema && { schema }) }]),
  )
  await using api = await open({ data: Object.fromEntries(rows), live: false, resources })
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  for (const client of [api, api.session('a')]) {
    const get = async (path: string) => Object(await (await client.fetch(path)).json())
    const fits = ajv.compile(await get('/__schema'))
    expect([fits(await get('/db')), fits.errors]).toEqual([true, null])
    const { paths, components } = await get('/__openapi')
    for (const [name] of CASES) {
      const path = `/${encodeURIComponent(name)}`
      const { schema } = paths[path].get.responses[200].content['application/json']
      const fitsList = ajv.compile({ ...schema, components: { schemas: components.schemas } })
      expect([name, fitsList(await get(path)), fitsList.errors]).toEqual([name, true, null])
    }
    // What no row breaks stays.
    expect((await get('/__schema')).$defs.Unevaluated.unevaluatedProperties).toBe(false)
  }
})
