import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasProxy } from './child/proxy.ts'
import { CHROMIUM } from './page/browser.ts'
import { FOLDER, hasPostgres } from './postgres/cluster.ts'
import { endWithProcess } from './postgres/end-with-process.ts'
import { stopCluster } from './postgres/run-cluster.ts'

/** What is tested only where the machine has it, and what Debian calls it. */
const PROGRAMS: readonly (readonly [what: string, debian: string, isThere: boolean])[] = [
  ['The page in a browser', 'chromium-headless-shell', CHROMIUM !== undefined],
  ['PostgreSQL', 'postgresql', hasPostgres],
  ['Servers behind nginx', 'nginx', hasProxy('nginx')],
  ['Servers behind HAProxy', 'haproxy', hasProxy('haproxy')],
]

/** What slow tests share: the built program, and a place for a cluster of PostgreSQL, which ends with the run. */
export default function prepare(): (() => Promise<void>) | undefined {
  // Each project of vitest.config.ts calls this.
  if (process.env[FOLDER]) return undefined
  for (const [what, debian, isThere] of PROGRAMS) {
    if (!isThere) console.warn(`Skipped: ${what}. This machine has no ${debian} (apt-get install ${debian}).`)
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pg-')))
  process.env[FOLDER] = folder
  if (hasPostgres) endWithProcess(folder)
  run('--import', 'tsx', 'scripts/build.ts')
  return async () => {
    stopCluster(folder)
    // There may be ten thousand files in it. Meanwhile vitest has to see that its workers end: else it says they hang.
    await rm(folder, { recursive: true, force: true })
  }
}

function run(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`)
}
