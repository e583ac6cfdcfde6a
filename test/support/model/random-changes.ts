import fc from 'fast-check'
import type { RowChange } from '../../../src/storage/change.ts'
import type { Condition } from '../../../src/storage/types.ts'
import { query, write } from './random-table.ts'

const id = fc.integer({ min: 1, max: 160 })
const range = fc.tuple(id, fc.nat({ max: 20 })).map(([low, size]): Condition[] => [
  { path: 'id', op: 'gte', values: [String(low)] },
  { path: 'id', op: 'lte', values: [String(low + size)] },
])
const filtered: fc.Arbitrary<RowChange> = fc
  .tuple(fc.constantFrom('merge', 'patch', 'remove'), query)
  .map(([kind, { where, search }]): RowChange => {
    const matched = { collection: 'items', where: { where, ...(search !== undefined && { search }) } }
    if (kind === 'merge') return { kind: 'merge-where', ...matched, fields: { gaps: 7, rare: null } }
    if (kind === 'remove') return { kind: 'remove-where', ...matched, dependents: ['parts'] }
    return {
      kind: 'patch-where',
      ...matched,
      patch: { format: 'merge-patch', fields: { notes: 'b', gaps: null } },
    }
  })
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

/** The same, and filters of all kinds: those that name fields that no row has are refused. */
export const changeOrRefusal: fc.Arbitrary<RowChange> = fc.oneof(
  { weight: 3, arbitrary: change },
  { weight: 2, arbitrary: filtered },
  fc
    .array(fc.oneof(single, filtered), { minLength: 2, maxLength: 3 })
    .map((changes): RowChange => ({ kind: 'batch', changes })),
)

export const parts = Array.from({ length: 80 }, (_, at) => ({
  id: `p${at}`,
  itemId: at + 1,
  partId: `p${at - 40}`,
}))
