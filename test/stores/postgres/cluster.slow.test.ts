import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'

describe.skipIf(!hasPostgres)(`a cluster for tests${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  it('runs in UTF8 and as nobody with rights, reached by a socket alone', async () => {
    const client = new pg.Client((await freshAddress()).replace(/&schema=.*/, ''))
    await client.connect()
    const { rows } = await client.query(
      "SELECT current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses",
    )
    await client.end()
    expect(rows).toEqual([{ encoding: 'UTF8', addresses: '' }])
  })

  it('gives each test a schema of its own', async () => {
    expect(await freshAddress()).not.toBe(await freshAddress())
  })

  it('ends soon after a run that is killed, and leaves no folder', async () => {
    const from = (name: string) => new URL(`../../support/postgres/${name}`, import.meta.url).href
    const run = `
      import { mkdtempSync, realpathSync } from 'node:fs'
      import { clusterFolder, FOLDER, folderForCluster } from '${from('cluster.ts')}'
      import { endWithProcess } from '${from('end-with-process.ts')}'
      process.env[FOLDER] = realpathSync(mkdtempSync('/tmp/pg-'))
      endWithProcess(process.env[FOLDER])
      console.log(JSON.stringify([await clusterFolder(), folderForCluster()]))
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', run], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = await once(child.stdout, 'data')
    const [folder = '', other = ''] = JSON.parse(String(line)) as string[]
    const pid = Number.parseInt(readFileSync(`${folder}/data/postmaster.pid`, 'utf8'), 10)
    expect([isAlive(pid), existsSync(folder), existsSync(other)]).toEqual([true, true, true])
    child.kill('SIGKILL')
    await vi.waitFor(
      () => expect([isAlive(pid), existsSync(folder), existsSync(other)]).toEqual([false, false, false]),
      { timeout: 30_000, interval: 50 },
    )
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
