import { workInSlices } from '../../../work/in-slices.ts'
import { frame } from '../../query/page.ts'
import { arrangeRows } from '../../query/query.ts'
import type { ListQuery, Row, Selection, Trace } from '../../types.ts'
import { GAP, type Tables } from '../layout/tables.ts'
import type { ReadSql } from '../link/sql.ts'
import { slotsIn, Values } from '../query/columns.ts'
import { compileFilter, compileSort, reversed } from '../query/compile-query.ts'
import { type Asking, type Range, skipped } from './asking.ts'
import type { FetchedTable } from './fetched-table.ts'
import { filterRows } from './filter-rows.ts'
import { Total } from './total.ts'

/** Throws unless a query may be asked that is decided, and uses these slots. */
export type Admit = (query: ListQuery, slots: ReadonlySet<string>, total: number | undefined) => void

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
  const total = new Total(table.resource, query, table.hidden)
  const from = tables.of(table.resource.rid)
  const asking = { sql, from, table, query, filter, given, order, total: total.value, isWanted }
  const slots = slotsIn(`${filter.sql} ${order ?? ''}`)
  trace.uses = table.noteSlots(slots)
  admit?.(query, slots, asking.total)
  const find = filter.isExact && order !== undefined ? findPage : filterRows
  if (order === undefined) {
    const { items } = await find(asking, { start: 0, end: table.length }, trace)
    return workInSlices(arrangeRows(items, query))
  }
  // As if everything were found, if nobody has counted: where the part does not depend on the total, it is the same.
  const guess = frame(asking.total ?? table.length, query.window)
  let { items, total: counted } = await find(asking, guess, trace)
  if (asking.total === undefined) total.learn(counted)
  const { start, end, head } = frame(counted, query.window)
  if (start >= end) return { items: [], ...head }
  if (start < guess.start || end > guess.end) items = (await find(asking, { start, end }, trace)).items
  else items = items.slice(start - guess.start, end - guess.start)
  return { items, ...head }
}

/** Finds a part of the rows, and how many there are, unless that is known: one statement. */
async function findPage(asking: Asking, { start, end }: Range): Promise<Pick<Selection, 'items' | 'total'>> {
  const { sql, table, query, total } = asking
  if (total !== undefined && start >= end) return { items: [], total }
  const isInPlace = query.where.length === 0 && query.search === undefined && query.sort.length === 0
  // The place follows from the position: no row before it is looked at.
  if (isInPlace && table.resource.isDense) {
    const found = await sql.query<Placed>(placed(asking), [start * GAP, end * GAP])
    return { items: adopted(table, found), total: total ?? table.length }
  }
  // Rows that are skipped are walked past, from the end that is nearer, where that is known.
  const skip = total === undefined ? start : skipped({ start, end }, total)
  const isFromEnd = skip < start
  const values = [...asking.given.all, Math.max(0, end - start), skip]
  const found = await sql.query<Placed>(paged(asking, isFromEnd), values)
  const items = adopted(table, isFromEnd ? found.toReversed() : found)
  return { items, total: total ?? Number(found[0]?.total) }
}

type Placed = { readonly total?: string; readonly pos: string | null; readonly body: string }

function adopted(table: FetchedTable, found: readonly Placed[]): readonly Row[] {
  return found.flatMap(({ pos, body }) => (pos === null ? [] : [table.adopt(Number(pos), body)]))
}

function placed({ from }: Asking): string {
  return `SELECT pos, body FROM ${from} WHERE pos >= $1 AND pos < $2 ORDER BY pos`
}

/** Bodies come last, so that an index may be all that is walked. */
function paged({ from, filter, given, order = 'pos', total }: Asking, isFromEnd: boolean): string {
  const [most, skip] = [`$${given.all.length + 1}::bigint`, `$${given.all.length + 2}::bigint`]
  const page = (source: string) =>
    `SELECT p.pos, (SELECT b.body FROM ${from} b WHERE b.pos = p.pos) AS body
     FROM (${source} ORDER BY ${isFromEnd ? reversed(order) : order} LIMIT ${most} OFFSET ${skip}) p`
  if (total !== undefined) return page(`SELECT pos FROM ${from} WHERE ${filter.sql}`)
  // An index of words is asked once: that costs more than to count what it finds.
  const isOnce = filter.sql.includes('words')
  const source = `SELECT * FROM ${from} WHERE ${filter.sql}`
  const [before, found] = isOnce ? [`WITH found AS MATERIALIZED (${source})`, 'found'] : ['', `(${source})`]
  return `${before} SELECT t.total, p.pos, p.body FROM (SELECT count(*) AS total FROM ${found} f) t
    LEFT JOIN LATERAL (${page(`SELECT pos FROM ${found} f`)}) p ON true`
}
