import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DeletedRow, recordDeletion, recordRestore } from '../../src/page/data/deleted-rows.ts'

let collections = 0

it('restores every row in its place, whatever was deleted and restored in between', () => {
  const step = fc.record({ isReturn: fc.boolean(), at: fc.nat() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 30 }), (size, steps) => {
      const resource = `things ${collections++}`
      const all = Array.from({ length: size }, (_, index) => index)
      const there = [...all]
      const gone = new Map<number, DeletedRow>()
      const bringBack = (thing: number, row: DeletedRow) => {
        there.splice(row.index, 0, thing)
        recordRestore(row)
        gone.delete(thing)
      }
      for (const { isReturn, at } of steps) {
        const [thing, row] = [...gone][at % (gone.size || 1)] ?? []
        if (isReturn && thing !== undefined && row) bringBack(thing, row)
        else if (there.length > 0) {
          const place = at % there.length
          for (const deleted of there.splice(place, 1)) gone.set(deleted, recordDeletion(resource, place))
        }
        expect(there).toEqual(there.toSorted((a, b) => a - b))
      }
      for (const [thing, row] of gone) bringBack(thing, row)
      expect(there).toEqual(all)
    }),
  )
})

it('keeps collections apart', () => {
  const one = recordDeletion('a', 3)
  recordDeletion('b', 0)
  expect(one.index).toBe(3)
  recordRestore(one)
  recordRestore(one)
})
