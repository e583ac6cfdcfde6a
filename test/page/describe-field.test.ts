import { describe, expect, it } from 'vitest'
import { fieldsOfSchema, resolved } from '../../src/page/client/field-schema.ts'
import { describeFields } from '../../src/page/tools/describe-field.ts'

const fieldOf = (schema: object, isRequired = false) =>
  fieldsOfSchema({ properties: { x: schema }, ...(isRequired && { required: ['x'] }) })[0]

describe('a field of a schema', () => {
  it.each<[string, object, object]>([
    ['a kind', { type: 'string' }, { types: ['string'], isNullable: false }],
    ['several kinds', { type: ['integer', 'null'] }, { types: ['integer'], isNullable: true }],
    ['nothing', {}, { types: [], isNullable: false, isReadOnly: false }],
    ['an enumeration', { enum: ['a', null] }, { choices: ['a', null], isNullable: true }],
    ['one value', { const: 1 }, { choices: [1] }],
    ['a format', { type: 'string', format: 'email' }, { format: 'email' }],
    ['a foreign key', { type: 'integer', 'x-references': 'companies' }, { references: 'companies' }],
    ['what the server sets', { readOnly: true }, { isReadOnly: true }],
    ['a default', { default: false }, { default: false }],
  ])('tells of %s', (_, schema, expected) => {
    expect(fieldOf(schema)).toMatchObject({ name: 'x', isRequired: false, ...expected })
  })

  it.each<[string, object, boolean]>([
    ['', {}, true],
    [', not if the server sets it', { readOnly: true }, false],
    [', not if it has a default', { default: null }, false],
  ])('is required where the object says so%s', (_, schema, isRequired) => {
    expect(fieldOf(schema, true)?.isRequired).toBe(isRequired)
  })

  it('may be inferred alone', () => {
    const $comment = 'Inferred from the rows: new ones need not fit'
    const fields = fieldsOfSchema({ properties: { x: { $comment }, y: {} } })
    expect(fields.map(({ isInferred }) => isInferred)).toEqual([true, false])
  })

  it('follows references, and no circle of them', () => {
    const root = {
      $defs: {
        a: { $ref: '#/$defs/b' },
        b: { type: 'string' },
        c: { $ref: '#/$defs/c' },
        'd/e': { type: 'null' },
      },
    }
    expect(resolved({ $ref: '#/$defs/a' }, root)).toEqual({ type: 'string' })
    expect(resolved({ $ref: '#/$defs/c' }, root)).toEqual({})
    expect(resolved({ $ref: '#/$defs/d~1e' }, root)).toEqual({ type: 'null' })
    expect(resolved({ $ref: '#/$defs/%zz' }, root)).toEqual({})
    expect(resolved({ $ref: 'other.json' }, root)).toEqual({})
  })
})

describe('the fields in words', () => {
  it.each<[object, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string'],
    [{ type: ['string', 'integer'] }, 'string or integer'],
    [{ type: 'array', items: { type: 'number' } }, 'list of numbers'],
    [{ type: 'array' }, 'list'],
    [{ enum: [1] }, 'one of'],
    [{ anyOf: [{ type: 'string' }, { type: 'object' }] }, 'string or object'],
    [{ properties: {} }, 'object'],
    [{}, 'anything'],
    [{ $ref: '#/$defs/endless' }, 'list of lists of lists of lists of lists'],
  ])('%j is %s', (schema, type) => {
    const $defs = { endless: { type: 'array', items: { $ref: '#/$defs/endless' } } }
    expect(describeFields({ properties: { x: schema }, $defs })[0]?.type).toBe(type)
  })

  it('are named by their path, through objects and lists', () => {
    const city = { type: 'object', properties: { city: { type: 'string' } } }
    const fields = describeFields({ properties: { home: city, offices: { type: 'array', items: city } } })
    expect(fields.map(({ path }) => path)).toEqual(['home', 'home.city', 'offices', 'offices[].city'])
  })

  it('tell their limits', () => {
    const x = { type: 'string', minLength: 1, maxLength: 40, pattern: '^a', uniqueItems: false }
    expect(describeFields({ properties: { x } })[0]?.limits).toEqual([
      ...['1 characters or more', '40 characters or fewer', 'matches ^a'],
    ])
  })

  it('tell what no two rows share', () => {
    const schema = {
      properties: { email: {}, first: {}, last: {} },
      'x-unique': [['email'], ['first', 'last']],
    }
    expect(describeFields(schema).map(({ limits }) => limits)).toEqual([
      ...[['unique'], ['unique together with last'], ['unique together with first']],
    ])
  })

  it('know at every level that they were inferred', () => {
    const schema = {
      $comment: 'Inferred from the rows: new ones need not fit',
      properties: { a: { type: 'object', properties: { b: {} }, required: ['b'] } },
    }
    expect(describeFields(schema).map(({ field }) => field.isInferred)).toEqual([true, true])
  })

  it('are bounded, in number and in depth', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f${n}`, {}]))
    expect(describeFields({ properties: many })).toHaveLength(300)
    const deep = { $defs: { d: { properties: { d: { $ref: '#/$defs/d' } } } }, $ref: '#/$defs/d' }
    expect(describeFields(deep).at(-1)?.path).toBe('d.d.d.d.d')
  })
})
