import { describe, expect, it } from 'vitest'
import { toBlankField, toField } from '../../src/page/form/form-fields.ts'
import { applyChanges, changedFields, changesBetween, readRow } from '../../src/page/form/row-changes.ts'

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

describe('two versions of a row', () => {
  const before = { id: 1, name: 'a', tags: [1], gone: true, same: { x: 1 } }
  const after = { id: 1, name: 'b', tags: [1, 2], same: { x: 1 }, fresh: null }
  const changes = changesBetween(before, after)

  it('differ in the fields that were changed, added and removed', () => {
    expect(changes).toEqual([
      { name: 'name', before: 'a', after: 'b' },
      { name: 'tags', before: [1], after: [1, 2] },
      { name: 'gone', before: true, after: undefined },
      { name: 'fresh', before: undefined, after: null },
    ])
    expect(changesBetween(before, structuredClone(before))).toEqual([])
  })

  it('are merged field by field: the rest stays as it is', () => {
    expect(applyChanges({ ...before, mine: 1 }, changes)).toEqual({ ...after, mine: 1 })
  })

  it.each(['__proto__', 'constructor'])('may have a field called %s', (name) => {
    const row = JSON.parse(`{"${name}":1}`)
    const found = changesBetween({}, row)
    expect(found).toEqual([{ name, before: undefined, after: 1 }])
    expect(JSON.stringify(applyChanges({}, found))).toBe(`{"${name}":1}`)
  })
})
