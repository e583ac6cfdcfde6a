import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../../errors.ts'
import type { Sql } from './link/sql.ts'
import { isLost, unavailable } from './link/unavailable.ts'

/** How long a commit may take in all whose response got lost, and how long it is asked about at least, in milliseconds. */
const MOST_MS = 4500
const LEAST_MS = 1000

/**
 * Commits. A connection that breaks meanwhile leaves open whether it happened.
 * @param isDone tells whether it did, on another connection; undefined if that cannot be told anymore
 */
export async function finish(sql: Sql, isDone: () => Promise<boolean | undefined>): Promise<void> {
  const start = performance.now()
  try {
    // Should anything before it have failed, the server makes it a ROLLBACK, and that failure is thrown.
    await sql.query('COMMIT')
  } catch (error) {
    if (!isLost(error)) throw error
    const end = Math.max(start + MOST_MS, performance.now() + LEAST_MS)
    const fate = await settle(isDone, end)
    if (fate === 'lost') throw unavailable(error)
    if (fate === 'unknown') throw new StorageError('SOURCE_UNAVAILABLE', UNKNOWN, { cause: error })
  }
}

const UNKNOWN =
  'The database went away while the change was being saved, and cannot be asked whether it was. Read it before you send it again.'

async function settle(isDone: () => Promise<boolean | undefined>, end: number): Promise<Fate> {
  const tooLate = sleep(end - performance.now(), 'unknown' as const, { ref: false })
  while (performance.now() < end) {
    const asked = isDone().then(fateOf, () => undefined)
    const fate = await Promise.race([asked, tooLate])
    if (fate) return fate
    await sleep(50)
  }
  return 'unknown'
}

/** What became of a transaction. */
type Fate = 'committed' | 'lost' | 'unknown'

function fateOf(isDone: boolean | undefined): Fate {
  if (isDone === undefined) return 'unknown'
  return isDone ? 'committed' : 'lost'
}
