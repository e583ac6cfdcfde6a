import fc from 'fast-check'
import type { RowChange } from '../../../src/core/engine/change.ts'
import type { Condition } from '../../../src/core/engine/types.ts'
import { write } from './random-table.ts'

const id = fc.integer({ min: 1, max: 160 })
const range = fc.tuple(id, fc.nat({ max: 20 })).map(([low, size]): Condition[] => [
  { path: 'id', op: 'gte', values: [String(low)] },
  { path: 'id', op: 'lte', values: [String(low + size)] },
])
const single: fc.Arbitrary<RowChange> = fc.oneof(
  { weight: 4, arbitrary: write },
  fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat({ max: 150 })).map(
    ([count, place]): RowChange => ({
      kind: 'insert',
      collection: 'items',
      rows: Array.from({ length: count }, (_, text) => ({ text: String(text) })),
      place,
    }),
  ),
  range.map(
    (where): RowChange => ({
      kind: 'merge-where',
      collection: 'items',
      where: { where },
      fields: { flag: 'x', id: 5 },
    }),
  ),
  id.map((at): RowChange => ({ kind: 'remove', collection: 'items', id: String(at), dependents: 'all' })),
  fc.constant<RowChange>({ kind: 'merge-object', name: 'profile', fields: { seen: 1 } }),
)

/** Any change of `items`, of the `parts` that depend on them, and of `profile`. */
export const change: fc.Arbitrary<RowChange> = fc.oneof(
  { weight: 5, arbitrary: single },
  fc.array(single, { minLength: 2, maxLength: 4 }).map((changes): RowChange => ({ kind: 'batch', changes })),
)

export const parts = Array.from({ length: 80 }, (_, at) => ({
  id: `p${at}`,
  itemId: at + 1,
  partId: `p${at - 40}`,
}))
