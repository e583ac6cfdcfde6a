import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../catalogue/error-classes.ts'
import type { Incoming } from '../json/incoming.ts'
import { adoptOldTables, OLD_FORMAT } from './adopt-old-tables.ts'
import { copyCurrent, type OnRows, replaceContent } from './contents.ts'
import { CREATE_TABLES, FORMAT, ORIGIN } from './layout.ts'
import type { Transaction } from './transaction.ts'

export interface Wanted {
  readonly sample: () => Incoming | Promise<Incoming>
  readonly onRows?: OnRows | undefined
}

/** Makes sure that the schema is there and can be used, inside a transaction that commits. Resolves with its secret. */
export async function openSchema(sql: Transaction, schema: string, wanted: Wanted): Promise<string> {
  // Servers that start together make it once.
  await sql.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`restable_${schema}`])
  const [found] = await sql.query<{ state: string | null; schema: string | null }>(
    // With the name of the schema: one that belongs to somebody else would be passed over.
    'SELECT to_regclass($1)::text AS state, to_regnamespace($2)::text AS schema',
    [`"${schema}".state`, `"${schema}"`],
  )
  if (found?.state !== null) return openState(sql, schema)
  // A user who may make none can be given one.
  if (found.schema === null) sql.send(`CREATE SCHEMA "${schema}"`)
  sql.send(CREATE_TABLES)
  // Versions grow, also over schemas that are dropped and made again.
  const secret = randomBytes(32).toString('base64url')
  sql.send(ADD_STATE, [FORMAT, secret, Date.now()])
  await replaceContent(sql, await wanted.sample(), wanted.onRows)
  copyCurrent(sql, ORIGIN)
  await sql.flush()
  return secret
}

const ADD_STATE = 'INSERT INTO state (format, secret, version, base, bottom) VALUES ($1, $2, $3, $3, $3)'

async function openState(sql: Transaction, schema: string): Promise<string> {
  const text = 'SELECT format, secret, version FROM state'
  const [state] = await sql.query<{ format: number; secret: string; version: string }>(text)
  if (state?.format === FORMAT) return state.secret
  if (state?.format !== OLD_FORMAT) {
    const which = Number(state?.format) > FORMAT ? 'a newer' : 'another'
    const formats = `(format ${state?.format}, not ${FORMAT}). Use that version, or another schema.`
    throw new ConfigError(`source: the schema ${schema} was made by ${which} version of restable ${formats}`)
  }
  await adoptOldTables(sql)
  await sql.query(ADD_STATE, [FORMAT, state.secret, Number(state.version) + 1])
  return state.secret
}
