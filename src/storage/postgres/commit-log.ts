import { Pace } from '../../util/pace.ts'
import type { Commit } from '../data/store.ts'
import type { Difference } from '../data/tree.ts'
import { type Entry, MOST_BYTES, Timeline, type TimelineStart } from '../engine/history.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Row } from '../types.ts'
import type { Transaction } from './connection.ts'
import { unavailable } from './failures.ts'

/** Logs commits, deletes those that are no longer needed, and notifies all servers. */
export async function logCommits(
  sql: Transaction,
  ledger: Ledger,
  commits: readonly Commit[],
  { token, sender }: { readonly token: string; readonly sender: string },
): Promise<void> {
  const bodies: string[] = []
  const entries = commits.map(ledgerEntryOf)
  for (const [at, commit] of commits.entries()) {
    const isKept = entries[at]?.bytes !== undefined
    bodies.push(await writeBody(isKept ? commit : { ...commit, effects: undefined }))
  }
  for (const entry of entries) ledger.record(entry)
  sql.send(
    `INSERT INTO commits (version, token, top, bytes, body)
     SELECT version, $1, top, bytes, body
     FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) AS given (version, top, bytes, body)`,
    [
      token,
      entries.map(({ version }) => version),
      entries.map(({ top }) => top),
      entries.map(({ bytes }) => bytes ?? null),
      bodies,
    ],
  )
  const forgotten = ledger.takeForgotten()
  const { base, bottom } = ledger.start
  // The last commit stays even without its effects, so that its server can find out whether it was done.
  if (forgotten.length > 0) {
    const text = 'DELETE FROM commits WHERE version = ANY($1::bigint[]) OR (bytes IS NULL AND version < $2)'
    sql.send(text, [forgotten, base])
  }
  sql.send('UPDATE state SET version = $1, base = $2, bottom = $3', [commits.at(-1)?.version, base, bottom])
  sql.send(`SELECT pg_notify('restable_' || current_schema(), $1)`, [sender])
}

/** Hidden fields included: undoing a deletion needs them. */
async function writeBody({ version: _, top: __, bytes: ___, effects, ...rest }: Commit): Promise<string> {
  const head = JSON.stringify(rest)
  if (!effects) return head
  const pace = new Pace()
  const texts: string[] = []
  for (const effect of effects) {
    if (effect.kind === 'object') {
      texts.push(JSON.stringify(withHiddenFields(effect)))
      continue
    }
    const rows: string[] = []
    for (const row of effect.rows) {
      rows.push(JSON.stringify(withHiddenFields(row)))
      if (pace.isDue) await pace.turn()
    }
    texts.push(`{"kind":"rows","name":${JSON.stringify(effect.name)},"rows":[${rows.join(',')}]}`)
  }
  return `${head.slice(0, -1)},"effects":[${texts.join(',')}]}`
}

function withHiddenFields(change: Omit<Difference<Row>, 'rank'>): object {
  const { before, after } = change
  return { ...change, before: before && asStored(before), after: after && asStored(after) }
}

type StoredCommit = { version: string; top: string; bytes: string | null; body: string }

/** Undefined if some of them are no longer in the log, or they are too large. */
export async function readCommits(
  sql: Transaction,
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

type State = TimelineStart & { readonly version: number; readonly secret: string }

export async function readState(sql: Transaction): Promise<State> {
  const text = 'SELECT version, base, bottom, secret FROM state'
  const [state] = await sql.query<Record<keyof State, string>>(text)
  if (!state) throw unavailable(new Error('The tables are there, and nothing is in them yet.'))
  const { version, base, bottom, secret } = state
  return { version: Number(version), base: Number(base), bottom: Number(bottom), secret }
}

export async function readHistory(sql: Transaction): Promise<readonly Commit[]> {
  const text = 'SELECT version, top, bytes, body FROM commits WHERE bytes IS NOT NULL ORDER BY version'
  return (await sql.query<StoredCommit>(text)).map(toCommit)
}

function toCommit({ version, top, bytes, body }: StoredCommit): Commit {
  return { ...JSON.parse(body), version: Number(version), top: Number(top), bytes: Number(bytes) }
}

/** Without bytes if everything was replaced, or too much changed to be kept. */
export type LedgerEntry = Omit<Entry, 'bytes'> & { readonly bytes: number | undefined }

/** A commit that is larger than the whole history may be ends it. */
function ledgerEntryOf({ version, top, bytes, effects }: Commit): LedgerEntry {
  return { version, top, bytes: effects && bytes <= MOST_BYTES ? bytes : undefined }
}

type LedgerRow = { base: string; bottom: string; version: string | null; top: string; bytes: string | null }

/** Decides which commits the log keeps, by their sizes. */
export class Ledger extends Timeline<Entry> {
  readonly #forgotten: number[]

  constructor(start: TimelineStart) {
    const forgotten: number[] = []
    super(start, (version) => forgotten.push(version))
    this.#forgotten = forgotten
  }

  static async read(sql: Transaction): Promise<Ledger> {
    const rows = await sql.query<LedgerRow>(
      `SELECT s.base, s.bottom, c.version, c.top, c.bytes
       FROM state s LEFT JOIN commits c ON true ORDER BY c.version`,
    )
    const ledger = new Ledger({ base: Number(rows[0]?.base), bottom: Number(rows[0]?.bottom) })
    for (const { version, top, bytes } of rows) {
      if (version === null) continue
      const size = bytes === null ? undefined : Number(bytes)
      ledger.record({ version: Number(version), top: Number(top), bytes: size })
    }
    ledger.takeForgotten()
    return ledger
  }

  record({ version, top, bytes }: LedgerEntry): void {
    if (bytes === undefined) this.startAt(version)
    else this.add({ version, top, bytes })
  }

  /** Records commits of other servers, which have deleted what these replaced. */
  follow(commits: readonly Commit[]): void {
    for (const commit of commits) if (commit.version === this.version + 1) this.record(ledgerEntryOf(commit))
    this.takeForgotten()
  }

  takeForgotten(): readonly number[] {
    return this.#forgotten.splice(0)
  }
}
