import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveHome } from '../../support/child/real-server.ts'
import { SmallDisk } from '../../support/faults/disk.ts'
import { folderOf } from '../../support/folder.ts'

const FILES = {
  'companies.yaml': '- id: 1 # first\n',
  'products.csv': 'id,companyId\n1,1\n2,9\n',
  'reviews.ndjson': '{"id":1,"companyId":1}\n{"id":2,"companyId":9}\n',
}
const BEFORE = {
  companies: [{ id: 1 }],
  products: [
    { id: 1, companyId: 1 },
    { id: 2, companyId: 9 },
  ],
  reviews: [
    { id: 1, companyId: 1 },
    { id: 2, companyId: 9 },
  ],
}
const AFTER = { companies: [], products: [{ id: 2, companyId: 9 }], reviews: [{ id: 2, companyId: 9 }] }
const REMOVE = ['DELETE', '/companies/1?_dependent=products,reviews'] as const
const filesIn = (home: string) =>
  Object.fromEntries(Object.entries(FILES).map(([name, text]) => [join(home, name), text]))

it.each([0, 1, 2])(
  'a change of three files, killed with -9 after %i renames, leaves each of them old or new, and nothing else',
  { timeout: 60_000 },
  async (renames) => {
    const home = folderOf(filesIn('data'))
    const env = {
      NODE_OPTIONS: `--import=${new URL('../../support/faults/die-at-rename.mjs', import.meta.url).href}`,
      DIE_AT: String(renames),
    }
    const doomed = await serveHome(home, { source: 'data', env })
    await expect(doomed.ask(...REMOVE)).rejects.toThrow()
    const server = await serveHome(home, { source: 'data' })
    const served = await server.served()
    for (const name of ['companies', 'products', 'reviews'] as const)
      expect([BEFORE[name], AFTER[name]]).toContainEqual(served[name])
    expect((await server.ask('POST', '/reviews', { companyId: 9 })).status).toBe(201)
    await expect.poll(() => readdir(join(home, 'data'))).toEqual(Object.keys(FILES))
    await server.stop('SIGTERM')
  },
)

describe.runIf(SmallDisk.isPossible())('on a full disk', () => {
  it('no file of several is changed, and a row that does not fit leaves no part of it', {
    timeout: 60_000,
  }, async () => {
    const disk = new SmallDisk('200k')
    onTestFinished(() => disk.remove())
    await mkdir(join(disk.folder, 'data'))
    for (const [path, text] of Object.entries(filesIn(join(disk.folder, 'data')))) await writeFile(path, text)
    const server = await serveHome(disk.folder, { source: 'data' })
    await disk.fill()
    expect((await server.ask(...REMOVE)).status).toBe(503)
    expect((await server.ask('POST', '/reviews', { text: 'x'.repeat(50_000) })).status).toBe(503)
    expect(await server.served()).toEqual(BEFORE)
    for (const [path, text] of Object.entries(filesIn(join(disk.folder, 'data')))) {
      expect(await readFile(path, 'utf8')).toBe(text)
    }
    disk.makeRoom()
    expect((await server.ask(...REMOVE)).status).toBe(200)
    expect(await server.served()).toEqual(AFTER)
    await server.stop('SIGTERM')
  })
})
