import { describe, expect, it } from 'vitest'
import { fieldsOfSchema } from '../../src/page/client/field-schema.ts'
import { idsIn, keysOf } from '../../src/page/data/keys.ts'
import { nameOf } from '../../src/page/data/rows.ts'

const ONE = { resource: 'agents', isList: false }
const MANY = { resource: 'tags', isList: true }

describe('the keys of a resource', () => {
  it('are those that the service names, and those that only the schema declares', () => {
    const relations = [{ field: 'agentId', resource: 'agents', expand: 'agent' }]
    const lists = [{ field: 'tagIds', resource: 'tags', expand: 'tags' }]
    const schemas = fieldsOfSchema({
      properties: {
        title: { type: 'string' },
        reviewer: { type: 'integer', 'x-references': 'agents' },
        labels: { type: 'array', items: { type: 'integer', 'x-references': 'tags' } },
      },
    })
    const references = [{ field: 'readers', ...MANY }]
    expect(Object.fromEntries(keysOf({ relations, lists, references }, schemas))).toEqual({
      readers: MANY,
      reviewer: ONE,
      labels: MANY,
      tagIds: MANY,
      agentId: ONE,
    })
  })

  it.each([
    [ONE, 2, [2]],
    [ONE, 'x1', ['x1']],
    [ONE, '', undefined],
    [ONE, null, undefined],
    [ONE, [2], undefined],
    [MANY, [1, 'x'], [1, 'x']],
    [MANY, [], []],
    [MANY, 1, undefined],
    [MANY, [1, { id: 2 }], undefined],
    [MANY, Array.from({ length: 1000 }, (_, id) => id), undefined],
  ])('%j with the value %j', (key, value, ids) => {
    expect(idsIn(key, value)).toEqual(ids)
  })
})

describe('the name of a row', () => {
  it.each([
    [{ id: 1, slug: 'a', title: 'A title', name: 'Ada' }, 'Ada'],
    [{ id: 1, slug: 'a', title: 'A title' }, 'A title'],
    [{ id: 1, name: ' ', email: 'ada@example.com' }, 'ada@example.com'],
    [{ id: 1, name: { first: 'Ada' }, username: 'ada' }, 'ada'],
    [{ id: 1, text: 'none of these' }, '1'],
  ])('of %j is %s', (row, name) => {
    expect(nameOf(row, row.id)).toBe(name)
  })
})
