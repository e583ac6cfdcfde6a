import { Table } from '../../../src/core/engine/data/table.ts'
import { compileWhere } from '../../../src/core/engine/query/compile-where.ts'
import { decide } from '../../../src/core/engine/query/decide.ts'
import { frame } from '../../../src/core/engine/query/page.ts'
import { compilePath, hasPath } from '../../../src/core/engine/query/path.ts'
import { compileSearch } from '../../../src/core/engine/query/search.ts'
import { sortRows } from '../../../src/core/engine/query/sort.ts'
import type { ListQuery, Row, Selection } from '../../../src/core/engine/types.ts'

/** What a query finds, the slow and obvious way: one row after the other, without any index. */
export async function plainSelect(rows: readonly Row[], asked: ListQuery, id: string): Promise<Selection> {
  const isDeclared = (path: string) => rows.some((row) => hasPath(row, compilePath(path)))
  const { query, ignored } = await decide(asked, { table: Table.of(rows), id, isDeclared })
  const tests = query.where.map((one) => compileWhere(one))
  if (query.search !== undefined) tests.push(compileSearch(query.search))
  const passing = rows.filter((row) => tests.every((passes) => passes(row)))
  const sorted = await sortRows(passing, query.sort)
  const { start, end, head } = frame(sorted.length, query.window)
  const selection = { items: sorted.slice(start, end), window: query.window, ...head }
  return ignored.length === 0 ? selection : { ...selection, ignored }
}
