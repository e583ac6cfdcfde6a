import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { SmallDisk } from '../../support/faults/disk.ts'
import { Ledger } from '../../support/faults/ledger.ts'
import { Storm } from '../../support/faults/storm.ts'
import { folderOf } from '../../support/folder.ts'

const dataOf = (length: number) => ({ items: [], filler: [{ id: 1, text: 'x'.repeat(length) }] })
const DATA = dataOf(50_000)
/** A large file. */
const MUCH = dataOf(5_000_000)

// Skipped where mounting is not permitted; only root may do it.
describe.runIf(SmallDisk.isPossible()).each([
  ['on a disk of its own', '400k', DATA],
  ['a large file on a disk of its own', '24m', MUCH],
])('%s', (_name, size, data) => {
  let disk: SmallDisk
  let server: RealServer
  let ledger: Ledger

  beforeEach(async () => {
    disk = new SmallDisk(size)
    await writeFile(join(disk.folder, 'db.json'), JSON.stringify(data))
    ledger = new Ledger()
    server = await serveHome(disk.folder)
  })

  afterEach(async () => {
    await server.stop('SIGTERM')
    disk.remove()
  })

  it.each([
    ['is full', 'ENOSPC', () => disk.fill(), () => disk.makeRoom()],
    ['is read-only', 'EROFS', () => disk.makeReadOnly(true), () => disk.makeReadOnly(false)],
  ] as const)(
    'refuses writes with 503 while it %s, has nothing that the file has not, and goes on afterwards',
    { timeout: 60_000 },
    async (_name, reason, breakDisk, mendDisk) => {
      const storm = new Storm(server, ledger, { seed: 3 })
      await storm.answered(40)
      await storm.end()

      await breakDisk()
      const refused = new Storm(server, ledger, { seed: 4 })
      await refused.answered(40)
      await refused.end()
      expect(new Set(refused.answers.map(({ status }) => status))).toEqual(new Set([503]))
      const body = JSON.parse(refused.answers[0]?.body ?? '')
      expect(body).toEqual({ error: 'Write failed', code: 'WRITE_FAILED', message: expect.any(String) })
      expect(body.message).toContain(reason)
      expect(await server.served()).toEqual(await saved(disk.folder))
      ledger.check(await saved(disk.folder))

      await mendDisk()
      const again = new Storm(server, ledger, { seed: 5 })
      await again.answered(40)
      await again.end()
      expect(again.answers.filter(({ status }) => status >= 500)).toEqual([])
      expect(await server.served()).toEqual(await saved(disk.folder))
      ledger.check(await saved(disk.folder))
      await expect.poll(() => readdir(disk.folder)).toEqual(['db.json'])
    },
  )

  it('stays whole when it fills up and empties in the middle of a storm', { timeout: 60_000 }, async () => {
    const storm = new Storm(server, ledger, { seed: 6 })
    for (let turn = 1; turn <= 3; turn += 1) {
      await storm.answered(turn * 40 - 20)
      const refusals = () => storm.answers.filter(({ status }) => status === 503).length
      const before = refusals()
      // A save that just finished frees the space of the previous file.
      for (let tries = 0; tries < 20 && refusals() === before; tries += 1) {
        await disk.fill()
        await storm.answered(storm.answers.length + 10)
      }
      disk.makeRoom()
    }
    await storm.end()
    expect(new Set(storm.answers.map(({ status }) => status))).toEqual(new Set([200, 201, 503]))
    expect(await server.served()).toEqual(await saved(disk.folder))
    ledger.check(await saved(disk.folder))
  })
})

// Root may write everywhere, so this only runs for other users.
describe.runIf(process.getuid?.() !== 0)('without the right to write', () => {
  it.each([
    ['the file', 'db.json', 0o444],
    ['the folder', '.', 0o555],
  ])('%s: refuses with 503, and goes on once it is given', async (_name, path, mode) => {
    const home = folderOf({ 'db.json': DATA })
    const server = await serveHome(home)
    await chmod(join(home, path), mode)
    expect((await server.ask('POST', '/items', { key: 'a' })).status).toBe(503)
    expect(await server.served()).toEqual(DATA)
    expect(await saved(home)).toEqual(DATA)
    await chmod(join(home, path), 0o755)
    expect((await server.ask('POST', '/items', { key: 'a' })).status).toBe(201)
    expect(await saved(home)).toEqual(await server.served())
  })
})
