import type { Catalogue, CatalogueReader } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { discardAll } from './waste.ts'

/** The image of what came from outside last: a reset goes back to it. No snapshot can have this name. */
export const BEGINNING = ''

/** Fewer rows are planned for as well without a look at them. */
const FEW_ROWS = 2000

/** What is copied of each resource, beside its rows. */
const FACTS = 'place, name, kind, body, rows, next_pos, dense, shape'

/**
 * Copies everything as of the transaction: no row leaves the database.
 * @param catalogue what is there
 */
export async function saveImage(
  sql: Sql,
  tables: Tables,
  name: string,
  { resources }: Catalogue,
): Promise<void> {
  const [made] = await sql.query<{ image: number }>(
    `INSERT INTO ${tables.images} (name) VALUES ($1) RETURNING image`,
    [name],
  )
  const image = Number(made?.image)
  sql.send(
    `INSERT INTO ${tables.imageParts} (image, rid, ${FACTS}) SELECT $1, rid, ${FACTS} FROM ${tables.resources}`,
    [image],
  )
  for (const { rid, kind } of resources.values()) {
    if (kind === 'collection') sql.send(tables.copyToImage(rid, image))
  }
  await sql.flush()
}

/** Lets go of an image: its tables are waste then. False if there is none of that name. */
export async function removeImage(sql: Sql, tables: Tables, name: string): Promise<boolean> {
  const gone = await sql.query(
    `WITH gone AS (DELETE FROM ${tables.images} WHERE name = $1 RETURNING image),
     discarded AS (
       INSERT INTO ${tables.waste} (rid, image) SELECT part.rid, gone.image FROM gone
       JOIN ${tables.imageParts} part ON part.image = gone.image AND part.kind = 'collection')
     SELECT image FROM gone`,
    [name],
  )
  return gone.length > 0
}

interface Restoring {
  readonly tables: Tables
  readonly reader: CatalogueReader
  /** What is there before. */
  readonly before: Catalogue
  readonly version: number
}

/**
 * Replaces everything with copies of what is in an image, in a transaction that holds the lock. Undefined, and nothing is
 * replaced, if there is none of that name.
 */
export async function restoreImage(
  sql: Sql,
  name: string,
  { tables, reader, before, version }: Restoring,
): Promise<Catalogue | undefined> {
  // Its removal waits until it was copied.
  const [found] = await sql.query<{ image: number }>(
    `SELECT image FROM ${tables.images} WHERE name = $1 FOR SHARE`,
    [name],
  )
  if (!found) return undefined
  const parts = await sql.query<{ rid: number; kind: string; rows: string }>(
    `SELECT rid, kind, rows FROM ${tables.imageParts} WHERE image = $1 ORDER BY place`,
    [found.image],
  )
  discardAll(sql, tables)
  sql.send(`DELETE FROM ${tables.resources}`)
  sql.send(
    `INSERT INTO ${tables.resources} (rid, version, ${FACTS})
     SELECT $2 + row_number() OVER (ORDER BY place) - 1, $3, ${FACTS} FROM ${tables.imageParts} WHERE image = $1`,
    [found.image, before.nextRid, version],
  )
  for (const [at, { rid, kind, rows }] of parts.entries()) {
    if (kind !== 'collection') continue
    const next = before.nextRid + at
    sql.send(tables.create(next))
    sql.send(tables.copyFromImage(found.image, rid, next))
    for (const index of tables.index(next)) sql.send(index)
    if (Number(rows) >= FEW_ROWS) sql.send(`ANALYZE ${tables.of(next)}`)
  }
  const nextRid = before.nextRid + parts.length
  sql.send(`UPDATE ${tables.state} SET catalog = $1, next_rid = $2`, [version, nextRid])
  return { ...(await reader.look(sql)), version }
}
