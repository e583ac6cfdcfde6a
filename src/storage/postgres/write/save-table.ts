import { withHidden } from '../../hidden/hidden-fields.ts'
import type { Row } from '../../types.ts'
import { RowInserter } from '../insert/row-inserter.ts'
import type { Resource } from '../layout/catalog.ts'
import { type Encoded, encodeRow } from '../layout/encode-row.ts'
import { factsOf } from '../layout/row-facts.ts'
import { Shape } from '../layout/shape.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import type { FetchedTable } from '../view/fetched-table.ts'
import { orderOf } from './order.ts'
import { StayingRows } from './staying-rows.ts'

/** Writes what a draft changed in a collection. Returns the collection as it is then. */
export async function saveTable(
  sql: Sql,
  tables: Tables,
  table: FetchedTable,
  { idName, version }: { readonly idName: string; readonly version: number },
): Promise<Resource> {
  const { resource, change } = table
  const { added = [], removed = new Set<Row>(), replaced = new Map<Row, Row>() } = change ?? {}
  const {
    added: places,
    moved,
    nextPos,
    isDense,
  } = await orderOf(table, new StayingRows(sql, tables, table, idName))
  const rows = resource.rows + added.length - removed.size
  // Where no row is left, nothing that there ever was matters anymore.
  const isEmptied = resource.rows === removed.size
  const shape = isEmptied ? Shape.empty() : resource.shape.copy()
  const stored: (readonly [Row, number])[] = []
  const gone: number[] = []
  const takeOut = (row: Row, pos: number) => {
    gone.push(pos)
    if (!isEmptied) shape.remove(factsOf(withHidden(row)))
  }
  for (const row of removed) takeOut(row, table.posOf(row) ?? 0)
  const stays = new Map(moved)
  for (const [old, next] of replaced) {
    const pos = table.posOf(old) ?? 0
    takeOut(old, pos)
    stored.push([next, moved.get(pos) ?? pos])
    stays.delete(pos)
  }
  for (const [from, to] of stays) {
    const row = table.rowAt(from)
    if (row === undefined) continue
    takeOut(row, from)
    stored.push([row, to])
  }
  for (const [row, pos] of places) stored.push([row, pos])
  if (gone.length > 0)
    sql.send(`DELETE FROM ${tables.of(resource.rid)} WHERE pos = ANY($1::bigint[])`, [gone])
  const inserter = new RowInserter(sql, tables, resource.rid)
  await inserter.add(encodeAll(stored, shape, idName))
  await inserter.end()
  sql.send(
    `UPDATE ${tables.resources} SET version = $2, rows = $3, next_pos = $4, dense = $5, shape = $6 WHERE rid = $1`,
    [resource.rid, version, rows, nextPos, isDense, shape.toText()],
  )
  return { ...resource, version, rows, nextPos, isDense, shape }
}

function* encodeAll(
  rows: Iterable<readonly [unknown, number]>,
  shape: Shape,
  idName: string,
): Generator<Encoded> {
  for (const [row, pos] of rows) yield encodeRow(row, pos, shape, idName)
}
