import { compileConditions } from './condition.ts'
import { knownPaths } from './known-paths.ts'
import { cut } from './page.ts'
import { compilePath, hasPath } from './path.ts'
import { compileSearch } from './search.ts'
import { sortRows } from './sort.ts'
import type { ListQuery, Naming, Row, Selection } from './types.ts'

/** Filters, searches, sorts, counts and cuts. The rows are left as they are; without a filter they are not copied. */
export function select(rows: readonly Row[], query: ListQuery, naming: Naming): Selection {
  return cut(sortRows(filterRows(rows, query, naming), query.sort), query.window)
}

/** The rows that pass every condition and the search, in their order. */
function filterRows(
  rows: readonly Row[],
  { where, search }: Pick<ListQuery, 'where' | 'search'>,
  naming: Naming,
): readonly Row[] {
  const tests = compileConditions(where, knownPaths(rows, where.length, isKnown), naming).map(
    ({ passes }) => passes,
  )
  if (search !== undefined) tests.push(compileSearch(search))
  if (tests.length === 0) return rows
  const [only] = tests
  if (only !== undefined && tests.length === 1) return rows.filter(only)
  return rows.filter((row) => tests.every((passes) => passes(row)))

  function isKnown(text: string): boolean {
    const path = compilePath(text)
    return rows.some((row) => hasPath(row, path))
  }
}
