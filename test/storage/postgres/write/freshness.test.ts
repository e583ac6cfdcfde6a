import { describe, expect, it } from 'vitest'
import type { Effect } from '../../../../src/storage/commit.ts'
import { Freshness } from '../../../../src/storage/postgres/write/freshness.ts'

const rows = (name: string, changed: Partial<Effect & { kind: 'rows' }>): Effect => ({
  ...{ kind: 'rows', name, removed: [], added: [], replaced: [] },
  ...changed,
})
const placed = (id: number) => ({ row: { id }, place: 0 })
/** More than are remembered one by one. */
const many = Array.from({ length: 10_001 }, (_, id) => placed(id + 100))

describe('the version that changed something last', () => {
  it.each<[string, Effect[], [items: number, first: number, second: number, other: number]]>([
    ['an insertion', [rows('items', { added: [placed(1)] })], [11, 11, 10, 10]],
    ['a removal', [rows('items', { removed: [placed(1)] })], [11, 11, 10, 10]],
    [
      'a replacement',
      [rows('items', { replaced: [{ before: { id: 1 }, after: { id: 1, a: 1 } }] })],
      [11, 11, 10, 10],
    ],
    ['rows without an id', [rows('items', { added: [{ row: {}, place: 0 }] })], [11, 10, 10, 10]],
    ['more rows than are remembered', [rows('items', { added: many })], [11, 11, 11, 10]],
    ['another resource of the same commit', [rows('more', { added: [placed(1)] })], [11, 10, 10, 10]],
    ['an object', [{ kind: 'object', name: 'items', before: {}, after: {} }], [11, 10, 10, 10]],
  ])('is known after %s', (_, effects, expected) => {
    const fresh = new Freshness('id')
    fresh.start(10)
    fresh.note(11, { names: ['items'], effects })
    const found = [fresh.of('items'), ...['1', '2'].map((id) => fresh.ofItem('items', id)), fresh.of('other')]
    expect(found).toEqual(expected)
    expect(fresh.version).toBe(11)
  })

  it('goes on for rows that are remembered again', () => {
    const fresh = new Freshness('id')
    fresh.note(11, { names: ['items'], effects: [rows('items', { added: many })] })
    fresh.note(12, { names: ['items'], effects: [rows('items', { removed: [placed(1)] })] })
    expect([fresh.ofItem('items', '1'), fresh.ofItem('items', '2')]).toEqual([12, 11])
  })

  it('is that of a replacement of everything, for all', () => {
    const fresh = new Freshness('id')
    fresh.note(11, { names: ['items'], effects: [rows('items', { added: [placed(1)] })] })
    fresh.note(12, { names: ['items'] })
    expect([fresh.of('items'), fresh.of('other'), fresh.ofItem('items', '1'), fresh.version]).toEqual([
      12, 12, 12, 12,
    ])
  })
})
