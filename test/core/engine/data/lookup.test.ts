import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findEntry } from '../../../../src/core/engine/data/lookup.ts'
import { higherId, highestId } from '../../../../src/core/engine/data/next-id.ts'
import { Table } from '../../../../src/core/engine/data/table.ts'
import type { Row } from '../../../../src/core/engine/types.ts'
import { runs } from '../../../support/length.ts'

const id = fc.constantFrom<unknown>(1, 2, 3, 4, 5, '2', '3', 'a', 'b', 2.5, null, true, [1, 2])
const step = fc.record({
  /** Which of the versions so far. */
  who: fc.nat(),
  what: fc.constantFrom('add', 'add', 'put', 'remove'),
  at: fc.nat(),
  id: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }) }, id),
})

it('every version of a table knows the first row of an id and the highest id, whatever becomes of the others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 20 }),
      fc.array(step, { minLength: 5, maxLength: 40 }),
      async (start, steps) => {
        const versions = [Table.of(start.map((each) => ({ id: each })))]
        for (const one of steps) {
          const table = versions[one.who % versions.length] ?? Table.of([])
          const at = one.at % Math.max(1, table.size)
          const row: Row = { id: one.id }
          if (one.what === 'add') versions.push(table.edit([{ rank: table.nextRank, after: row }]))
          else if (one.what === 'put') versions.push(table.withAt(at, [row]))
          else if (table.size > 0) versions.push(table.edit([{ rank: table.rows.rankAt(at) }]))
          // Some of them are asked on the way, so that later ones bring up to date what those know.
          if (one.at % 2 === 0) await check(versions.at(-1) ?? table)
        }
        for (const table of versions) await check(table)
      },
    ),
    runs(60),
  )
})

async function check(table: Table): Promise<void> {
  const rows = table.rows.items()
  for (const text of ['1', '2', '3', '7', '30', 'a', '2.5', 'true', '1,2', 'none']) {
    const first = rows.find((row) => row.id !== null && String(row.id) === text)
    const entry = await findEntry(table, 'id', text)
    expect(entry?.row).toBe(first)
    if (entry) expect(table.row(entry.rank)).toBe(first)
  }
  const highest = rows.reduce<unknown>((best, row) => higherId(best, row, 'id'), undefined)
  expect(await highestId(table, 'id')).toEqual(highest)
}
