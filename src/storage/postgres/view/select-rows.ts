import { workInSlices } from '../../../work/in-slices.ts'
import { frame } from '../../query/page.ts'
import { arrangeRows } from '../../query/query.ts'
import type { ListQuery, Selection, Trace } from '../../types.ts'
import { GAP, type Tables } from '../layout/tables.ts'
import type { ReadSql } from '../link/sql.ts'
import { slotsIn, Values } from '../query/columns.ts'
import { compileFilter, compileSort } from '../query/compile-query.ts'
import type { Asking, Range } from './asking.ts'
import type { FetchedTable } from './fetched-table.ts'
import { filterRows } from './filter-rows.ts'

/** Throws unless a query may be asked that is decided, and uses these slots. */
export type Admit = (query: ListQuery, slots: ReadonlySet<string>) => void

interface Search {
  readonly trace: Trace
  readonly isWanted: (() => boolean) | undefined
  readonly admit: Admit | undefined
}

/**
 * Answers a query that is decided. PostgreSQL does, where it can tell exactly what JavaScript would; else it only narrows
 * down what JavaScript looks at.
 */
export async function selectRows(
  sql: ReadSql,
  tables: Tables,
  table: FetchedTable,
  query: ListQuery,
  { trace, isWanted, admit }: Search,
): Promise<Selection> {
  const given = new Values()
  const filter = compileFilter(query, table.shape, given)
  const order = compileSort(query.sort, table.shape, table.length)
  const asking = { sql, from: tables.of(table.resource.rid), table, query, filter, given, order, isWanted }
  const slots = slotsIn(`${filter.sql} ${order ?? ''}`)
  trace.uses = table.noteSlots(slots)
  admit?.(query, slots)
  const find = filter.isExact && order !== undefined ? findPage : filterRows
  if (order === undefined) {
    const { items } = await find(asking, { start: 0, end: table.length }, trace)
    return workInSlices(arrangeRows(items, query))
  }
  // As if everything were found: where the part does not depend on the total, it is the same.
  const guess = frame(table.length, query.window)
  let { items, total } = await find(asking, guess, trace)
  const { start, end, head } = frame(total, query.window)
  if (start >= end) return { items: [], ...head }
  if (start < guess.start || end > guess.end) items = (await find(asking, { start, end }, trace)).items
  else items = items.slice(start - guess.start, end - guess.start)
  return { items, ...head }
}

/** Finds how many rows there are, and a part of them: one statement. */
async function findPage(asking: Asking, { start, end }: Range): Promise<Pick<Selection, 'items' | 'total'>> {
  const { sql, table, query } = asking
  const { where, search, sort } = query
  const { rows, isDense } = table.resource
  const isAll = where.length === 0 && search === undefined
  if (isAll && start >= end) return { items: [], total: rows }
  // The place follows from the position: no row before it is looked at.
  const [text, values] =
    isAll && sort.length === 0 && isDense
      ? [placed(asking), [start * GAP, end * GAP]]
      : [counted(asking, isAll), [...asking.given.all, Math.max(0, end - start), start]]
  const found = await sql.query<{ total?: string; pos: string | null; body: string }>(text, values)
  const items = found.flatMap(({ pos, body }) => (pos === null ? [] : [table.adopt(Number(pos), body)]))
  return { items, total: isAll ? rows : Number(found[0]?.total) }
}

function placed({ from }: Asking): string {
  return `SELECT pos, body FROM ${from} WHERE pos >= $1 AND pos < $2 ORDER BY pos`
}

/** Bodies come last, so that an index may be all that is walked. */
function counted({ from, filter, given, order }: Asking, isAll: boolean): string {
  const [most, skipped] = [`$${given.all.length + 1}::bigint`, `$${given.all.length + 2}::bigint`]
  const page = (source: string) =>
    `SELECT p.pos, (SELECT b.body FROM ${from} b WHERE b.pos = p.pos) AS body
     FROM (${source} ORDER BY ${order} LIMIT ${most} OFFSET ${skipped}) p`
  if (isAll) return page(`SELECT pos FROM ${from}`)
  // An index of words is asked once: that costs more than to count what it finds.
  const isOnce = filter.sql.includes('words')
  const source = `SELECT * FROM ${from} WHERE ${filter.sql}`
  const [before, found] = isOnce ? [`WITH found AS MATERIALIZED (${source})`, 'found'] : ['', `(${source})`]
  return `${before} SELECT t.total, p.pos, p.body FROM (SELECT count(*) AS total FROM ${found} f) t
    LEFT JOIN LATERAL (${page(`SELECT pos FROM ${found} f`)}) p ON true`
}
