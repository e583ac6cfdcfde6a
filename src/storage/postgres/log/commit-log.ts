import { workInSlices } from '../../../work/in-slices.ts'
import type { Commit } from '../../commit.ts'
import { bytesOfEffects } from '../../past/bytes-of-effects.ts'
import { MOST_BYTES } from '../../past/kept.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { type CommitBody, writeBody } from './commit-body.ts'
import type { Move, Page } from './ledger.ts'
import { type Versioned, versionedOf } from './read-commits.ts'

/** A commit before it has a version. */
export interface Unversioned {
  readonly commit: Commit
  readonly move?: Move | undefined
}

export interface LogOptions {
  readonly tables: Tables
  /** Tells this instance from others. */
  readonly instance: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Writes commits down, and tells all instances once they are committed. Returns them as everybody hears them. */
export async function logCommits(
  sql: Sql,
  { tables, instance, now }: LogOptions,
  page: Page,
  commits: readonly Unversioned[],
  token: string,
): Promise<readonly Versioned[]> {
  const logged: Versioned[] = []
  const values: unknown[] = []
  for (const { commit, move } of commits) {
    const version = page.version + 1
    const { effects, ...rest } = commit
    const size = effects && (await bytesOfEffects(effects, MOST_BYTES))
    // What is larger than all that may be kept ends the past, as if everything were replaced.
    const bytes = size !== undefined && size <= MOST_BYTES ? size : undefined
    const top = page.topAfter(version, bytes === undefined ? undefined : move)
    const body: CommitBody = {
      ...rest,
      ...(bytes !== undefined && effects && { effects }),
      time: now(),
      ...(move?.direction === 'undo' && { undoes: versionsOf(move) }),
      ...(move?.direction === 'redo' && { redoes: versionsOf(move) }),
    }
    values.push(version, token, top, bytes ?? null, await workInSlices(writeBody(body)))
    page.add({ version, top, bytes })
    logged.push(versionedOf({ version, top, bytes }, body))
  }
  if (logged.length > 0) save(sql, tables, page, values)
  // Even if there is no commit: something came that nobody is told of, but others have to know.
  sql.send('SELECT pg_notify($1, $2)', [tables.channel, instance])
  return logged
}

function versionsOf({ changes }: Move): readonly number[] {
  return changes.map(({ version }) => version)
}

const COLUMNS = ['version', 'token', 'top', 'bytes', 'body'] as const

/** A statement has no more than 65,535 parameters. */
const MOST_VALUES = COLUMNS.length * 1000

function save(sql: Sql, tables: Tables, page: Page, values: readonly unknown[]): void {
  for (let start = 0; start < values.length; start += MOST_VALUES) {
    const some = values.slice(start, start + MOST_VALUES)
    const places = some.map((_, at) => `${at % COLUMNS.length === 0 ? '), (' : ', '}$${at + 1}`)
    const rows = `${places.join('').slice('), '.length)})`
    sql.send(`INSERT INTO ${tables.commits} (${COLUMNS.join(', ')}) VALUES ${rows}`, some)
  }
  const forgotten = page.takeForgotten()
  if (forgotten.length > 0) {
    sql.send(`DELETE FROM ${tables.commits} WHERE version = ANY($1::bigint[])`, [forgotten])
  }
  const { base, bottom } = page.start
  sql.send(`UPDATE ${tables.state} SET version = $1, base = $2, bottom = $3`, [page.version, base, bottom])
}
