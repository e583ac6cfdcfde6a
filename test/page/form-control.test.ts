import { describe, expect, it } from 'vitest'
import { fieldsOfSchema } from '../../src/page/client/field-schema.ts'
import { controlOf, fromLocalTime, toLocalTime } from '../../src/page/form/form-control.ts'
import { errorsIn, fieldsOfRow, newFields, serverFields, toField } from '../../src/page/form/form-fields.ts'
import { changedFields, fieldsFromJson } from '../../src/page/form/row-changes.ts'

const schemasOf = (properties: object, required: readonly string[] = []) =>
  fieldsOfSchema({ properties, required })
const only = (schema: object, isRequired = true) => schemasOf({ x: schema }, isRequired ? ['x'] : [])[0]

describe('the control of a field', () => {
  it.each<[string, unknown, object, object]>([
    ['a date', '2026-01-31', { type: 'string', format: 'date' }, { type: 'date' }],
    ['no date', 'soon', { type: 'string', format: 'date' }, { type: 'text' }],
    ['a moment', '2026-01-31T10:00:00Z', { format: 'date-time' }, { type: 'datetime-local' }],
    ['no moment', '2026-01-31 10:00', { format: 'date-time' }, { type: 'text' }],
    ['an email', 'a@b.c', { format: 'email' }, { type: 'email' }],
    ['an address', 'https://x.y', { format: 'uri' }, { type: 'url' }],
    ['an integer', 1, { type: 'integer' }, { type: 'number', step: '1' }],
    ['a number', 1, { type: 'number' }, { type: 'number', step: 'any' }],
    ['a boolean', true, { type: 'boolean' }, { kind: 'checkbox' }],
    ['a boolean or null', true, { type: ['boolean', 'null'] }, { kind: 'select' }],
    ['a list', [1], { type: 'array' }, { kind: 'json' }],
    ['null that stands for a number', null, { type: ['integer', 'null'] }, { type: 'number' }],
    ['null that stands for a list', null, { type: ['array', 'null'] }, { kind: 'json' }],
    ['a long text', 'x'.repeat(61), { type: 'string' }, { kind: 'textarea' }],
    ['a text that the schema calls a number', 'x', { type: 'number' }, { type: 'text' }],
  ])('suits %s', (_, value, schema, expected) => {
    const found = only(schema)
    expect(controlOf(toField('x', value, found), found)).toMatchObject(expected)
  })

  it('is what it was where nothing is known', () => {
    expect(controlOf(toField('x', true))).toEqual({ kind: 'checkbox' })
    expect(controlOf(toField('x', 1))).toEqual({ kind: 'input', type: 'number', step: 'any' })
  })

  it('remains what it is while one types, and is a text area if other rows have long texts', () => {
    const typed = { ...toField('x', 'short'), text: 'x'.repeat(100) }
    expect(controlOf(typed)).toMatchObject({ kind: 'input' })
    expect(controlOf(toField('x', 'short'), undefined, { values: ['x'.repeat(100)] })).toEqual({
      kind: 'textarea',
    })
    expect(controlOf(toField('x', ''), undefined, { values: ['two\nlines'] })).toEqual({ kind: 'textarea' })
  })

  it.each([
    [
      ['open', 'closed', 'open', null, 'closed'],
      ['closed', 'open'],
    ],
    [
      [1, 2, 2, 1],
      ['1', '2'],
    ],
    [['Ada', 'Bo', 'Cy'], undefined],
    [[null, ''], undefined],
    [Array.from({ length: 60 }, (_, n) => `value ${n % 13}`), undefined],
  ])('suggests of %j what few other rows have', (values, suggestions) => {
    const control = controlOf(toField('x', values[0]), undefined, { values })
    expect(control.kind === 'input' && control.suggestions).toEqual(suggestions)
  })

  it.each([
    [['2026-01-31'], 'date'],
    [['2026-01-31T10:00:00Z', null], 'datetime-local'],
    [['2026-01-31', 'soon'], 'text'],
  ])('of a field without schema is told by the values: %j', (values, type) => {
    expect(controlOf(toField('x', values[0]), undefined, { values })).toMatchObject({ type })
  })

  const ONE = { resource: 'agents', isList: false }
  const MANY = { resource: 'tags', isList: true }
  it.each([
    [ONE, 2, 'key'],
    [ONE, 'x1', 'key'],
    [ONE, null, 'key'],
    [ONE, true, 'checkbox'],
    [ONE, { id: 1 }, 'json'],
    [MANY, [1, 2], 'key'],
    [MANY, null, 'key'],
    [MANY, [{ id: 1 }], 'json'],
    [MANY, 1, 'input'],
  ])('of a key to %j with %j is %s', (to, value, kind) => {
    expect(controlOf(toField('x', value), undefined, { to }).kind).toBe(kind)
  })

  it.each<[unknown, readonly unknown[], boolean, readonly string[]]>([
    ['a', ['a', 'b'], true, ['a', 'b']],
    ['a', ['a', 'b'], false, ['', 'a', 'b']],
    ['old', ['a', 'b'], true, ['old', 'a', 'b']],
    [1, [1, 2, null], true, ['', '1', '2']],
    [null, ['a', null], true, ['', 'a']],
  ])('offers for %j of %j, required: %s', (value, choices, isRequired, values) => {
    const schema = only({ enum: choices }, isRequired)
    const control = controlOf(toField('x', value, schema), schema)
    expect(control.kind === 'select' && control.options.map((option) => option.value)).toEqual(values)
  })
})

describe('a form', () => {
  const schemas = schemasOf(
    {
      id: { type: 'integer' },
      name: { type: 'string' },
      size: { enum: ['S', 'L'], default: 'S' },
      tags: { type: 'array' },
      extra: { type: 'object' },
      isOn: { type: 'boolean' },
      born: { type: ['string', 'null'], format: 'date' },
      createdAt: { type: 'string', readOnly: true },
    },
    ['id', 'name', 'tags', 'isOn'],
  )

  it('of a new row has what the schema names, and what other rows have, without what the server sets', () => {
    const fields = newFields({ id: 1, name: 'x', own: 1 }, schemas, 'id')
    expect(fields.map(({ name }) => name)).toEqual(['name', 'size', 'tags', 'extra', 'isOn', 'born', 'own'])
    // What is needed and has an obvious beginning is sent.
    expect(changedFields(fields)).toEqual({ row: { size: 'S', tags: [], isOn: false } })
  })

  it('of a row has what it lacks, and sends none of it', () => {
    const fields = fieldsOfRow({ id: 1, name: 'x', createdAt: 'now' }, schemas, 'id')
    expect(fields.map(({ name }) => name)).toEqual([
      ...['name', 'createdAt', 'size', 'tags', 'extra', 'isOn', 'born'],
    ])
    expect(changedFields(fields)).toEqual({ row: {} })
  })

  it('sends null for a date that was taken out, and for a choice', () => {
    const fields = fieldsOfRow({ born: '2026-01-31', size: 'L' }, schemas).map((field) =>
      field.name === 'born' || field.name === 'size' ? { ...field, text: '' } : field,
    )
    expect(changedFields(fields)).toEqual({ row: { born: null, size: null } })
  })

  it('says what the server fills in', () => {
    expect(serverFields(schemas, 'id')).toEqual(['id', 'createdAt'])
    expect(serverFields([], '_id')).toEqual(['_id'])
  })

  it('has the fields that were added as JSON', () => {
    const fields = fieldsOfRow({ id: 1, name: 'x' }, [], 'id')
    const read = fieldsFromJson('{"id":1,"name":"y","more":[1]}', fields, 'id')
    expect(changedFields(read.fields ?? [])).toEqual({ row: { name: 'y', more: [1] } })
  })

  it('has a bounded number of fields', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, { type: 'string' }]))
    expect(newFields({}, schemasOf(many), 'id')).toHaveLength(100)
    expect(fieldsOfRow({ a: 1 }, schemasOf(many))).toHaveLength(100)
  })
})

describe('a moment', () => {
  it.each(['2026-01-31T10:00:00Z', '2026-07-31T23:59:59.125Z'])('comes back as it was: %s', (text) => {
    expect(fromLocalTime(toLocalTime(text) ?? '')).toBe(text)
  })

  it.each(['2026-01-31', '2026-01-31T10:00:00', '2026-13-31T10:00:00Z', 'soon'])('is not %s', (text) => {
    expect(toLocalTime(text)).toBeUndefined()
  })

  it('may be missing', () => {
    expect([toLocalTime(''), fromLocalTime('')]).toEqual(['', ''])
  })
})

describe('the errors of a response', () => {
  const errors = {
    price: 'must be at least 0',
    'locations.0.city': 'is required',
    'locations.1.city': 'is required',
    'a.b': 'must be a string',
    nowhere: 'is not known',
  }

  it('are at their fields, nested ones with the rest of their path, others apart', () => {
    const { byField, others } = errorsIn({ errors }, ['price', 'locations', 'a', 'a.b'])
    expect([...byField]).toEqual([
      ['price', ['must be at least 0']],
      ['locations', ['0.city is required', '1.city is required']],
      ['a.b', ['must be a string']],
    ])
    expect(others).toEqual(['nowhere is not known'])
  })

  it.each([[undefined], [{}], [{ errors: 'none' }], ['text'], [{ errors: [] }]])('are none in %j', (body) => {
    expect(errorsIn(body, ['price'])).toEqual({ byField: new Map(), others: [] })
  })
})
