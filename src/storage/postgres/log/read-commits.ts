import { workInSlices } from '../../../work/in-slices.ts'
import type { Commit, KeptPast, Logged } from '../../commit.ts'
import type { HiddenNames } from '../../hidden/conceal.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { type CommitBody, readBody } from './commit-body.ts'
import { concealEffects } from './conceal-effects.ts'

/** A commit with the version that it made. */
export interface Versioned {
  readonly version: number
  readonly commit: Commit
}

/** What happened after a version. */
export interface News {
  /** In order, with whole rows. */
  readonly commits: readonly Versioned[]
  /** The number of the next table by then; undefined if there are no commits. */
  readonly nextRid: number | undefined
}

type Stored = { version: string; top: string; bytes: string | null; body: string }

/** The commits after a version; undefined if some are not kept anymore. */
export async function readCommits(
  sql: Pick<Sql, 'query'>,
  tables: Tables,
  after: number,
): Promise<News | undefined> {
  const found = await sql.query<Stored & { next_rid: number }>(
    `SELECT version, top, bytes, body, (SELECT next_rid FROM ${tables.state}) AS next_rid
     FROM ${tables.commits} WHERE version > $1 ORDER BY version`,
    [after],
  )
  const [first] = found
  // Of what was before everything was replaced, nothing is kept, and nobody needs to know.
  const from = first?.bytes === null ? Number(first.version) : after + 1
  if (found.some(({ version }, at) => Number(version) !== from + at)) return undefined
  return { commits: await readAll(found), nextRid: first?.next_rid }
}

/** Everything that is kept. */
export async function readPast(sql: Sql, tables: Tables, hidden: HiddenNames): Promise<KeptPast> {
  const [starts, found] = await Promise.all([
    sql.query<{ base: string; bottom: string }>(`SELECT base, bottom FROM ${tables.state}`),
    sql.query<Stored>(
      `SELECT version, top, bytes, body FROM ${tables.commits} WHERE bytes IS NOT NULL ORDER BY version`,
    ),
  ])
  const commits = (await readAll(found)).map(({ commit }) => concealEffects(commit, hidden))
  return { base: Number(starts[0]?.base), bottom: Number(starts[0]?.bottom), commits }
}

/** Some of the commits that are kept, in this order. */
export async function readChanges(
  sql: Sql,
  tables: Tables,
  versions: readonly number[],
  hidden: HiddenNames,
): Promise<readonly Commit[]> {
  const found = await sql.query<Stored>(
    `SELECT version, top, bytes, body FROM ${tables.commits} WHERE version = ANY($1::bigint[])`,
    [versions],
  )
  const commits = new Map((await readAll(found)).map(({ version, commit }) => [version, commit]))
  return versions.flatMap((version) => {
    const commit = commits.get(version)
    return commit ? [concealEffects(commit, hidden)] : []
  })
}

async function readAll(rows: readonly Stored[]): Promise<readonly Versioned[]> {
  const all: Versioned[] = []
  for (const { version, top, bytes, body } of rows) {
    const numbers = {
      version: Number(version),
      top: Number(top),
      bytes: bytes === null ? undefined : Number(bytes),
    }
    all.push(versionedOf(numbers, await workInSlices(readBody(body))))
  }
  return all
}

/** A commit as everybody hears it. */
export function versionedOf(
  { version, top, bytes = 0 }: { version: number; top: number; bytes: number | undefined },
  { time, undoes, redoes, ...commit }: CommitBody,
): Versioned {
  const moved = { ...(undoes && { undoes }), ...(redoes && { redoes }) }
  const logged: Logged = { version, time, bytes, top, ...moved }
  return { version, commit: { ...commit, logged } }
}
