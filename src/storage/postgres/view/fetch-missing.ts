import { higherId } from '../../table/next-id.ts'
import type { KeyColumn, Row } from '../../types.ts'
import { beginning, clean } from '../layout/clean-text.ts'
import { NULL, OBJECT, TEXT } from '../layout/row-facts.ts'
import type { Tables } from '../layout/tables.ts'
import type { ReadSql } from '../link/sql.ts'
import { slotsIn, Values } from '../query/columns.ts'
import { compileFilter } from '../query/compile-query.ts'
import { pattern } from '../query/narrow-by-words.ts'
import type { FetchedTable } from './fetched-table.ts'

/** Fetches what a table noted as missing. */
export async function fetchMissing(
  sql: ReadSql,
  tables: Tables,
  table: FetchedTable,
  idName: string,
): Promise<void> {
  const { missing } = table
  const from = tables.of(table.resource.rid)
  // What all rows tell, they tell once they are here.
  const parts = [...missing.keys.values()].map((part) => ({
    ...part,
    filter: filterFor(part.column, part.keys, table),
  }))
  if (parts.some(({ filter }) => filter === undefined)) missing.all = true
  if (missing.highest && !isQuick(table)) missing.all = true
  if (missing.all && !table.isWhole) table.learnAll(await fetchRows(sql, from, table, 'true', []))
  const fetchKeyed = async ({ column, keys, filter }: (typeof parts)[number]) => {
    const isHere = table.isWhole || !filter
    const rows = isHere ? table.rows : await fetchRows(sql, from, table, filter.sql, filter.values)
    table.learnKeys(column, keys, rows)
  }
  const fetchByIds = async (ids: ReadonlySet<string>) => {
    const starts = [[...ids].map(beginning)]
    const rows = table.isWhole
      ? table.rows
      : await fetchRows(sql, from, table, 'id = ANY($1::text[])', starts)
    table.learnIds(ids, rows)
  }
  // Together: they share the way there and back.
  await Promise.all([
    ...parts.map(fetchKeyed),
    ...(missing.ids.size > 0 ? [fetchByIds(missing.ids)] : []),
    ...(missing.places.size > 0 ? [fetchPlaces(sql, from, table)] : []),
    ...(missing.highest ? [learnHighest(sql, from, table, idName)] : []),
  ])
  missing.clear()
}

/** One pass over the positions counts for all. */
async function fetchPlaces(sql: ReadSql, from: string, table: FetchedTable): Promise<void> {
  const positions = [...table.missing.places]
  const last = positions.reduce((most, pos) => Math.max(most, pos))
  const found = await sql.query<{ pos: string; place: string }>(
    `SELECT pos, place FROM (
       SELECT pos, row_number() OVER (ORDER BY pos) - 1 AS place FROM ${from} WHERE pos <= $1) numbered
     WHERE pos = ANY($2::bigint[])`,
    [last, positions],
  )
  for (const { pos, place } of found) table.learnPlace(Number(pos), Number(place))
}

/** Rows that pass, in order. */
async function fetchRows(
  sql: ReadSql,
  from: string,
  table: FetchedTable,
  where: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const found = await sql.query<{ pos: string; body: string }>(
    `SELECT pos, body FROM ${from} WHERE ${where} ORDER BY pos`,
    values,
  )
  return found.map(({ pos, body }) => table.adopt(Number(pos), body))
}

/** Undefined if only all rows can tell. */
function filterFor(
  column: KeyColumn,
  keys: ReadonlySet<string>,
  table: FetchedTable,
): { readonly sql: string; readonly values: readonly unknown[] } | undefined {
  const where = column.whereOf?.([...keys])
  if (!where) return undefined
  const given = new Values()
  const { sql } = compileFilter({ where: [where] }, table.shape, given)
  table.noteSlots(slotsIn(sql))
  if (given.all.length === 0) return sql === '(false)' ? { sql, values: [] } : undefined
  const isOneOf = column.areValues ? ` AND ${hasLine(keys, given)}` : ''
  return { sql: `${sql}${isOneOf}`, values: given.all }
}

/** Words have each value on a line of its own: an id is in many of them, and seldom is it one. */
function hasLine(texts: ReadonlySet<string>, given: Values): string {
  const lines = [...texts].map((text) => pattern(`\n${clean(text.toLowerCase())}\n`))
  return `(odd OR words IS NULL OR E'\\n' || words || E'\\n' LIKE ANY(${given.add(lines)}::text[]))`
}

/** Whether the highest id follows from an index: all are numbers, or all are texts that sort as in JavaScript. */
function isQuick(table: FetchedTable): boolean {
  return table.hasNumbersOnly || ((table.idBits ?? OBJECT) & ~(TEXT | NULL)) === 0
}

async function learnHighest(sql: ReadSql, from: string, table: FetchedTable, idName: string): Promise<void> {
  if (table.isWhole) {
    table.learnHighest(
      table.rows.reduce<unknown>((highest, row) => higherId(highest, row, idName), undefined),
    )
    return
  }
  const column = table.hasNumbersOnly ? 'idnum' : 'id'
  const [found] = await sql.query<{ max: number | string | null }>(`SELECT max(${column}) FROM ${from}`)
  table.learnHighest(found?.max ?? undefined)
}
