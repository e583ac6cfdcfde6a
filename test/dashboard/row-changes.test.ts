import { describe, expect, it } from 'vitest'
import { applyChanges, changesBetween } from '../../src/dashboard/form/row-changes.ts'

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
