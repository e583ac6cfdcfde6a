import { describe, expect, it } from 'vitest'
import {
  changedFields,
  readField,
  readRow,
  toBlankField,
  toField,
} from '../../src/dashboard/form/form-fields.ts'

describe('a field of a form', () => {
  it.each([
    ['a text', 'plain', 'text'],
    ['a number', 1.5, 'number'],
    ['a truth', true, 'boolean'],
    ['nothing', null, 'text'],
    ['a list', [1, 2], 'json'],
    ['an object', { a: 1 }, 'json'],
    ['a text too long for a form', 'x'.repeat(100_001), 'json'],
  ])('holds %s and gives it back as it was', (_name, value, kind) => {
    const field = toField('x', value)
    expect(field.kind).toBe(kind)
    expect(readField(field)).toEqual({ value })
  })

  it.each([
    [toField('x', 1), '', { value: null }],
    [toField('x', 1), '2e3', { value: 2000 }],
    [toField('x', 1), 'two', { fault: 'is not a number' }],
    [toField('x', null), 'text', { value: 'text' }],
    [toField('x', 'a'), '', { value: '' }],
    [toField('x', {}), '{', { fault: 'is not JSON' }],
  ])('reads %j with %j typed into it', (field, text, expected) => {
    expect(readField({ ...field, text })).toEqual(expected)
  })
})

describe('changedFields', () => {
  it('sends only what was changed', () => {
    const fields = [
      toField('a', 1),
      { ...toField('b', 2), text: '3' },
      { ...toField('__proto__', 'x'), text: 'y' },
    ]
    const changed = changedFields(fields)
    expect(JSON.stringify(changed)).toBe('{"row":{"b":3,"__proto__":"y"}}')
  })

  it('sends the filled-in fields of a new row, and those that a row cannot do without', () => {
    const fields = [
      toBlankField('name', 'x'),
      toBlankField('price', 1),
      toBlankField('tags', []),
      toBlankField('on', true),
    ]
    expect(changedFields(fields)).toEqual({ row: { tags: [], on: false } })
  })

  it('names the field that cannot be read', () => {
    expect(changedFields([{ ...toField('price', 1), text: 'x' }])).toEqual({ fault: 'price is not a number' })
  })
})

describe('readRow', () => {
  it.each([
    ['{"a":1}', { row: { a: 1 } }],
    ['{"a":', { fault: 'This is not JSON yet: see the line below the editor.' }],
    ['[1]', { fault: 'A row must be a JSON object: { … }' }],
  ])('reads %s', (json, expected) => {
    expect(readRow(json)).toEqual(expected)
  })
})
