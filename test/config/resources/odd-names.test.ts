import { describe, expect, it } from 'vitest'
import { openSchema } from '../../../src/wings/validation/open-schema.ts'

describe('a row with fields that every object inherits', () => {
  const { rows } = openSchema(
    {
      required: ['valueOf'],
      properties: {
        constructor: { type: 'string' },
        toString: { type: 'string', default: 'none' },
        hasOwnProperty: { readOnly: true },
      },
      additionalProperties: false,
    },
    'test',
    [],
  )

  it('is judged by its own', () => {
    expect(rows.faultsOf({ constructor: 'Ferrari', valueOf: 1 })).toEqual([
      { path: 'valueOf', message: 'is not a known field' },
    ])
    expect(rows.faultsOf({ constructor: 1 })).toEqual([
      { path: 'valueOf', message: 'is required' },
      { path: 'constructor', message: 'must be a string' },
    ])
  })

  it('gets its own', () => {
    expect(rows.fillIn({})).toEqual({ toString: 'none' })
    expect(Object.keys(rows.keepReadOnly({ hasOwnProperty: 1, a: 2 }))).toEqual(['a'])
  })
})

it('a field called __proto__ is a field', () => {
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"type":"number","properties":{"a":{"default":1,"readOnly":true}}}}}',
  )
  const { rows } = openSchema(schema, 'test', [])
  const made = [
    rows.readTexts(JSON.parse('{"__proto__":"9"}'), 'all'),
    rows.fillIn(JSON.parse('{"__proto__":{}}')),
    rows.keepReadOnly(JSON.parse('{"__proto__":{"a":2,"b":3}}')),
    rows.keepReadOnly({}),
  ]
  expect(made.map((row) => JSON.stringify(row))).toEqual([
    '{"__proto__":9}',
    '{"__proto__":{"a":1}}',
    '{"__proto__":{"b":3}}',
    '{}',
  ])
  expect(made.map((row) => Object.getPrototypeOf(row) === Object.prototype)).toEqual([true, true, true, true])
})
