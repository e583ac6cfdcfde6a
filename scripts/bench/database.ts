import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import memoize from 'lodash/memoize.js'
import pg from 'pg'
import { endWithProcess } from '../../test/support/postgres/end-with-process.ts'
import { findPrograms, startCluster, stopCluster } from '../../test/support/postgres/run-cluster.ts'

/** What is written has to outlive a crash, as it does in production. */
const SETTINGS = ['fsync=on', 'max_wal_size=4GB', 'shared_buffers=256MB']
const BIN = fileURLToPath(new URL('../../dist/bundle/bin.cjs', import.meta.url))

export function hasPostgres(): boolean {
  return findPrograms() !== undefined
}

/** A PostgreSQL of our own, in a temporary folder; started by the first that needs it. */
export function openDatabase() {
  let folder: string | undefined
  const start = memoize((): string => {
    const programs = findPrograms()
    if (programs === undefined) throw new Error('This machine has no PostgreSQL')
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'restable-bench-')))
    endWithProcess(folder)
    startCluster(folder, programs, { settings: SETTINGS })
    return `postgres://postgres@localhost/postgres?host=${folder}`
  })
  return {
    /** Puts a file into a schema of its own, and returns where that is. */
    async imported(file: string, schema: string): Promise<string> {
      const address = `${start()}&schema=${schema}`
      await promisify(execFile)(process.execPath, [BIN, 'import', file, address], { cwd: tmpdir() })
      return address
    },
    /** Does now what PostgreSQL would do in the background a while after an import, as pgbench does before it measures. */
    async settled(): Promise<void> {
      if (folder === undefined) return
      const client = new pg.Client(start())
      await client.connect()
      for (const command of ['VACUUM ANALYZE', 'CHECKPOINT']) await client.query(command)
      await client.end()
    },
    close(): void {
      if (folder === undefined) return
      stopCluster(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
