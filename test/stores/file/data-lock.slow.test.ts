import { execFileSync } from 'node:child_process'
import fs, {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataLock } from '../../../src/stores/file/data-lock.ts'
import { lockHolder } from '../../../src/stores/file/lock-holder.ts'
import { deadHolder } from '../../support/child/dead-holder.ts'
import { FileChild } from '../../support/child/file-child.ts'
import { BindMounts } from '../../support/faults/bind-mounts.ts'
import { folderOf } from '../../support/folder.ts'

const DATA = '{"items":[]}'

it('is next to a file that can be replaced, and leaves nothing', async () => {
  const folder = folderOf({ 'db.json': DATA })
  const held = await new DataLock(join(folder, 'db.json')).acquire()
  expect(readdirSync(folder).sort()).toEqual(['.db.json.lock', 'db.json'])
  await held.release()
  expect(readdirSync(folder)).toEqual(['db.json'])
  rmSync(folder, { recursive: true })
})

// Skipped where mounting is not permitted; only root may do it.
describe.runIf(BindMounts.isPossible())('the lock of a mounted file', () => {
  let mounts: BindMounts
  let target: string
  let other: string
  beforeEach(() => {
    mounts = new BindMounts()
    writeFileSync(join(mounts.folder, 'origin.json'), DATA)
    target = mounts.addFile('origin.json', join('one place', 'db.json'))
    other = mounts.addFile('origin.json', join('other', 'db.json'))
  })
  afterEach(() => {
    rmSync(byInode(), { recursive: true, force: true })
    mounts.remove()
  })

  /** Where all meet who overwrite this file. */
  function byInode(): string {
    const { dev, ino } = statSync(target, { bigint: true })
    return join(tmpdir(), `restable-${dev}-${ino}.lock`)
  }
  const besideTarget = () => readdirSync(join(mounts.folder, 'one place')).sort()

  it('is one for all its mounts, and leaves nothing', async () => {
    const held = await new DataLock(target).acquire()
    expect(readFileSync(byInode(), 'utf8')).toContain(lockHolder())
    expect(besideTarget()).toEqual(['db.json'])
    let isOthers = false
    const waiting = new DataLock(other).acquire().then((lock) => {
      isOthers = true
      return lock
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isOthers).toBe(false)
    await held.release()
    await (await waiting).release()
    expect(existsSync(byInode())).toBe(false)
  })

  it('is next to it when the folder for temporary files is full', async () => {
    const { open } = fs.promises
    fs.promises.open = async (path, ...options) => {
      if (path === byInode()) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      return open(path, ...options)
    }
    syncBuiltinESMExports()
    try {
      const held = await new DataLock(target).acquire()
      expect(besideTarget()).toEqual(['.db.json.lock', 'db.json'])
      await held.release()
    } finally {
      fs.promises.open = open
      syncBuiltinESMExports()
    }
  })

  it('is next to it where a user who has nothing to do with the file has made that name his', async () => {
    writeFileSync(byInode(), `${lockHolder()} token\n`)
    chownSync(byInode(), 65534, 65534)
    const held = await new DataLock(target).acquire()
    expect(besideTarget()).toEqual(['.db.json.lock', 'db.json'])
    await held.release()
    expect(existsSync(byInode())).toBe(true)
  })

  it('finishes what a killed process was about to save through another mount', async () => {
    const rows = Array.from({ length: 400 }, (_, id) => ({ id }))
    const meant = JSON.stringify({ items: rows }, null, 2)
    const rescue = join(mounts.folder, 'other', '.db.json.rescue')
    writeFileSync(rescue, meant)
    writeFileSync(target, JSON.stringify({ items: [...rows.slice(0, 300), { id: 7 }] }, null, 2))
    writeFileSync(byInode(), `${deadHolder()} token ${encodeURIComponent(other)}\n`)
    const held = await new DataLock(target).acquire()
    expect(readFileSync(target, 'utf8')).toBe(meant)
    expect(existsSync(rescue)).toBe(false)
    await held.release()
  })

  it.each([
    ['a link to a file of ours', () => symlinkSync(target, byInode()), 'is a symbolic link'],
    ['a folder', () => mkdirSync(byInode()), 'is a folder'],
  ])('is not fooled by %s in the folder for temporary files', async (_, put, why) => {
    put()
    await expect(new DataLock(target).acquire()).rejects.toThrow(why)
    expect(readFileSync(target, 'utf8')).toBe(DATA)
    expect(besideTarget()).toEqual(['db.json'])
  })

  it.each(['%', 'relative', ''])('is taken over where its note is %j', async (note) => {
    writeFileSync(byInode(), `${deadHolder()} token ${note}\n`)
    await (await new DataLock(target).acquire()).release()
    expect(readFileSync(target, 'utf8')).toBe(DATA)
  })

  // In Docker, with `--user 1234`, that is the ordinary case.
  it('is taken over, with its unfinished save, by a user without a name in the system', async () => {
    const [nobody, rescue] = [12_345, join(dirname(target), '.db.json.rescue')]
    writeFileSync(rescue, '{"counter":{"value":5}}')
    writeFileSync(target, '{"counter":')
    writeFileSync(byInode(), `${deadHolder()} token ${encodeURIComponent(target)}\n`)
    for (const path of [mounts.folder, dirname(target), rescue, target, byInode()])
      chownSync(path, nobody, nobody)
    expect(await new FileChild('increment-as', target, nobody).ended()).toBe(0)
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ counter: { value: 7 } })
    expect([existsSync(rescue), existsSync(byInode())]).toEqual([false, false])
  })

  it('does not wait for a named pipe in its place', async () => {
    execFileSync('mkfifo', [byInode()])
    await expect(new DataLock(target).acquire()).rejects.toThrow('is a named pipe')
    expect(existsSync(join(dirname(target), '.db.json.lock'))).toBe(false)
  })
})
