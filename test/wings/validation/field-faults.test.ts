import { describe, expect, it } from 'vitest'
import { openSchema } from '../../../src/wings/validation/open-schema.ts'

const thing = (schema: object) => ({ type: 'object', properties: { a: schema } })

/** A schema of the field `a`, a value of it, and what the client is told. */
const ROWS: [schema: object, value: unknown, message: string][] = [
  [{ type: 'string' }, 1, 'must be a string'],
  [{ type: 'number' }, '1', 'must be a number'],
  [{ type: 'integer' }, 1.5, 'must be a whole number'],
  [{ type: 'boolean' }, 'yes', 'must be true or false'],
  [{ type: 'object' }, [], 'must be an object'],
  [{ type: 'array' }, {}, 'must be a list'],
  [{ type: 'null' }, 0, 'must be null'],
  [{ type: ['string', 'null'] }, 1, 'must be a string or null'],
  [{ type: ['string', 'integer', 'null'] }, 1.5, 'must be a string, a whole number or null'],
  [{ minimum: 0 }, -1, 'must be at least 0'],
  [{ maximum: 10 }, 11, 'must be at most 10'],
  [{ exclusiveMinimum: 0 }, 0, 'must be more than 0'],
  [{ exclusiveMaximum: 10 }, 10, 'must be less than 10'],
  [{ multipleOf: 0.5 }, 0.3, 'must be a multiple of 0.5'],
  [{ multipleOf: 1 }, 0.3, 'must be a whole number'],
  [{ minLength: 1 }, '', 'must not be empty'],
  [{ minLength: 3 }, 'ab', 'must have at least 3 characters'],
  [{ maxLength: 1 }, 'ab', 'must have at most 1 character'],
  [{ pattern: '^[A-Z]+$' }, 'ab', 'must match the pattern ^[A-Z]+$'],
  [{ format: 'email' }, 'ab', 'must be an email address'],
  [{ format: 'date' }, '2026-02-30', 'must be a date, such as 2026-01-31'],
  [{ format: 'date-time' }, 'now', 'must be a date and time, such as 2026-01-31T09:30:00Z'],
  [{ format: 'time' }, 'noon', 'must be a time with its zone, such as 09:30:00Z'],
  [{ format: 'uri' }, 'ab', 'must be a URL, such as https://example.com'],
  [{ format: 'uuid' }, 'ab', 'must be a UUID'],
  [{ format: 'ipv4' }, 'ab', 'must be an IPv4 address'],
  [{ format: 'hostname' }, '-', 'must be a host name'],
  [{ format: 'idn-email' }, 'jürgen', 'must be an email address'],
  [{ format: 'idn-hostname' }, 'bücher büro', 'must be a host name'],
  [{ format: 'iri' }, 'größe', 'must be a URL, such as https://example.com'],
  [{ format: 'iri' }, 'straße://example.com', 'must be a URL, such as https://example.com'],
  [{ format: 'iri-reference' }, 'zwei wörter', 'must be a URL or a path'],
  [{ format: 'json-pointer-uri-fragment' }, 'ab', 'must have the format json-pointer-uri-fragment'],
  [{ enum: ['s', 'm', 1, null] }, 'l', 'must be one of s, m, 1, null'],
  [
    { enum: Array.from({ length: 12 }, (_, n) => n) },
    'l',
    'must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more',
  ],
  [{ const: 'yes' }, 'no', 'must be yes'],
  [{ minItems: 1 }, [], 'must not be empty'],
  [{ minItems: 2 }, [1], 'must have at least 2 entries'],
  [{ maxItems: 1 }, [1, 2], 'must have at most 1 entry'],
  [{ prefixItems: [{}], items: false }, [1, 2], 'must have at most 1 entry'],
  [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2], 'must have at most 1 entry'],
  [
    { uniqueItems: true },
    [
      { x: 1, y: 2 },
      { y: 2, x: 1 },
    ],
    'must not have the same entry twice',
  ],
  [{ contains: { type: 'string' } }, [1], 'must have at least 1 entry of the kind that is asked for'],
  [
    { contains: { type: 'string' }, minContains: 1, maxContains: 2 },
    ['a', 'b', 'c'],
    'must have 1 to 2 entries of the kind that is asked for',
  ],
  [{ minProperties: 1 }, {}, 'must not be empty'],
  [{ maxProperties: 1 }, { b: 1, c: 1 }, 'must have at most 1 field'],
  [{ not: { type: 'string' } }, 'ab', 'is not allowed'],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'ab', 'must be a number or null'],
  [{ anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] }, -1, 'must be at least 0'],
  [{ anyOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 1, 'does not have any of the allowed forms'],
  [{ oneOf: [{ minimum: 0 }, { multipleOf: 2 }] }, 2, 'must have only one of the allowed forms'],
  [{ if: { type: 'number' }, else: { minLength: 2 } }, 'a', 'must have at least 2 characters'],
]

describe('a message at a field', () => {
  it.each(ROWS)('of %j for %j', (schema, value, message) => {
    const { rows } = openSchema(thing(schema), 'test', [])
    expect(rows.faultsOf({ a: value })).toEqual([{ path: 'a', message }])
  })

  it.each<[string, object, object, Record<string, string>]>([
    ['a missing field', { required: ['b'] }, {}, { b: 'is required' }],
    ['a field that is not known', { additionalProperties: false }, { b: 1 }, { b: 'is not a known field' }],
    ['one that nothing evaluates', { unevaluatedProperties: false }, { b: 1 }, { b: 'is not a known field' }],
    ['a name', { propertyNames: { maxLength: 1 } }, { abc: 1 }, { abc: 'is not an allowed name' }],
    [
      'a field that another one needs',
      { dependentRequired: { card: ['address'] } },
      { card: 1 },
      { address: 'is required if card is given' },
    ],
    ['a field that must not be there', { properties: { b: false } }, { b: 1 }, { b: 'is not allowed' }],
    [
      'fields deep inside, also behind a $ref',
      {
        properties: { locations: { items: { $ref: '#/$defs/place' } } },
        $defs: { place: { required: ['city'], properties: { zip: { type: 'string' } } } },
      },
      { locations: [{ city: 'x' }, { zip: 1 }] },
      { 'locations.1.city': 'is required', 'locations.1.zip': 'must be a string' },
    ],
    [
      'names with slashes and tildes',
      { properties: { 'a/b~c': { type: 'string' } } },
      { 'a/b~c': 1 },
      { 'a/b~c': 'must be a string' },
    ],
    [
      'alternatives elsewhere, by the one that it nearly has',
      {
        properties: { pay: { oneOf: [{ $ref: '#/$defs/card' }, { type: 'string' }] } },
        $defs: { card: { type: 'object', required: ['number'] } },
      },
      { pay: {} },
      { 'pay.number': 'is required' },
    ],
    [
      'everything at the same time, each once',
      {
        required: ['a', 'b'],
        properties: { c: { type: 'number', minimum: 3 }, d: { minLength: 2, pattern: 'x' } },
      },
      { c: 1, d: 'y' },
      { a: 'is required', b: 'is required', c: 'must be at least 3', d: 'must have at least 2 characters' },
    ],
  ])('is where it belongs: %s', (_, schema, row, errors) => {
    const { rows } = openSchema({ type: 'object', ...schema }, 'test', [])
    const faults = rows.faultsOf({ ...row })
    expect(Object.fromEntries(faults.map(({ path, message }) => [path, message]))).toEqual(errors)
  })

  it('never asks for, or refuses, what the server adds', () => {
    const { rows } = openSchema({ additionalProperties: false, properties: { a: {} } }, 'test', [
      'id',
      'createdAt',
    ])
    expect(rows.faultsOf({ id: 1, createdAt: 'x', a: 1 })).toEqual([])
    expect(rows.faultsOf({ id: 1, other: 1 })).toHaveLength(1)
    const named = openSchema({ required: ['id'], properties: { id: { type: 'string' } } }, 'test', ['id'])
    expect(named.rows.faultsOf({ id: 1 })).toEqual([{ path: 'id', message: 'must be a string' }])
    const required = openSchema({ additionalProperties: false, required: ['id'] }, 'test', ['id'])
    expect(required.rows.faultsOf({ id: 1 })).toEqual([])
  })

  it('takes no minutes for a long list of objects, nor for a long string', () => {
    const { rows } = openSchema(
      { properties: { list: { uniqueItems: true }, mail: { format: 'email' } } },
      'test',
      [],
    )
    const start = performance.now()
    rows.faultsOf({ list: Array.from({ length: 200_000 }, (_, n) => ({ n })) })
    rows.faultsOf({ mail: `a@${'a'.repeat(1_000_000)}` })
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
