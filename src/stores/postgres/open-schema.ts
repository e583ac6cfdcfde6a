import { randomBytes } from 'node:crypto'
import type { Data } from '../../core/engine/types.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import type { SqlTransaction } from './connection.ts'
import type { Connections } from './connections.ts'
import { ORIGIN } from './read-content.ts'
import { copyCurrent, type OnRows, replaceContent } from './write-content.ts'

export interface SchemaOptions {
  readonly sample: () => Data | Promise<Data>
  readonly onRows?: OnRows | undefined
}

export function ensureSchema(connections: Connections, wanted: SchemaOptions): Promise<void> {
  return connections.inTransaction('write', async (sql) => {
    const secret = await openSchema(sql, connections.schema, wanted)
    const isThere = 'SELECT 1 FROM state WHERE secret = $1'
    await sql.commit(async () => (await connections.query('read', isThere, [secret])).length > 0)
  })
}

/** Creates or checks the schema, in a transaction that the caller commits. Resolves with its secret. */
async function openSchema(sql: SqlTransaction, schema: string, wanted: SchemaOptions): Promise<string> {
  // Servers that start together create it once.
  await sql.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`restable_${schema}`])
  const [exists] = await sql.query<{ state: string | null; schema: string | null }>(
    // Qualified: without USAGE on the schema, the search path would skip it.
    'SELECT to_regclass($1)::text AS state, to_regnamespace($2)::text AS schema',
    [`"${schema}".state`, `"${schema}"`],
  )
  if (exists?.state !== null) return openState(sql, schema)
  if (exists.schema === null) sql.send(`CREATE SCHEMA "${schema}"`)
  sql.send(CREATE_TABLES)
  // Versions also grow over schemas that are dropped and created again.
  const secret = randomBytes(32).toString('base64url')
  const addState = 'INSERT INTO state (format, secret, version, base, bottom) VALUES ($1, $2, $3, $3, $3)'
  sql.send(addState, [FORMAT, secret, Date.now()])
  await replaceContent(sql, await wanted.sample(), wanted.onRows)
  copyCurrent(sql, ORIGIN)
  await sql.flush()
  return secret
}

async function openState(sql: SqlTransaction, schema: string): Promise<string> {
  const [state] = await sql.query<{ format: number; secret: string }>('SELECT format, secret FROM state')
  if (state?.format === FORMAT) return state.secret
  const which = Number(state?.format) > FORMAT ? 'a newer' : 'an older'
  const formats = `(format ${state?.format}, not ${FORMAT})`
  const remedy = 'Use that version; or export the data with it, and import that here with --schema NAME.'
  throw new ConfigError(
    `source: the schema ${schema} was made by ${which} version of restable ${formats}. ${remedy}`,
  )
}

/** Of the tables. Any other is refused. */
const FORMAT = 2

/**
 * Tables are found by the search path of each connection.
 * - `state` has one row: the version, and the lock. A commit locks it first.
 * - `parts` are what each content consists of, in order: collections, whose rows are in `rows`, and values. Their names are
 *   JSON: one may have characters that PostgreSQL does not store.
 * - `rows` has those of all collections, and of copies: no table is ever created or dropped while in use.
 * - `shared` is what servers keep for each other beside the data; `images` names copies of everything.
 */
const CREATE_TABLES = `
  CREATE TABLE state (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), format int NOT NULL, secret text NOT NULL,
    version bigint NOT NULL, base bigint NOT NULL, bottom bigint NOT NULL);
  CREATE TABLE parts (
    part int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content int NOT NULL, place int NOT NULL,
    name text NOT NULL, value text);
  CREATE INDEX ON parts (content);
  CREATE TABLE rows (part int, rank double precision, row text NOT NULL, PRIMARY KEY (part, rank));
  CREATE TABLE commits (
    version bigint PRIMARY KEY, token text NOT NULL, top bigint NOT NULL, bytes bigint, body text NOT NULL);
  CREATE TABLE shared (
    name text PRIMARY KEY, value text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE INDEX ON shared (at);
  CREATE TABLE images (image int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);`
