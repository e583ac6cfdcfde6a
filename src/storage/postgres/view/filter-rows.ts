import { StorageError } from '../../../errors.ts'
import { workInSlices } from '../../../work/in-slices.ts'
import { compileWhere } from '../../query/compile-where.ts'
import { RowTests } from '../../query/row-tests.ts'
import type { Row, Selection, Trace } from '../../types.ts'
import type { Asking, Range } from './asking.ts'

/** Rows that are tested at a time, if they are small. */
const BATCH = 2000
/** Rows that come first, to see how large they are, and how much should come at a time, in characters. */
export const FIRST_BATCH = 20
const MOST_CHARACTERS = 4 * 1024 * 1024

/** Only who joins the last to leave ever sees it. */
const UNWANTED = 'The search was given up, because nobody waited for it. Try again.'

/** Each has a name of its own: a transaction may have several. */
let cursors = 0

export type Found = { readonly pos: string; readonly body: string }

/**
 * Looks at what PostgreSQL left, a batch at a time. What does not pass is not kept, and what passes only if it is in the
 * range: others are counted, unless somebody has.
 */
export async function filterRows(
  { sql, from, table, query, filter, given, order = 'pos', total: known, isWanted }: Asking,
  { start, end }: Range,
  trace: Trace,
): Promise<Pick<Selection, 'items' | 'total'>> {
  const counter = { examined: 0 }
  const tests = new RowTests(compileWhere(query.where), query.search, { counter })
  const items: Row[] = []
  let total = 0
  const cursor = `left${++cursors}`
  sql.send(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT pos, body FROM ${from} WHERE ${filter.sql} ORDER BY ${order}`,
    given.all,
  )
  const fetchNext = (most: number) => {
    const fetched = sql.query<Found>(`FETCH ${most} FROM ${cursor}`)
    // Should a test fail, nobody waits for it.
    fetched.catch(() => {})
    return fetched
  }
  let most = FIRST_BATCH
  for (let next = fetchNext(most); ; ) {
    const found = await next
    if (isWanted?.() === false) throw new StorageError('SOURCE_UNAVAILABLE', UNWANTED)
    const isLast = found.length < most
    most = fitting(found)
    // The next ones are on their way while these are tested.
    if (!isLast) next = fetchNext(most)
    const rows = found.map(({ pos, body }) => table.look(Number(pos), body))
    const places: number[] = []
    if (tests.isEmpty) places.push(...rows.keys())
    else await workInSlices(tests.pick({ slots: rows }, places, { end: rows.length }))
    for (const at of places) {
      const one = found[at]
      if (one && total >= start && total < end) items.push(table.adopt(Number(one.pos), one.body, rows[at]))
      total++
    }
    if (isLast || (known !== undefined && total >= end)) break
  }
  sql.send(`CLOSE ${cursor}`)
  trace.examined += counter.examined
  return { items, total: known ?? total }
}

/** How many rows like these are enough. */
export function fitting(found: readonly Found[]): number {
  const characters = found.reduce((sum, { body }) => sum + body.length, 1)
  return Math.min(BATCH, Math.max(1, Math.floor((found.length * MOST_CHARACTERS) / characters)))
}
