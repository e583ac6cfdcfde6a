import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../../errors.ts'
import type { Incoming } from '../../json/incoming.ts'
import type { Transaction } from '../link/transaction.ts'
import { adoptOldTables, OLD_FORMAT } from './adopt-old-tables.ts'
import { copyCurrent, type OnRows, replaceContent } from './contents.ts'
import { CREATE_TABLES, FORMAT, ORIGIN } from './layout.ts'

export interface Wanted {
  readonly sample: () => Incoming | Promise<Incoming>
  readonly onRows?: OnRows | undefined
}

/** Makes sure that the schema is there and can be used, inside a transaction that commits. Resolves with its secret. */
export async function openSchema(
  sql: Transaction,
  schema: string,
  { sample, onRows }: Wanted,
): Promise<string> {
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
  const secret = await addState(sql, Date.now())
  await replaceContent(sql, await sample(), onRows)
  copyCurrent(sql, ORIGIN)
  await sql.flush()
  return secret
}

async function addState(
  sql: Transaction,
  version: number,
  secret = randomBytes(32).toString('base64url'),
): Promise<string> {
  const text = 'INSERT INTO state (format, secret, version, base, bottom) VALUES ($1, $2, $3, $3, $3)'
  await sql.query(text, [FORMAT, secret, version])
  return secret
}

async function openState(sql: Transaction, schema: string): Promise<string> {
  const [state] = await sql.query<{ format: number; secret: string; version: string }>(
    'SELECT format, secret, version FROM state',
  )
  if (state?.format === FORMAT) return state.secret
  if (state?.format !== OLD_FORMAT) {
    const which = Number(state?.format) > FORMAT ? 'a newer' : 'another'
    throw new ConfigError(
      `source: the schema ${schema} was made by ${which} version of restable (format ${state?.format}, not ${FORMAT}). Use that version, or another schema.`,
    )
  }
  await adoptOldTables(sql)
  return addState(sql, Number(state.version) + 1, state.secret)
}
