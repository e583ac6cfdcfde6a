import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { ListQuery, Naming, Row, Selection } from '../types.ts'
import { compileWhere } from './compile-where.ts'
import { type Decided, decide } from './decide/decide.ts'
import { knownPaths } from './decide/known-paths.ts'
import { pathsOf } from './decide/paths-of.ts'
import { cut } from './page.ts'
import { compilePath } from './path.ts'
import { type Counter, RowTests } from './row-tests.ts'
import { rowsAt } from './rows-at.ts'
import { sortRows } from './sort.ts'
import { hasPath } from './walk-path.ts'
import { withIgnored } from './with-ignored.ts'

/**
 * Filters, searches, sorts, counts and pages. The rows are not changed; without a filter they are not copied. Long
 * work continues on the list as it was at the start: rows may be added, removed and replaced meanwhile. A row that
 * is changed in place may have been tested before and be returned after the change.
 */
export function* select(
  given: readonly Row[],
  asked: ListQuery,
  naming: Naming,
  counter?: Counter,
): Work<Selection> {
  const isFiltered = asked.where.length > 0 || asked.search !== undefined || asked.words !== undefined
  const rows = isFiltered ? given.slice() : given
  const { query, ignored } = yield* decideFor(rows, asked, naming)
  const filtered = yield* filterRows(rows, query, counter)
  return withIgnored(yield* arrangeRows(filtered, query), ignored)
}

/** Sorts, counts and pages the rows that passed. */
export function* arrangeRows(
  rows: readonly Row[],
  { sort, window }: Pick<ListQuery, 'sort' | 'window'>,
): Work<Selection> {
  return cut(yield* sortRows(rows, sort), window)
}

/**
 * Decides what a query means for these rows.
 * @param isDeclared whether a path is known, though no row may have it
 */
export function* decideFor(
  rows: readonly Row[],
  asked: ListQuery,
  naming: Naming,
  isDeclared: (path: string) => boolean = () => false,
): Work<Decided> {
  const ask = (path: string) => someHas(rows, path)
  const fields = yield* knownPaths(rows, pathsOf(asked, naming), ask)
  const has = (path: string) => fields.has(path) || isDeclared(path)
  return decide(asked, { ...fields, has }, naming)
}

/** The rows that pass every condition and the search, in order. */
function* filterRows(
  rows: readonly Row[],
  { where, search }: Pick<ListQuery, 'where' | 'search'>,
  counter: Counter = { examined: 0 },
): Work<readonly Row[]> {
  counter.examined = 0
  const tests = new RowTests(compileWhere(where), search, { counter })
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
