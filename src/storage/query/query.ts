import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { ListQuery, Naming, Row, Selection } from '../types.ts'
import { compileConditions } from './condition.ts'
import { knownPaths } from './known-paths.ts'
import { cut } from './page.ts'
import { compilePath } from './path.ts'
import { RowTests } from './row-tests.ts'
import { rowsAt } from './rows-at.ts'
import { sortRows } from './sort.ts'
import { hasPath } from './walk-path.ts'

/**
 * Filters, searches, sorts, counts and cuts. The rows are left as they are; without a filter they are not copied. What
 * takes long goes on with the list as it was when it began: rows may come, go and be replaced meanwhile. Whoever
 * changes a row in place may find it tested before and answered after.
 */
export function* select(rows: readonly Row[], query: ListQuery, naming: Naming): Work<Selection> {
  const filtered = yield* filterRows(rows, query, naming)
  return cut(yield* sortRows(filtered, query.sort), query.window)
}

/** The rows that pass every condition and the search, in their order. */
function* filterRows(
  given: readonly Row[],
  { where, search }: Pick<ListQuery, 'where' | 'search'>,
  naming: Naming,
): Work<readonly Row[]> {
  if (where.length === 0 && search === undefined) return given
  const rows = given.slice()
  const isKnown = yield* knownPaths(rows, where, naming, (path) => someHas(rows, path))
  const tests = new RowTests(compileConditions(where, isKnown, naming), search)
  if (tests.isEmpty) return rows
  const places: number[] = []
  yield* tests.pick({ slots: rows }, places, { end: rows.length })
  return rowsAt(rows, places)
}

/** Whether any of the rows has the path. */
export function* someHas(given: readonly Row[], text: string): Work<boolean> {
  const path = compilePath(text)
  let rows = given
  for (let at = 0; at < rows.length; at++) {
    if (at === STRETCH) rows = rows.slice()
    if (at > 0 && at % STRETCH === 0) yield
    const verdict = hasPath(rows[at], path)
    if (verdict === true || (verdict !== false && (yield* verdict))) return true
  }
  return false
}
