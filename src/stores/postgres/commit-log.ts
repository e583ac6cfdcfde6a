import type { Commit, PreparedCommit, StoredHistory } from '../../core/engine/data/store.ts'
import type { Difference } from '../../core/engine/data/tree.ts'
import { MOST_BYTES } from '../../core/engine/history.ts'
import { toStoredRow } from '../../core/engine/rules/served-fields.ts'
import type { Row } from '../../core/engine/types.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { SqlTransaction } from './connection.ts'
import { unavailable } from './failures.ts'

/**
 * Logs commits, deletes those that were no longer recorded before them, and notifies all servers. What the commits themselves
 * make superfluous stays until the next one: a history that reads it evicts it.
 */
export async function logCommits(
  sql: SqlTransaction,
  { commits, recorded }: Pick<PreparedCommit, 'commits' | 'recorded'>,
  { token, sender }: { readonly token: string; readonly sender: string },
): Promise<void> {
  const bodies: string[] = []
  const sizes: (number | null)[] = []
  for (const commit of commits) {
    // One that is larger than the whole history may be ends it, as if everything was replaced.
    const isKept = commit.effects && commit.bytes <= MOST_BYTES
    bodies.push(await writeBody(isKept ? commit : { ...commit, effects: undefined }))
    sizes.push(isKept ? commit.bytes : null)
  }
  sql.send(
    `INSERT INTO commits (version, token, top, bytes, body)
     SELECT version, $1, top, bytes, body
     FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) AS given (version, top, bytes, body)`,
    [token, commits.map(({ version }) => version), commits.map(({ top }) => top), sizes, bodies],
  )
  const { base, bottom, older } = recorded
  // The last commit stays even without its effects, so that its server can find out whether it was done.
  const isNeeded = 'version = ANY($2::bigint[]) OR (version = $1 AND bytes IS NULL)'
  sql.send(`DELETE FROM commits WHERE version <= $1 AND NOT (${isNeeded})`, [base, older])
  // Never back: another server may have forgotten more.
  sql.send('UPDATE state SET version = $1, base = greatest(base, $2), bottom = greatest(bottom, $3)', [
    commits.at(-1)?.version,
    base,
    bottom,
  ])
  sql.send(`SELECT pg_notify('restable_' || current_schema(), $1)`, [sender])
}

/** Hidden fields included: undoing a deletion needs them. */
async function writeBody({ version: _, top: __, bytes: ___, effects, ...rest }: Commit): Promise<string> {
  const head = JSON.stringify(rest)
  if (!effects) return head
  const pace = new TimeSlice()
  const texts: string[] = []
  for (const effect of effects) {
    if (effect.kind === 'object') {
      texts.push(JSON.stringify(withHiddenFields(effect)))
      continue
    }
    const rows: string[] = []
    for (const row of effect.rows) {
      rows.push(JSON.stringify(withHiddenFields(row)))
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    const { rows: _, ...head } = effect
    texts.push(`${JSON.stringify(head).slice(0, -1)},"rows":[${rows.join(',')}]}`)
  }
  return `${head.slice(0, -1)},"effects":[${texts.join(',')}]}`
}

function withHiddenFields(change: Omit<Difference<Row>, 'rank'>): object {
  const { before, after } = change
  return { ...change, before: before && toStoredRow(before), after: after && toStoredRow(after) }
}

type StoredCommit = { version: string; top: string; bytes: string | null; body: string }

/** Undefined if some of them are no longer in the log, or they are too large. */
export async function readCommits(
  sql: SqlTransaction,
  after: number,
  upTo: number,
): Promise<readonly Commit[] | undefined> {
  const rows = await sql.query<StoredCommit>(
    `SELECT version, top, bytes, body FROM (
       SELECT *, sum(bytes) OVER (ORDER BY version) AS total FROM commits WHERE version > $1 AND version <= $2
     ) AS later WHERE total <= ${MOST_BYTES} AND bytes IS NOT NULL ORDER BY version`,
    [after, upTo],
  )
  return rows.length === upTo - after ? rows.map(toCommit) : undefined
}

type State = Omit<StoredHistory, 'commits'> & { readonly version: number; readonly secret: string }

export async function readState(sql: SqlTransaction): Promise<State> {
  const text = 'SELECT version, base, bottom, secret FROM state'
  const [state] = await sql.query<Record<keyof State, string>>(text)
  if (!state) throw unavailable(new Error('The tables are there, and nothing is in them yet.'))
  const { version, base, bottom, secret } = state
  return { version: Number(version), base: Number(base), bottom: Number(bottom), secret }
}

export async function readHistory(sql: SqlTransaction): Promise<readonly Commit[]> {
  const text = 'SELECT version, top, bytes, body FROM commits ORDER BY version'
  return (await sql.query<StoredCommit>(text)).map(toCommit)
}

function toCommit({ version, top, bytes, body }: StoredCommit): Commit {
  return { ...JSON.parse(body), version: Number(version), top: Number(top), bytes: Number(bytes) }
}
