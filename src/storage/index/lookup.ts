import { inStretches, type Work } from '../../work/in-slices.ts'
import type { Lookup, Reader, Row } from '../types.ts'
import { idOf } from './id-index.ts'

/** How often to wait for an index before grouping rows instead: writes may drop it faster than it is built. */
const MOST_WAITS = 3

/** Rows by an own field: through an index if there is one, else grouped once. */
export function* lookupIn(source: Reader, collection: string, field: string): Work<Lookup> {
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    const lookup = source.lookup(collection, field)
    if (lookup === undefined) break
    if (!(lookup instanceof Promise)) return lookup
    yield lookup
  }
  return yield* groupRows(source.rows(collection)?.slice() ?? [], field)
}

/** The rows by the text of a field, in their order. */
export function* groupRows(rows: readonly Row[], field: string): Work<Lookup> {
  const groups = new Map<string, Row[]>()
  yield* inStretches(rows.length, (at) => {
    const row = rows[at]
    const text = idOf(row, field)
    if (row === undefined || text === undefined) return
    const group = groups.get(text)
    if (group) group.push(row)
    else groups.set(text, [row])
  })
  return (text) => groups.get(text) ?? []
}
