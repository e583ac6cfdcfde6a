import type { Commit } from '../../data/commit.ts'
import type { Past } from '../../data/store.ts'
import { MOST_BYTES } from '../../history/timeline.ts'
import type { Sql } from '../link/sql.ts'
import type { Tables } from '../tables/tables.ts'
import { readBody, writeBody } from './commit-body.ts'
import { type Ledger, postingOf } from './ledger.ts'

/** Writes commits down, lets go of those that need not be kept, and notifies all servers once they are committed. */
export async function logCommits(
  sql: Sql,
  { commits: table, state, channel }: Tables,
  ledger: Ledger,
  commits: readonly Commit[],
  { token, sender }: { readonly token: string; readonly sender: string },
): Promise<void> {
  const bodies: string[] = []
  const postings = commits.map(postingOf)
  for (const [at, { version: _, top: __, bytes: ___, effects, ...body }] of commits.entries()) {
    const isKept = postings[at]?.bytes !== undefined
    bodies.push(await writeBody({ ...body, effects: isKept ? effects : undefined }))
  }
  for (const posting of postings) ledger.add(posting)
  sql.send(
    `INSERT INTO ${table} (version, token, top, bytes, body)
     SELECT version, $1, top, bytes, body
     FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) AS given (version, top, bytes, body)`,
    [
      token,
      postings.map(({ version }) => version),
      postings.map(({ top }) => top),
      postings.map(({ bytes }) => bytes ?? null),
      bodies,
    ],
  )
  const forgotten = ledger.takeForgotten()
  if (forgotten.length > 0) sql.send(`DELETE FROM ${table} WHERE version = ANY($1::bigint[])`, [forgotten])
  const { base, bottom } = ledger.start
  sql.send(`UPDATE ${state} SET version = $1, base = $2, bottom = $3`, [
    commits.at(-1)?.version,
    base,
    bottom,
  ])
  sql.send('SELECT pg_notify($1, $2)', [channel, sender])
}

type Stored = { version: string; top: string; bytes: string | null; body: string }

/** The commits from after one version up to another; undefined if they cannot all be told, or are too many to be. */
export async function readCommits(
  sql: Pick<Sql, 'query'>,
  { commits: table }: Tables,
  after: number,
  upTo: number,
): Promise<readonly Commit[] | undefined> {
  const found = await sql.query<Stored>(
    `SELECT version, top, bytes, body FROM (
       SELECT *, sum(bytes) OVER (ORDER BY version) AS total FROM ${table} WHERE version > $1 AND version <= $2
     ) AS later WHERE total <= ${MOST_BYTES} AND bytes IS NOT NULL ORDER BY version`,
    [after, upTo],
  )
  const isComplete = found.length === upTo - after
  return isComplete ? found.map(toCommit) : undefined
}

/** The version of the data, and where what is kept begins. */
export async function readState(
  sql: Pick<Sql, 'query'>,
  { state }: Tables,
): Promise<Omit<Past, 'commits'> & { readonly version: number; readonly secret: string }> {
  const [found] = await sql.query<{ version: string; base: string; bottom: string; secret: string }>(
    `SELECT version, base, bottom, secret FROM ${state}`,
  )
  return {
    version: Number(found?.version),
    base: Number(found?.base),
    bottom: Number(found?.bottom),
    secret: String(found?.secret),
  }
}

/** All commits that are kept. */
export async function readKept(
  sql: Pick<Sql, 'query'>,
  { commits: table }: Tables,
): Promise<readonly Commit[]> {
  const found = await sql.query<Stored>(
    `SELECT version, top, bytes, body FROM ${table} WHERE bytes IS NOT NULL ORDER BY version`,
  )
  return found.map(toCommit)
}

function toCommit({ version, top, bytes, body }: Stored): Commit {
  return { ...readBody(body), version: Number(version), top: Number(top), bytes: Number(bytes) }
}
