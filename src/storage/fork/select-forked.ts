import { type Work, waitFor } from '../../work/in-slices.ts'
import { selectIndexed } from '../plan/plan.ts'
import { compileWhere } from '../query/compile-where.ts'
import { type Decided, decide } from '../query/decide/decide.ts'
import { knownPaths } from '../query/decide/known-paths.ts'
import { pathsOf } from '../query/decide/paths-of.ts'
import { arrangeRows, select, someHas } from '../query/query.ts'
import { RowTests } from '../query/row-tests.ts'
import { rowsAt } from '../query/rows-at.ts'
import { withIgnored } from '../query/with-ignored.ts'
import type { ListQuery, Naming, Selection, Trace } from '../types.ts'
import { arrangeForked } from './arrange-forked.ts'
import type { ForkedTable } from './forked-table.ts'
import { inRowOrder, isGone, ownRowsOf } from './own-rows.ts'

/** How often a query is started again because rows changed while it ran. */
const MOST_TRIES = 3

/**
 * Finds what `select` would find. Indexes of the snapshot find the rows that match there; those that the fork changed
 * are tested one by one.
 */
export function* selectForked(
  fork: ForkedTable,
  asked: ListQuery,
  naming: Naming,
  trace: Trace,
): Work<Selection> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const { version, table } = fork
    const found = yield* selectOnce(fork, asked, naming, trace)
    // If the origin was overtaken, its table is no longer that of the fork.
    if (found && fork.version === version && fork.table === table) return found
  }
  trace.uses = []
  return yield* select(fork.rows.slice(), asked, naming, trace)
}

function* selectOnce(
  fork: ForkedTable,
  asked: ListQuery,
  naming: Naming,
  trace: Trace,
): Work<Selection | undefined> {
  const { version, table, difference } = fork
  if (!difference) return yield* waitFor(selectIndexed(table, asked, naming, undefined, trace))
  const { query, ignored } = yield* decideForked(fork, asked, naming)
  if (query.where.length === 0 && query.search === undefined) {
    trace.uses = []
    const selection = yield* arrangeForked(fork, difference, query, trace)
    return selection && withIgnored(selection, ignored)
  }
  const matching: ListQuery = { ...query, sort: [], window: { kind: 'all' } }
  const found = yield* waitFor(selectIndexed(table, matching, naming, undefined, trace))
  if (fork.version !== version || fork.table !== table) return undefined
  const own = ownRowsOf(difference)
  const kept = found.items.filter((row) => !isGone(difference, row))
  const places: number[] = []
  const counter = { examined: 0 }
  const tests = new RowTests(compileWhere(query.where), query.search, { counter })
  yield* tests.pick({ slots: own }, places, { end: own.length })
  trace.examined += counter.examined
  const passed = rowsAt(own, places)
  if (fork.version !== version || fork.table !== table) return undefined
  const all = passed.length > 0 ? yield* inRowOrder(table, difference, kept, passed) : kept
  return withIgnored(yield* arrangeRows(all, query), ignored)
}

/** How a query is read against the rows of a fork. */
export function* decideForked(fork: ForkedTable, query: ListQuery, naming: Naming): Work<Decided> {
  const rows = { length: fork.length, slice: () => fork.rows.slice() }
  const ask = (path: string) => hasPathForked(fork, path)
  return decide(query, yield* knownPaths(rows, pathsOf(query, naming), ask), naming)
}

/** Rows of the snapshot to look at before all of them: most fields are in every row. */
const FEW = 64

/** Whether any row of a fork has the path, even if its value is null. */
export function* hasPathForked(fork: ForkedTable, path: string): Work<boolean> {
  const { table, difference } = fork
  if (!difference) return yield* table.indexes.hasPath(path)
  if (yield* someHas(ownRowsOf(difference), path)) return true
  const first = table.rows.slice(0, FEW).filter((row) => !isGone(difference, row))
  if (yield* someHas(first, path)) return true
  if (fork.table === table && !(yield* table.indexes.hasPath(path)) && fork.table === table) return false
  return yield* someHas(fork.rows.slice(), path)
}
