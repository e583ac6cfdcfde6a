import fc from 'fast-check'
import _ from 'lodash'
import { describe, expect, it } from 'vitest'
import { sortRows } from '../../../../src/core/engine/query/sort.ts'
import { pauseOften } from '../../../support/engine/pause-often.ts'
import { runs } from '../../../support/length.ts'

const row = fc.record({
  n: fc.integer({ min: 0, max: 5 }),
  s: fc.constantFrom('a', 'b', 'B', '', 'ä', null, undefined),
  l: fc.constantFrom<unknown>([1, 2], [2], [], new Array(1200).fill(7)),
})
const key = fc.record({ path: fc.constantFrom('n', 's', 'l'), order: fc.constantFrom('asc', 'desc') })

describe('a sort in runs that are put together', () => {
  it.each([1, 2, 3, 7, 2048])('gives the order of lodash, in runs of %i', async (run) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60 }),
        fc.array(key, { minLength: 1, maxLength: 3 }),
        async (rows, keys) => {
          const expected = _.orderBy(
            rows,
            keys.map(({ path }) => path),
            keys.map(({ order }) => order),
          )
          const sorted = await sortRows(rows, keys, run)
          expect(sorted).toHaveLength(rows.length)
          for (const [at, item] of sorted.entries()) expect(item).toBe(expected[at])
        },
      ),
      runs(40),
    )
  })

  it('gives others their turn in each of its parts', async () => {
    const rows = Array.from({ length: 20_000 }, (_none, n) => ({ n: (n * 7919) % 20_011 }))
    // Due now and then: a turn after each row would take a while.
    let asked = 0
    const turns = pauseOften(() => asked++ % 16 === 0)
    await sortRows(rows, [{ path: 'n', order: 'desc' }])
    // Reading, sorting and putting together: a stretch of each is far less than all of it.
    expect(asked).toBeGreaterThan(rows.length + 10 + 4 * (rows.length / 256))
    expect(turns()).toBeGreaterThan(100)
  })
})
