import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../../../errors.ts'
import type { Tables } from '../layout/tables.ts'
import type { Connections } from '../link/connections.ts'
import type { Sql } from '../link/sql.ts'
import { codeOf, isLost, unavailable } from '../link/unavailable.ts'

/** How long to ask whether a transaction was committed whose answer got lost. */
const MOST_DOUBT_MS = 30_000

/** What PostgreSQL says of a transaction that it knows nothing of: it crashed before anything of it was safe. */
const IN_THE_FUTURE = '22023'

interface Where {
  readonly connections: Connections
  readonly tables: Tables
}

/** What tells a transaction from others. */
interface Transaction {
  readonly xid: string
  /** That of its last commit; undefined if it has none. */
  readonly version: number | undefined
  /** Stored with its commits: no other transaction has it. */
  readonly token: string
}

/** What became of a transaction. */
type Fate = 'committed' | 'lost' | 'unknown'

/** Commits. A connection that breaks meanwhile leaves open whether it happened: the server knows. */
export async function finish(sql: Sql, where: Where, transaction: Transaction): Promise<void> {
  try {
    // Should anything before it have failed, the server makes it a ROLLBACK, and that failure is thrown.
    await sql.query('COMMIT')
  } catch (error) {
    if (!isLost(error)) throw error
    const fate = await fateOf(where, transaction)
    if (fate === 'lost') throw unavailable(error)
    if (fate === 'unknown') throw new StorageError('SOURCE_UNAVAILABLE', UNKNOWN)
  }
}

/** Commits what is not written down among the commits. */
export async function finishUnlogged(sql: Sql, where: Where): Promise<void> {
  const [own] = await sql.query<{ xid: string | null }>(
    'SELECT pg_current_xact_id_if_assigned()::text AS xid',
  )
  // Without a number it changed nothing.
  if (!own?.xid) await sql.query('COMMIT')
  else await finish(sql, where, { xid: own.xid, version: undefined, token: '' })
}

const UNKNOWN =
  'The database went away while the change was being saved, and cannot be asked whether it was. Read it before you send it again.'

async function fateOf(where: Where, transaction: Transaction): Promise<Fate> {
  for (const end = performance.now() + MOST_DOUBT_MS; performance.now() < end; await sleep(100)) {
    const fate = await askFate(where, transaction).catch(() => undefined)
    if (fate) return fate
  }
  return 'unknown'
}

/** Undefined while it is being done. */
async function askFate(
  { connections, tables }: Where,
  { xid, version, token }: Transaction,
): Promise<Fate | undefined> {
  const status = await statusOf(connections, xid)
  if (status === 'in progress') return undefined
  if (status === 'aborted') return 'lost'
  if (version === undefined) return status === 'committed' ? 'committed' : 'unknown'
  // After a crash, another transaction may have the number of one that was lost, but not its token. Asked in a statement of
  // its own: the one before might not see yet what was committed meanwhile.
  const [found] = await connections.ask<{ version: string; token: string | null }>(
    `SELECT s.version, c.token FROM ${tables.state} s LEFT JOIN ${tables.commits} c ON c.version = $1`,
    [version],
  )
  if (!found) return 'unknown'
  if (found.token !== null) return found.token === token ? 'committed' : 'lost'
  // That version is kept no longer, be it ours or that of another.
  return Number(found.version) >= version ? 'unknown' : 'lost'
}

async function statusOf(connections: Connections, xid: string): Promise<string | null | undefined> {
  try {
    const ask = 'SELECT pg_xact_status($1::xid8) AS status'
    const [found] = await connections.ask<{ status: string | null }>(ask, [xid])
    return found?.status
  } catch (error) {
    if (codeOf(error) === IN_THE_FUTURE) return 'aborted'
    throw error
  }
}
