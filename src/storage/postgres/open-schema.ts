import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../errors.ts'
import type { Incoming } from '../json/incoming.ts'
import { FORMAT, type Tables } from './layout/tables.ts'
import type { Sql } from './link/sql.ts'
import { type OnRows, replaceAll } from './write/replace-all.ts'

interface Wanted {
  /** The primary key, which is also kept beside rows. */
  readonly idName: string
  /** What a schema that is new is filled with. */
  readonly sample: () => Incoming | Promise<Incoming>
  readonly onRows?: OnRows | undefined
}

/** Makes sure that the schema is there and can be used, inside a transaction that commits. */
export async function openSchema(
  sql: Sql,
  tables: Tables,
  { idName, sample, onRows }: Wanted,
): Promise<void> {
  const [encoding] = await sql.query<{ server_encoding: string }>('SHOW server_encoding')
  if (encoding?.server_encoding !== 'UTF8') {
    throw new ConfigError(
      `source: the database has the encoding ${encoding?.server_encoding}. Use one that is created with ENCODING 'UTF8'.`,
    )
  }
  // Instances that start together make it once.
  await sql.query('SELECT pg_advisory_xact_lock(hashtext($1))', [tables.channel])
  const [found] = await sql.query<{ state: string | null; schema: string | null }>(
    'SELECT to_regclass($1)::text AS state, to_regnamespace($2)::text AS schema',
    [tables.state, `"${tables.schema}"`],
  )
  if (found?.state !== null) {
    await check(sql, tables, idName)
    return
  }
  // Versions grow, also over schemas that are dropped and made again.
  const version = Date.now()
  // A user who may make none can be given one.
  if (found.schema === null) sql.send(`CREATE SCHEMA "${tables.schema}"`)
  sql.send(tables.createAll())
  sql.send(
    `INSERT INTO ${tables.state} (format, id_name, secret, version, catalog, next_rid, base, bottom)
     VALUES ($1, $2, $3, $4, $4, 1, $4, $4)`,
    [FORMAT, JSON.stringify(idName), randomBytes(32).toString('base64url'), version],
  )
  await replaceAll(sql, tables, await sample(), NOTHING, { idName, version, onRows, isOutside: true })
}

const NOTHING = { version: 0, generation: 0, nextRid: 1, resources: new Map() }

async function check(sql: Sql, tables: Tables, id: string): Promise<void> {
  const [state] = await sql.query<{ format: number; id_name: string }>(
    `SELECT format, id_name FROM ${tables.state}`,
  )
  if (state?.format !== FORMAT) {
    const which = Number(state?.format) > FORMAT ? 'a newer' : 'another'
    throw new ConfigError(
      `source: the schema ${tables.schema} was made by ${which} version of restable (format ${state?.format}, not ${FORMAT}). Use that version, or another schema.`,
    )
  }
  const stored = JSON.parse(state.id_name)
  if (stored !== id) {
    throw new ConfigError(
      `source: the rows in the schema ${tables.schema} have the key ${JSON.stringify(stored)}, and "id" is set to ${JSON.stringify(id)}. Set it to the same, or use another schema.`,
    )
  }
}
