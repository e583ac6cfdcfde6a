import type { Data } from '../../types.ts'
import type { Catalogue, Resource } from '../layout/catalog.ts'
import { encodeRow } from '../layout/encode-row.ts'
import { Shape } from '../layout/shape.ts'
import { GAP, type Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { insertRows } from './save-table.ts'

/** Replaces everything, in a transaction that holds the lock. Returns what is there then. */
export async function replaceAll(
  sql: Sql,
  tables: Tables,
  data: Data,
  old: Catalogue,
  { idName, version }: { readonly idName: string; readonly version: number },
): Promise<Catalogue> {
  for (const { rid, kind } of old.resources.values()) {
    if (kind === 'collection') await sql.query(tables.drop(rid))
  }
  await sql.query(`DELETE FROM ${tables.resources}`)
  const resources: Resource[] = []
  for (const [place, [name, value]] of Object.entries(data).entries()) {
    resources.push(await addResource(sql, tables, { name, value, place, version, idName }))
  }
  await sql.query(`UPDATE ${tables.state} SET catalog = $1`, [version])
  return { version, generation: version, resources: new Map(resources.map((one) => [one.name, one])) }
}

interface Added {
  readonly name: string
  readonly value: unknown
  readonly place: number
  readonly version: number
  readonly idName: string
}

async function addResource(sql: Sql, tables: Tables, added: Added): Promise<Resource> {
  const { name, value, place, version, idName } = added
  const rows: readonly unknown[] | undefined = name !== '$schema' && Array.isArray(value) ? value : undefined
  const kind = rows
    ? 'collection'
    : name !== '$schema' && typeof value === 'object' && value !== null
      ? 'object'
      : 'other'
  const [inserted] = await sql.query<{ rid: number }>(
    `INSERT INTO ${tables.resources} (place, name, kind, body, version) VALUES ($1, $2, $3, $4, $5) RETURNING rid`,
    [place, JSON.stringify(name), kind, rows ? null : (JSON.stringify(value) ?? null), version],
  )
  const rid = Number(inserted?.rid)
  const shape = Shape.empty()
  const count = rows?.length ?? 0
  if (rows) {
    await sql.query(tables.create(rid))
    await insertRows(sql, tables, rid, encodeAll(rows, shape, idName))
    for (const index of tables.index(rid)) await sql.query(index)
    await sql.query(`UPDATE ${tables.resources} SET rows = $2, next_pos = $3, shape = $4 WHERE rid = $1`, [
      rid,
      count,
      count * GAP,
      shape.toText(),
    ])
  }
  return {
    rid,
    name,
    kind,
    version,
    rows: count,
    nextPos: count * GAP,
    isDense: true,
    shape,
    value: rows ? undefined : value,
  }
}

function* encodeAll(rows: readonly unknown[], shape: Shape, idName: string) {
  for (const [at, row] of rows.entries()) yield encodeRow(row, at * GAP, shape, idName)
}
