import type { Commit } from '../../commit.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'

/** A commit with the version that it made. */
export interface Versioned {
  readonly version: number
  readonly commit: Commit
}

/** Commits that are kept for other instances, and for those that were away for a while. */
const MOST_COMMITS = 1000

/** Of a larger one the others hear only that everything may be another. */
const MOST_CHARACTERS = 4 * 1024 * 1024

/** Writes commits down, and tells all instances once they are committed. */
export function logCommits(
  sql: Sql,
  tables: Tables,
  instance: string,
  commits: readonly Versioned[],
  token: string,
): void {
  const last = commits.at(-1)?.version
  if (last === undefined) {
    // Something came that nobody is told of, but others have to know.
    sql.send('SELECT pg_notify($1, $2)', [tables.channel, instance])
    return
  }
  const rows = commits.map(({ version, commit }) => ({ version, body: bodyOf(commit, token) }))
  sql.send(
    `INSERT INTO ${tables.commits} SELECT version, body FROM json_to_recordset($1) AS given (version bigint, body text)`,
    [JSON.stringify(rows)],
  )
  sql.send(`DELETE FROM ${tables.commits} WHERE version <= $1`, [last - MOST_COMMITS])
  sql.send(`UPDATE ${tables.state} SET version = $1`, [last])
  sql.send('SELECT pg_notify($1, $2)', [tables.channel, instance])
}

/** The commits after a version, in order; undefined if some are not kept anymore. */
export async function readCommits(
  sql: Pick<Sql, 'query'>,
  tables: Tables,
  after: number,
): Promise<readonly Versioned[] | undefined> {
  const found = await sql.query<{ version: string; body: string }>(
    `SELECT version, body FROM ${tables.commits} WHERE version > $1 ORDER BY version`,
    [after],
  )
  const commits = found.map(({ version, body }) => {
    const { token: _, ...commit } = JSON.parse(body)
    return { version: Number(version), commit }
  })
  return commits[0] && commits[0].version > after + 1 ? undefined : commits
}

function bodyOf(commit: Commit, token: string): string {
  const body = JSON.stringify({ token, ...commit })
  if (body.length <= MOST_CHARACTERS) return body
  const { effects: _, ...rest } = commit
  return JSON.stringify({ token, ...rest })
}
