import { isRow } from '../../is-row.ts'
import type { Data } from '../../types.ts'
import type { Catalogue, Resource } from '../layout/catalog.ts'
import { encodeRow } from '../layout/encode-row.ts'
import { Shape } from '../layout/shape.ts'
import { GAP, type Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { BEGINNING, removeImage, saveImage } from './image.ts'
import { insertRows, type OnRows } from './save-table.ts'
import { discardAll } from './waste.ts'

/** How everything is replaced. */
interface Replacement {
  readonly idName: string
  readonly version: number
  readonly onRows?: OnRows | undefined
  /** Whether it comes from outside, so that a reset goes back to it. */
  readonly isOutside: boolean
}

/** Replaces everything, in a transaction that holds the lock. Returns what is there then. */
export async function replaceAll(
  sql: Sql,
  tables: Tables,
  data: Data,
  old: Catalogue,
  { idName, version, onRows, isOutside }: Replacement,
): Promise<Catalogue> {
  discardAll(sql, tables)
  sql.send(`DELETE FROM ${tables.resources}`)
  const resources: Resource[] = []
  let nextRid = old.nextRid
  let rows = 0
  for (const [place, [name, value]] of Object.entries(data).entries()) {
    const tell = onRows && ((count: number) => onRows(rows + count))
    const added = { name, value, place, version, idName, rid: nextRid++ }
    const resource = await addResource(sql, tables, added, tell)
    rows += resource.rows
    resources.push(resource)
  }
  sql.send(`UPDATE ${tables.state} SET catalog = $1, next_rid = $2`, [version, nextRid])
  const all = new Map(resources.map((one) => [one.name, one]))
  const catalogue = { version, generation: version, nextRid, resources: all }
  if (isOutside) {
    await removeImage(sql, tables, BEGINNING)
    await saveImage(sql, tables, BEGINNING, catalogue)
  }
  await sql.flush()
  return catalogue
}

interface Added {
  readonly name: string
  readonly value: unknown
  readonly place: number
  readonly version: number
  readonly idName: string
  readonly rid: number
}

/** Adds a resource, at a place among the others that is not taken. */
export async function addResource(
  sql: Sql,
  tables: Tables,
  added: Added,
  onRows?: OnRows,
): Promise<Resource> {
  const { name, value, place, version, idName, rid } = added
  const rows: readonly unknown[] | undefined = name !== '$schema' && Array.isArray(value) ? value : undefined
  const shape = Shape.empty()
  const count = rows?.length ?? 0
  if (rows) {
    sql.send(tables.create(rid))
    await insertRows(sql, tables, rid, encodeAll(rows, shape, idName), onRows)
    for (const index of tables.index(rid)) sql.send(index)
  }
  const kind = rows ? 'collection' : name !== '$schema' && isRow(value) ? 'object' : 'other'
  sql.send(
    `INSERT INTO ${tables.resources} (rid, place, name, kind, body, version, rows, next_pos, shape)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[rid, place, JSON.stringify(name), kind, rows ? null : (JSON.stringify(value) ?? null)],
      ...[version, count, count * GAP, shape.toText()],
    ],
  )
  const rest = { rows: count, nextPos: count * GAP, isDense: true, shape, value: rows ? undefined : value }
  return { rid, name, kind, version, ...rest }
}

function* encodeAll(rows: readonly unknown[], shape: Shape, idName: string) {
  for (const [at, row] of rows.entries()) yield encodeRow(row, at * GAP, shape, idName)
}
