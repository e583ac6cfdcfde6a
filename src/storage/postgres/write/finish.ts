import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../../../errors.ts'
import type { Tables } from '../layout/tables.ts'
import type { Connections } from '../link/connections.ts'
import type { Sql } from '../link/sql.ts'
import { isLost, unavailable } from '../link/unavailable.ts'

/** How long to ask whether a transaction was committed whose answer got lost. */
const MOST_DOUBT_MS = 30_000

interface Where {
  readonly connections: Connections
  readonly tables: Tables
}

/** What tells a transaction from others. */
interface Transaction {
  readonly xid: string
  /** Its last commit, if it has any, and what is stored with that. */
  readonly version: number | undefined
  readonly token: string
}

/** Commits. A connection that breaks meanwhile leaves open whether it happened: the server knows. */
export async function finish(sql: Sql, where: Where, transaction: Transaction): Promise<void> {
  try {
    // Should anything before it have failed, the server makes it a ROLLBACK, and that failure is thrown.
    await sql.query('COMMIT')
  } catch (error) {
    if (!isLost(error)) throw error
    if (!(await isCommitted(where, transaction))) throw unavailable(error)
  }
}

/** After a crash, another transaction may have the number of one that was lost, but not its token. */
async function isCommitted(
  { connections, tables }: Where,
  { xid, version, token }: Transaction,
): Promise<boolean> {
  const ask = `SELECT pg_xact_status($1::xid8) AS status, (SELECT token FROM ${tables.commits} WHERE version = $2) AS token`
  for (const end = performance.now() + MOST_DOUBT_MS; performance.now() < end; await sleep(100)) {
    const [found] = await connections
      .ask<{ status: string | null; token: string | null }>(ask, [xid, version ?? 0])
      .catch(() => [{ status: 'in progress', token: null }])
    if (found?.status === 'in progress') continue
    const isOurs = version === undefined || found?.token === token
    return found?.status === 'committed' && isOurs
  }
  throw new StorageError(
    'SOURCE_UNAVAILABLE',
    'The database went away while the change was being saved, and cannot be asked whether it was. Read it before you send it again.',
  )
}
