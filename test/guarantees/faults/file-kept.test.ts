import { chmod, chown, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { saved, serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'

const isRoot = process.getuid?.() === 0

it('a data file that is a link stays one, and what it leads to keeps mode and owner', async () => {
  const home = folderOf()
  const real = join(home, 'elsewhere', 'real.json')
  await mkdir(join(home, 'elsewhere'))
  await writeFile(real, '\uFEFF{"items":[]}\n')
  await chmod(real, 0o640)
  if (isRoot) await chown(real, 1234, 2345)
  const before = await stat(real)
  await symlink(join('elsewhere', 'real.json'), join(home, 'db.json'))

  const server = await serveHome(home)
  expect((await server.ask('POST', '/items', { name: 'a' })).status).toBe(201)
  expect((await lstat(join(home, 'db.json'))).isSymbolicLink()).toBe(true)
  const { mode, uid, gid } = await stat(real)
  expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid })
  expect(await saved(home)).toEqual({ items: [{ name: 'a', id: 1 }] })
  expect((await readFile(real, 'utf8')).endsWith('}\n')).toBe(true)
  // The response may arrive a moment before the lock is released.
  await expect.poll(() => readdir(join(home, 'elsewhere'))).toEqual(['real.json'])
  expect(await readdir(home)).toEqual(['db.json', 'elsewhere'])
  await server.stop('SIGTERM')
})

it('the next write cleans up after a killed process, and touches nothing else', async () => {
  const home = folderOf({ 'db.json': { items: [] } })
  const first = await serveHome(home)
  await first.stop('SIGKILL')
  const dead = `${first.process.child.pid}`
  const server = await serveHome(home)
  await writeFile(join(home, '.db.json.lock'), '')
  await writeFile(join(home, '.db.json.swp'), 'an editor’s own')
  await writeFile(join(home, `db.json.${dead}.tmp`), 'a user’s own')
  expect((await server.ask('POST', '/items', { name: 'a' })).status).toBe(201)
  await expect.poll(() => readdir(home)).toEqual(['.db.json.swp', 'db.json', `db.json.${dead}.tmp`])
})
