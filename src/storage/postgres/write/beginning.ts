import type { Data } from '../../types.ts'
import type { Catalogue } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'

/** Keeps a copy of everything as it came from outside, in the transaction that brought it in. */
export function keepBeginning(sql: Sql, tables: Tables, { resources }: Catalogue): void {
  sql.send(`TRUNCATE ${tables.beginning}, ${tables.beginningRows}`)
  sql.send(`INSERT INTO ${tables.beginning} SELECT rid, place, name, kind, body FROM ${tables.resources}`)
  for (const { rid, kind } of resources.values()) {
    if (kind !== 'collection') continue
    sql.send(`INSERT INTO ${tables.beginningRows} SELECT ${rid}, pos, body FROM ${tables.of(rid)}`)
  }
}

/** Everything as it came from outside last. */
export async function readBeginning(sql: Sql, tables: Tables): Promise<Data> {
  const resources = await sql.query<{ rid: number; name: string; kind: string; body: string | null }>(
    `SELECT rid, name, kind, body FROM ${tables.beginning} ORDER BY place`,
  )
  const parts: [string, unknown][] = []
  for (const { rid, name, kind, body } of resources) {
    parts.push([
      JSON.parse(name),
      kind === 'collection' ? await rowsOf(sql, tables, rid) : JSON.parse(body ?? 'null'),
    ])
  }
  return Object.fromEntries(parts)
}

async function rowsOf(sql: Sql, tables: Tables, rid: number): Promise<readonly unknown[]> {
  const rows = await sql.query<{ body: string }>(
    `SELECT body FROM ${tables.beginningRows} WHERE rid = $1 ORDER BY pos`,
    [rid],
  )
  return rows.map(({ body }): unknown => JSON.parse(body))
}
