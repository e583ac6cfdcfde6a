import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../catalogue/error-classes.ts'
import type { Incoming } from '../formats/incoming.ts'
import type { Transaction } from './connection.ts'
import type { Connections } from './connections.ts'
import { CURRENT, ORIGIN } from './read-content.ts'
import { copyCurrent, type OnRows, replaceContent } from './write-content.ts'

export interface SchemaOptions {
  readonly sample: () => Incoming | Promise<Incoming>
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
async function openSchema(sql: Transaction, schema: string, wanted: SchemaOptions): Promise<string> {
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

/** Of the tables. Any other is refused, except that of 0.18. */
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
    version bigint NOT NULL, base bigint NOT NULL, bottom bigint NOT NULL,
    -- 0.18 asks for it, before it says that a newer version made the schema.
    id_name text NOT NULL DEFAULT '"id"');
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

/** That of 0.18: a table for each collection, and for each copy of one. */
const OLD_FORMAT = 1

const OLD_TABLES = ['state', 'resources', 'commits', 'shared', 'images', 'image_parts', 'waste']

type OldPart = { image: number; rid: number; kind: string; content: number; place: number }

/** Migrates the tables of 0.18, without the history, whose positions differ. Servers of 0.18 are left without tables. */
async function adoptOldTables(sql: Transaction): Promise<void> {
  for (const name of OLD_TABLES) sql.send(`ALTER TABLE ${name} RENAME TO old_${name}`)
  sql.send(CREATE_TABLES)
  sql.send('INSERT INTO shared SELECT name, value, at FROM old_shared')
  sql.send("INSERT INTO images OVERRIDING SYSTEM VALUE SELECT image, name FROM old_images WHERE name <> ''")
  sql.send("SELECT setval(pg_get_serial_sequence('images', 'image'), max(image) + 1) FROM old_images")
  const oldParts = await sql.query<OldPart & { name: string; body: string | null }>(
    `SELECT 0 AS image, rid, kind, ${CURRENT} AS content, place, name, body FROM old_resources
     UNION ALL
     SELECT image, rid, kind, CASE i.name WHEN '' THEN ${ORIGIN} ELSE image END, place, p.name, body
     FROM old_image_parts p JOIN old_images i USING (image) ORDER BY content, place`,
  )
  for (const { image, rid, kind, content, place, name, body } of oldParts) {
    const [added] = await sql.query<{ part: number }>(
      'INSERT INTO parts (content, place, name, value) VALUES ($1, $2, $3, $4) RETURNING part',
      [content, place, name, body],
    )
    if (kind !== 'collection') continue
    const table = image === 0 ? `c${rid}` : `i${image}_${rid}`
    sql.send(`INSERT INTO rows SELECT $1, pos, body FROM ${table} ORDER BY pos`, [added?.part])
  }
  sql.send(`
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
        AND tablename ~ '^(c[0-9]+|i[0-9]+_[0-9]+|old_.*)$'
      LOOP EXECUTE format('DROP TABLE %I CASCADE', name); END LOOP;
    END $$`)
  await sql.flush()
}
