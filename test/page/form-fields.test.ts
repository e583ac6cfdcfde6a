import { describe, expect, it } from 'vitest'
import { readField, toField } from '../../src/page/form/form-fields.ts'

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
