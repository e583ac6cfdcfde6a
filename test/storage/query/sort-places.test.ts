import fc from 'fast-check'
import _ from 'lodash'
import { describe, expect, it } from 'vitest'
import { sortRows } from '../../../src/storage/query/sort.ts'
import { done } from '../../support/done.ts'

const row = fc.record({
  n: fc.integer({ min: 0, max: 5 }),
  s: fc.constantFrom('a', 'b', 'B', '', 'ä', null, undefined),
  l: fc.constantFrom<unknown>([1, 2], [2], [], new Array(1200).fill(7)),
})
const key = fc.record({ path: fc.constantFrom('n', 's', 'l'), order: fc.constantFrom('asc', 'desc') })

describe('a sort in runs that are put together', () => {
  it.each([1, 2, 3, 7, 2048])('gives the order of lodash, in runs of %i', (run) => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 60 }),
        fc.array(key, { minLength: 1, maxLength: 3 }),
        (rows, keys) => {
          const expected = _.orderBy(
            rows,
            keys.map(({ path }) => path),
            keys.map(({ order }) => order),
          )
          const sorted = done(sortRows(rows, keys, run))
          expect(sorted).toHaveLength(rows.length)
          for (const [at, item] of sorted.entries()) expect(item).toBe(expected[at])
        },
      ),
      { numRuns: 100 },
    )
  })

  it('gives others their turn in each of its parts', () => {
    const rows = Array.from({ length: 20_000 }, (_none, n) => ({ n: (n * 7919) % 20_011 }))
    const work = sortRows(rows, [{ path: 'n', order: 'desc' }])
    let turns = 0
    while (!work.next().done) turns++
    // Reading, sorting and putting together: a stretch of each is far less than all of it.
    expect(turns).toBeGreaterThan(100)
  })
})
