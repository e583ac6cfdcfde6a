import { type Work, waitFor, workInSlices } from '../../work/in-slices.ts'
import { ForkedTable } from '../fork/forked-table.ts'
import { decideForked, selectForked } from '../fork/select-forked.ts'
import { decideIndexed, selectIndexed } from '../plan/plan.ts'
import type { Decided } from '../query/decide/decide.ts'
import { arrangeRows, decideFor, select } from '../query/query.ts'
import { mayNeedEngine, selectByPattern } from '../query/select-by-pattern.ts'
import { mayUseParents, type Selecting } from '../relations/parent-fields.ts'
import { decideByParents, selectByParents } from '../relations/select-by-parents.ts'
import type { Collection } from '../table/collection.ts'
import { Table } from '../table/table.ts'
import type { ListQuery, Row, Selection, Trace } from '../types.ts'

/** Data with tables that can be searched. */
interface Searched extends Selecting {
  table(collection: string): Collection | undefined
}

/** How a query is answered. */
interface Search {
  /** Searched instead of the collection's. */
  readonly rows: readonly Row[] | undefined
  readonly isWanted: (() => boolean) | undefined
  readonly trace: Trace
}

/** The rows that match a query, by the means that their table has. */
export function* selectIn(
  local: Searched,
  collection: string,
  query: ListQuery,
  { rows, isWanted, trace }: Search,
): Work<Selection> {
  if (mayUseParents(query)) return yield* selectByParents(local, collection, query, rows, isWanted, trace)
  if (mayNeedEngine(query)) {
    const decide = (asked: ListQuery) => workInSlices(decideIn(local, collection, asked, rows))
    const selectOthers = (others: ListQuery) =>
      workInSlices(local.selecting(collection, others, rows, isWanted, trace))
    const arrange = (found: readonly Row[], asked: ListQuery) => workInSlices(arrangeRows(found, asked))
    return yield* waitFor(selectByPattern(query, { decide, select: selectOthers, arrange, isWanted, trace }))
  }
  const table = local.table(collection)
  if (!rows && table instanceof ForkedTable) return yield* selectForked(table, query, local.naming, trace)
  if (rows || !(table instanceof Table))
    return yield* select(rows ?? table?.rows ?? [], query, local.naming, trace)
  const found = yield* waitFor(selectIndexed(table, query, local.naming, undefined, trace))
  // If the table was replaced or shared in the meantime, it missed changes, and its result may be wrong.
  return local.table(collection) === table
    ? found
    : yield* local.selecting(collection, query, rows, isWanted, trace)
}

/** How a query is read against the current rows. */
export function decideIn(
  local: Searched,
  collection: string,
  query: ListQuery,
  rows?: readonly Row[],
): Work<Decided> {
  if (mayUseParents(query)) return decideByParents(local, collection, query, rows)
  const table = local.table(collection)
  if (!rows && table instanceof ForkedTable) return decideForked(table, query, local.naming)
  if (!rows && table instanceof Table) return decideIndexed(table, query, local.naming)
  return decideFor(rows ?? table?.rows.slice() ?? [], query, local.naming)
}
