import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowSchema } from '../../../src/core/engine/resource-rules.ts'
import type { Row } from '../../../src/core/engine/types.ts'
import { Random } from '../../../src/core/kernel/util/random.ts'
import { growRow, learn } from '../../../src/wings/making/grow-row.ts'
import type { JsonSchema } from '../../../src/wings/schemas/json-schema.ts'
import { openSchema } from '../../../src/wings/validation/open-schema.ts'

const opened = (schema: JsonSchema) => {
  const known = judges.get(schema) ?? openSchema(schema, 'test', ['id']).rows
  judges.set(schema, known)
  return known
}
const judges = new Map<JsonSchema, RowSchema>()

/** New rows, and what the schema has against them. */
async function grown(schema: JsonSchema, rows: readonly Row[] = [], count = 20) {
  const { faultsOf } = opened(schema)
  const profile = await learn({ resource: 'things', id: 'id', rows, schema, faultsOf })
  const random = new Random('7')
  const made = Array.from({ length: count }, () => growRow(profile, random)).map(({ id: _, ...row }) => row)
  return { made, faults: made.flatMap((row) => faultsOf(row)) }
}

const required = (field: JsonSchema): JsonSchema => ({ required: ['field'], properties: { field } })

const WIDE = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`n${n}`, {}]))

describe('a schema without rows', () => {
  // Together: each schema takes long to compile.
  const FIELDS: readonly JsonSchema[] = [
    { type: 'integer' },
    { type: 'integer', minimum: 18, maximum: 20 },
    { type: 'integer', exclusiveMinimum: -5, exclusiveMaximum: -3 },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { type: 'number', maximum: -100 },
    { type: 'number', minimum: 0, multipleOf: 0.05 },
    { type: 'boolean' },
    { type: ['null', 'string'], minLength: 30 },
    { type: 'string', maxLength: 2 },
    { enum: ['a', null, { b: 1 }] },
    { const: { a: [1] } },
    { type: 'string', examples: ['one'] },
    ...['date-time', 'date', 'time', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'].map(
      (format): JsonSchema => ({ type: 'string', format }),
    ),
    { type: 'string', pattern: '^[A-Z]{2}-\\d{4}(?:-[a-f0-9]+)?$' },
    { type: 'string', pattern: '^(?:red|green|blue)( \\w+){1,3}\\.$' },
    { type: 'string', pattern: '^(?:(?:a{1000}){1000}){1000}|b$' },
    { type: 'string', pattern: '^(?:){4000000000}b$' },
    { type: 'string', pattern: '^[^\\s@]+@[a-z.-]*x$' },
    { type: 'string', pattern: '^\\+?[1-9]\\d{6,}$', maxLength: 12 },
    { type: 'array', minItems: 2, maxItems: 3, uniqueItems: true, items: { enum: [1, 2, 3] } },
    {
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string' } },
      additionalProperties: false,
    },
    { type: 'object', required: ['n0'], properties: WIDE },
    { anyOf: [{ type: 'integer' }, { type: 'string', format: 'date' }] },
    {
      oneOf: [{ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }, { type: 'null' }],
    },
  ]

  it('is fitted', async () => {
    const properties = Object.fromEntries(FIELDS.map((field, at) => [`f${at}`, field]))
    const { made, faults } = await grown({ required: Object.keys(properties), properties })
    const named = faults.map(({ path, message }) => [FIELDS[Number(path.slice(1).split('.')[0])], message])
    expect(named).toEqual([])
    expect(made.every((row) => Object.keys(row).length === FIELDS.length)).toBe(true)
  })

  it('has what it does not require now and then, and leaves to the server what that fills in', async () => {
    const properties: JsonSchema['properties'] = {
      note: { type: 'string' },
      level: { type: 'string', default: 'low' },
      key: { type: 'string', readOnly: true },
    }
    const { made } = await grown({ properties })
    expect(new Set(made.flatMap((row) => Object.keys(row)))).toEqual(new Set(['note']))
    expect(made.filter((row) => Object.hasOwn(row, 'note')).length).toSatisfy(
      (count) => Number(count) > 3 && Number(count) < 17,
    )
  })
})

describe('a schema beside rows', () => {
  it.each<[string, JsonSchema, readonly unknown[]]>([
    ['types', { type: 'integer' }, ['1', 2.5, null]],
    ['enumerations', { enum: ['a', 'b'] }, ['a', 'c', 'd']],
    ['bounds', { type: 'number', maximum: 10 }, [1, 5, 100, 7]],
    ['steps', { type: 'number', multipleOf: 0.5 }, [1, 2.5, 7]],
    ['patterns', { type: 'string', pattern: '^[a-c]+$' }, ['abc', 'zzz', 'cab']],
    ['lengths', { type: 'string', maxLength: 5 }, ['short', 'a b', 'much too long']],
    ['formats', { type: 'string', format: 'date-time' }, ['2026-01-01', 'yesterday']],
    ['lists', { type: 'array', maxItems: 1, items: { type: 'integer' } }, [[1], ['a'], [1, 2, 3]]],
  ])('wins: %s', async (_, field, values) => {
    const rows = values.map((value, at) => ({ id: at + 1, field: value }))
    expect((await grown(required(field), rows)).faults).toEqual([])
  })

  it('wins though fields depend on each other', async () => {
    const schema: JsonSchema = {
      properties: { kind: { enum: ['a', 'b'] }, size: { type: 'integer' } },
      oneOf: [
        { properties: { kind: { const: 'a' }, size: { maximum: 5 } } },
        { properties: { kind: { const: 'b' }, size: { minimum: 6 } } },
      ],
    }
    const rows = [1, 2, 3, 4, 7, 8, 9, 10].map((size, id) => ({ id, kind: size < 5 ? 'a' : 'b', size }))
    expect((await grown(schema, rows)).faults).toEqual([])
  })

  it('leaves out fields that it does not allow', async () => {
    const schema: JsonSchema = { properties: { a: { type: 'integer' } }, additionalProperties: false }
    const { made, faults } = await grown(schema, [{ id: 1, a: 1, old: true }])
    expect(faults).toEqual([])
    expect(made[0]).toEqual({ a: 1 })
  })

  it('holds for all rows that fit it', async () => {
    const schema: JsonSchema = {
      required: ['n', 's', 'l'],
      properties: {
        n: { type: 'integer', minimum: -50, maximum: 50 },
        s: { type: 'string', minLength: 1, maxLength: 8 },
        l: {
          type: 'array',
          minItems: 1,
          maxItems: 4,
          uniqueItems: true,
          items: { type: ['string', 'null'] },
        },
      },
    }
    const row = fc.record({
      n: fc.integer({ min: -50, max: 50 }),
      s: fc.string({ minLength: 1, maxLength: 8 }),
      l: fc.uniqueArray(fc.option(fc.string()), { minLength: 1, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 15 }), async (rows) => {
        expect((await grown(schema, rows)).faults).toEqual([])
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })
})
