import { type Work, workInSlices } from '../../work/in-slices.ts'
import { MOST_COLUMNS } from '../index/columns.ts'
import { fieldText } from '../index/id-index.ts'
import { compileWhere } from '../query/compile-where.ts'
import { type Decided, decide } from '../query/decide/decide.ts'
import { knownPaths } from '../query/decide/known-paths.ts'
import { pathsOf } from '../query/decide/paths-of.ts'
import { arrangeRows, select } from '../query/query.ts'
import { rowsAt } from '../query/rows-at.ts'
import { withIgnored } from '../query/with-ignored.ts'
import type { Table } from '../table/table.ts'
import type { KeyColumn, ListQuery, Lookup, Naming, Selection, Trace } from '../types.ts'
import { arrange, toRanks } from './arrange.ts'
import type { Asking } from './ask-index.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import { isWorthIndexing } from './is-worth-indexing.ts'
import { type Filter, findPhrase } from './phrase.ts'
import { type Matches, scanAll, scanRanks } from './scan.ts'

/** How often to wait for an index before going without: writes may drop indexes faster than they are built. */
const MOST_WAITS = 2 * MOST_COLUMNS

/**
 * Finds what `select` would find, through the table's indexes. Only for tables that nobody but the engine changes. A
 * promise if it takes a while: it yields to other requests.
 * @param slice how long to hold the event loop at a time, in milliseconds
 * @param trace filled in with how the query was answered
 */
export function selectIndexed(
  table: Table,
  query: ListQuery,
  naming: Naming,
  slice?: number,
  trace: Trace = { uses: [], examined: 0 },
): Selection | Promise<Selection> {
  return workInSlices(selecting({ table, naming, slice }, query, trace), slice)
}

function* selecting(asking: Asking, query: ListQuery, trace: Trace): Work<Selection> {
  const { table, naming } = asking
  // Rows may change while an index is being built: so the whole query is run again.
  for (let waits = 0; waits < MOST_WAITS && isWorthIndexing(table); waits++) {
    const found = yield* selectOnce(asking, query, trace)
    if (found) return found
  }
  trace.uses = []
  return yield* select(table.rows, query, naming, trace)
}

/** Undefined if it waited for an index, or the table changed before it was done. */
function* selectOnce(asking: Asking, asked: ListQuery, trace: Trace): Work<Selection | undefined> {
  const { table, naming } = asking
  const { version } = table
  const { query, ignored } = yield* decideIndexed(table, asked, naming)
  if (table.version !== version) return undefined
  const found = yield* selectDecided(asking, query, trace)
  return found && withIgnored(found, ignored)
}

function* selectDecided(asking: Asking, query: ListQuery, trace: Trace): Work<Selection | undefined> {
  const { table, slice } = asking
  const conditions = compileWhere(query.where)
  const candidates = findCandidates(asking, conditions)
  if (candidates instanceof Promise) {
    yield candidates
    return undefined
  }
  trace.uses = candidates.uses
  trace.examined = 0
  if (candidates.rest.length === 0 && query.search === undefined) {
    return yield* arrange(table, candidates.found, query, trace, slice)
  }
  const matches = yield* findMatches(table, candidates, { conditions, search: query.search }, trace)
  const { ranks, slots, isCurrent } = matches
  if (isCurrent) return yield* arrange(table, { kind: 'ranks', ranks }, query, trace, slice)
  return yield* arrangeRows(rowsAt(slots, ranks), query)
}

/** How a query is read against the table's rows. */
export function* decideIndexed(table: Table, query: ListQuery, naming: Naming): Work<Decided> {
  const ask = (path: string) => table.indexes.hasPath(path)
  return decide(query, yield* knownPaths(table.rows, pathsOf(query, naming), ask), naming)
}

/**
 * Rows by the text of an own field, through an index. A promise while it is being built: then ask again. Undefined if
 * there are too few rows.
 */
export function lookupIndexed(
  table: Table,
  field: string,
  slice?: number,
): Lookup | Promise<void> | undefined {
  const index = isWorthIndexing(table) ? table.indexes.equality(field, slice) : undefined
  if (!index || index instanceof Promise) return index
  const { order } = table.indexes
  return (text) =>
    rowsAt(order.slots, index.ranksOf([text]) ?? []).filter((row) => fieldText(row, field) === text)
}

/** Rows by a computed key, through an index unless there are few. A promise while it is being built: then ask again. */
export function lookupKeyed(table: Table, column: KeyColumn): Lookup | Promise<void> | undefined {
  if (!isWorthIndexing(table)) {
    return (key) => table.rows.filter((row) => column.keysOf(row).includes(key))
  }
  const index = table.indexes.keyed(column)
  if (!index || index instanceof Promise) return index
  const { order } = table.indexes
  return (key) => rowsAt(order.slots, index.ranksOf(key))
}

/** Tests the candidates for what the indexes could not tell, or all rows if that is faster. */
function findMatches(
  table: Table,
  { found, size, rest }: Candidates,
  filter: Filter,
  trace: Trace,
): Work<Matches> {
  const phrase = findPhrase(filter)
  const most = table.rows.length / (phrase ? 16 : 4)
  if (found.kind !== 'all' && size <= most) {
    return scanRanks(table, { ...filter, conditions: rest }, toRanks(found), trace)
  }
  trace.uses = phrase ? [{ kind: 'text', path: phrase.condition?.path ?? 'q' }] : []
  return scanAll(table, filter, phrase, trace)
}
