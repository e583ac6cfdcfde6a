import { workInSlices } from '../../../work/in-slices.ts'
import { someHas } from '../../query/query.ts'
import { FIRST, type Tables } from '../layout/tables.ts'
import type { ReadSql } from '../link/sql.ts'
import { columnOf } from '../query/columns.ts'
import type { FetchedTable } from './fetched-table.ts'
import { FIRST_BATCH, type Found, fitting } from './filter-rows.ts'

/** Whether any row has the path. The shape tells, unless rows are odd or the path is. */
export function hasPathIn(
  sql: ReadSql,
  tables: Tables,
  table: FetchedTable,
  path: string,
): boolean | Promise<boolean> {
  const { shape, length: rows } = table
  if (rows === 0) return false
  const column = columnOf(shape, path)
  if (column && column.count > 0) return true
  if (column && shape.odd === 0) return false
  return someRowHas(sql, tables.of(table.resource.rid), table, path, column ? 'odd' : 'true')
}

async function someRowHas(
  sql: ReadSql,
  from: string,
  table: FetchedTable,
  path: string,
  where: string,
): Promise<boolean> {
  let most = FIRST_BATCH
  for (let last = FIRST; ; ) {
    const found = await sql.query<Found>(
      `SELECT pos, body FROM ${from} WHERE ${where} AND pos > $1 ORDER BY pos LIMIT ${most}`,
      [last],
    )
    const rows = found.map(({ pos, body }) => table.look(Number(pos), body))
    if (await workInSlices(someHas(rows, path))) return true
    if (found.length < most) return false
    last = Number(found.at(-1)?.pos)
    most = fitting(found)
  }
}
