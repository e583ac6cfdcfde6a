import { arrange, toRanks } from './arrange.ts'
import { allOf, type Candidates, findCandidates } from './candidates.ts'
import { MOST_COLUMNS } from './columns.ts'
import { compileConditions } from './condition.ts'
import { knownPaths } from './known-paths.ts'
import { cut } from './page.ts'
import { type Filter, findPhrase } from './phrase.ts'
import { select } from './query.ts'
import { type Matches, scanAll, scanRanks } from './scan.ts'
import { sortRows } from './sort.ts'
import type { Table } from './table.ts'
import { rowsAt } from './take-sorted.ts'
import type { ListQuery, Naming, Row, Selection } from './types.ts'

/** Below this many rows an index costs more than it saves. */
const FEWEST_ROWS = 64

/** So often an index is waited for, then it goes without: others may drop them faster than they are made. */
const MOST_WAITS = 2 * MOST_COLUMNS

/**
 * What `select` would find, found through the indexes of the table. Only for tables that nobody but the store
 * changes. A promise where it takes a while: others have their turn in between.
 * @param slice how long to hold the event loop at a time, in milliseconds
 */
export function selectIndexed(
  table: Table,
  query: ListQuery,
  naming: Naming,
  slice?: number,
): Selection | Promise<Selection> {
  return selectAfter(0, table, query, naming, slice)
}

function selectAfter(
  waits: number,
  table: Table,
  query: ListQuery,
  naming: Naming,
  slice: number | undefined,
): Selection | Promise<Selection> {
  if (table.rows.length < FEWEST_ROWS) return select(table.rows, query, naming)
  // Rows may change until an index is there: so all is asked again then.
  const orWait = (found: Selection | Promise<void>): Selection | Promise<Selection> => {
    if (!(found instanceof Promise)) return found
    if (waits === MOST_WAITS) return select(table.rows, query, naming)
    return found.then(() => selectAfter(waits + 1, table, query, naming, slice))
  }

  const conditions = compileConditions(query.where, knowledgeOf(table, query), naming)
  const candidates =
    waits < MOST_WAITS ? findCandidates(table, conditions, naming, slice) : allOf(table, conditions)
  if (candidates instanceof Promise) return orWait(candidates)
  if (candidates.rest.length === 0 && query.search === undefined)
    return orWait(arrange(table, candidates.found, query, slice))

  const matches = findMatches(table, candidates, { conditions, search: query.search }, slice)
  if (matches instanceof Promise) return matches.then((later) => orWait(finish(table, later, query, slice)))
  return orWait(finish(table, matches, query, slice))
}

/** Conditions on paths that no row has are ignored, as in json-server, unless they are required. */
export function dropIgnored(table: Table, query: ListQuery): ListQuery {
  if (query.where.every(({ op, required }) => op !== 'eq' || required)) return query
  const isKnown = knowledgeOf(table, query)
  const where = query.where.filter(
    ({ path, op, required }) => op !== 'eq' || required || path === 'ids' || isKnown(path),
  )
  return where.length === query.where.length ? query : { ...query, where }
}

function knowledgeOf(table: Table, { where }: ListQuery): (path: string) => boolean {
  return knownPaths(table.rows, where.length, (path) => table.indexes.hasPath(path))
}

/** A promise where `candidatesFor` would take long the first time: after it, it does not. */
export function prepareCandidates(table: Table, field: string, slice?: number): Promise<void> | undefined {
  const index = table.rows.length >= FEWEST_ROWS ? table.indexes.equality(field, slice) : undefined
  return index instanceof Promise ? index : undefined
}

/** Rows among which are all whose own field has the text. */
export function candidatesFor(table: Table, field: string, text: string): readonly Row[] {
  const isIndexed = table.rows.length >= FEWEST_ROWS
  const ranks = isIndexed ? table.indexes.equalityNow(field)?.ranksOf([text]) : undefined
  return ranks ? rowsAt(table.indexes.order.slots, ranks) : table.rows
}

/** Tests the candidates for what the index could not tell, or all rows where that is faster. */
function findMatches(
  table: Table,
  { found, size, rest }: Candidates,
  filter: Filter,
  slice: number | undefined,
): Matches | Promise<Matches> {
  const most = table.rows.length / (findPhrase(filter) ? 16 : 4)
  if (found.kind === 'all' || size > most) return scanAll(table, filter, slice)
  return scanRanks(table, { ...filter, conditions: rest }, toRanks(found), slice)
}

function finish(
  table: Table,
  { ranks, slots, isCurrent }: Matches,
  query: ListQuery,
  slice: number | undefined,
): Selection | Promise<void> {
  if (isCurrent) return arrange(table, { kind: 'ranks', ranks }, query, slice)
  return cut(sortRows(rowsAt(slots, ranks), query.sort), query.window)
}
