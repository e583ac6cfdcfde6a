import { mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FOLDER, hasPostgres, SKIPPED } from './cluster.ts'
import { endWithProcess } from './end-with-process.ts'
import { stopCluster } from './run-cluster.ts'

/** A place for a cluster of PostgreSQL. The first test file that asks for one starts it; it ends with the run. */
export default function prepare(): () => Promise<void> {
  if (!hasPostgres) console.warn(`Tests that need a database are ${SKIPPED}.`)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pg-')))
  process.env[FOLDER] = folder
  if (hasPostgres) endWithProcess(folder)
  return async () => {
    stopCluster(folder)
    // There may be ten thousand files in it. Meanwhile vitest has to see that its workers end: else it says they hang.
    await rm(folder, { recursive: true, force: true })
  }
}
