import { workInSlices } from '../../../work/in-slices.ts'
import { compileWhere } from '../../query/compile-where.ts'
import { frame } from '../../query/page.ts'
import { arrangeRows } from '../../query/query.ts'
import { RowTests } from '../../query/row-tests.ts'
import type { ListQuery, Row, Selection, Trace } from '../../types.ts'
import { FIRST, GAP, type Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { Values } from '../query/columns.ts'
import type { Test } from '../query/compile-condition.ts'
import { compileFilter, compileSort } from '../query/compile-query.ts'
import type { FetchedTable } from './fetched-table.ts'

/** Rows that are tested at a time. */
export const BATCH = 2000

/**
 * Answers a query that is decided. PostgreSQL does, where it can tell exactly what JavaScript would; else it only narrows
 * down what JavaScript looks at.
 */
export async function selectRows(
  sql: Sql,
  tables: Tables,
  table: FetchedTable,
  query: ListQuery,
  trace: Trace,
): Promise<Selection> {
  const given = new Values()
  const filter = compileFilter(query, table.shape, given)
  const order = compileSort(query.sort, table.shape, table.length)
  const from = tables.of(table.resource.rid)
  table.noteSlots(`${filter.sql} ${order ?? ''}`)
  if (filter.isExact && order !== undefined)
    return selectPage({ sql, from, table, filter, given }, query, order)
  const passed = await filterRows({ sql, from, table, filter, given }, query, trace)
  return workInSlices(arrangeRows(passed, query))
}

interface Asking {
  readonly sql: Sql
  readonly from: string
  readonly table: FetchedTable
  readonly filter: Test
  readonly given: Values
}

async function selectPage(
  asking: Asking,
  { where, search, sort, window }: ListQuery,
  order: string,
): Promise<Selection> {
  const { sql, from, table, filter, given } = asking
  const isAll = where.length === 0 && search === undefined
  const total = isAll ? table.resource.rows : await count(asking)
  const { start, end, head } = frame(total, window)
  if (start >= end) return { items: [], ...head }
  const isPlaced = isAll && sort.length === 0 && table.resource.isDense
  // The place follows from the position: no row before it is looked at.
  const [test, values] = isPlaced
    ? ['pos >= $1 AND pos < $2', [start * GAP, end * GAP]]
    : [filter.sql, [...given.all, end - start, start]]
  const cut = isPlaced ? '' : ` LIMIT $${values.length - 1} OFFSET $${values.length}`
  const found = await sql.query<{ pos: string; body: string }>(
    `SELECT pos, body FROM ${from} WHERE ${test} ORDER BY ${order}${cut}`,
    values,
  )
  return { items: found.map(({ pos, body }) => table.adopt(Number(pos), body)), ...head }
}

async function count({ sql, from, filter, given }: Asking): Promise<number> {
  const [found] = await sql.query<{ count: string }>(
    `SELECT count(*) FROM ${from} WHERE ${filter.sql}`,
    given.all,
  )
  return Number(found?.count)
}

/** Looks at what PostgreSQL left, a batch at a time: what does not pass is not kept. */
async function filterRows(asking: Asking, query: ListQuery, trace: Trace): Promise<readonly Row[]> {
  const { sql, from, table, filter, given } = asking
  const { where, search } = query
  const counter = { examined: 0 }
  const tests = new RowTests(compileWhere(where), search, { counter })
  const passed: Row[] = []
  const [after, most] = [`$${given.all.length + 1}`, `$${given.all.length + 2}`]
  const next = `SELECT pos, body FROM ${from} WHERE ${filter.sql} AND pos > ${after} ORDER BY pos LIMIT ${most}`
  for (let last = FIRST; ; ) {
    const found = await sql.query<{ pos: string; body: string }>(next, [...given.all, last, BATCH])
    const rows = found.map(({ pos, body }) => table.look(Number(pos), body))
    const places: number[] = []
    if (tests.isEmpty) places.push(...rows.keys())
    else await workInSlices(tests.pick({ slots: rows }, places, { end: rows.length }))
    for (const at of places) {
      const place = found[at]
      if (place) passed.push(table.adopt(Number(place.pos), place.body, rows[at]))
    }
    if (found.length < BATCH) break
    last = Number(found.at(-1)?.pos)
  }
  trace.examined += counter.examined
  return passed
}
