import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../../src/index.ts'
import { importData } from '../../../src/source/transfer.ts'
import { asking } from '../../support/http/asking.ts'
import {
  folderForCluster,
  freshAddress,
  hasPostgres,
  runIn,
  SKIPPED,
} from '../../support/postgres/cluster.ts'
import { unprivileged } from '../../support/postgres/run-cluster.ts'

const folder = folderForCluster()
chmodSync(folder, 0o755)
const disk = join(folder, 'disk')
const filler = join(disk, 'filler')
mkdirSync(disk)

/** A disk of its own, which only root can have. */
const hasDisk =
  hasPostgres && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]).status === 0
const why = hasPostgres ? 'skipped: nothing can be mounted here' : SKIPPED

describe.skipIf(!hasDisk)(`a database whose disk is full${hasDisk ? '' : ` (${why})`}`, () => {
  let source: string
  let name: string
  let server: RunningServer
  const items = Array.from({ length: 20 }, (_, id) => ({ id, text: 'x' }))
  beforeAll(async () => {
    const anywhere = await freshAddress()
    name = /schema=(\w+)/.exec(anywhere)?.[1] ?? ''
    const space = join(disk, 'space')
    mkdirSync(space)
    const user = unprivileged()
    if (user) chownSync(space, user.uid, user.gid)
    await runIn(
      anywhere,
      `CREATE TABLESPACE ${name} LOCATION '${space}'`,
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
      `ALTER DATABASE ${name} SET default_tablespace = ${name}`,
    )
    source = anywhere.replace('/postgres?', `/${name}?`)
    await importData({ from: fileOf({ items }), to: source })
    server = await start({ source, quiet: true })
  })
  afterAll(async () => {
    await server?.close()
    if (hasDisk) {
      const anywhere = source.replace(`/${name}?`, '/postgres?')
      await runIn(anywhere, `DROP DATABASE ${name} WITH (FORCE)`, `DROP TABLESPACE ${name}`)
      spawnSync('umount', ['-l', disk])
    }
    rmSync(folder, { recursive: true })
  })

  function fileOf(data: object): string {
    const file = join(folder, 'db.json')
    writeFileSync(file, JSON.stringify(data))
    return file
  }

  /** Leaves no space for anything else. */
  function fill(): void {
    const file = openSync(filler, 'w')
    try {
      for (;;) writeSync(file, Buffer.alloc(4096))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    } finally {
      closeSync(file)
    }
  }

  it('keeps what is there, says what to do, and goes on where there is space again', async () => {
    const ask = asking(server.url)
    const before = (await ask('GET', '/db')).body
    const rows = Array.from({ length: 2000 }, (_, id) => ({ id: id + 1000, text: 'x'.repeat(100) }))
    const bring = () => importData({ from: fileOf({ items: rows }), to: source, replace: true })
    fill()
    await expect(bring()).rejects.toThrow(
      /^The database has no space left, and nothing was changed\. Free some/,
    )
    for (const body of [rows, { text: 'x'.repeat(1_000_000) }]) {
      const { status, body: told } = await ask('POST', '/items', body)
      expect([status, told]).toMatchObject([503, { message: expect.stringContaining('no space left') }])
    }
    expect((await ask('GET', '/db')).body).toEqual(before)
    rmSync(filler)
    expect((await ask('POST', '/items', rows)).status).toBe(201)
    expect((await ask('GET', '/items?_limit=1')).headers.get('x-total-count')).toBe('2020')
    expect(await bring()).toEqual({ resources: 1, rows: 2000 })
  })
})
