import fs, {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataLock } from '../../../src/storage/file/data-lock.ts'
import { processMark } from '../../../src/storage/file/process-mark.ts'
import { deadMark } from '../../support/child/dead-mark.ts'

let folder: string
let target: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restable-data-lock-'))
  target = join(folder, 'db.json')
  writeFileSync(target, '{"items":[]}')
})
afterEach(() => {
  rmSync(itself(), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

/** Where all meet who overwrite this file. */
function itself(): string {
  const { dev, ino } = statSync(target, { bigint: true })
  return join(tmpdir(), `restable-${dev}-${ino}.lock`)
}

describe('DataLock', () => {
  it('costs a replaceable file only the lock next to it', async () => {
    const held = await new DataLock().acquire(target)
    expect(existsSync(join(folder, '.db.json.lock'))).toBe(true)
    expect(existsSync(itself())).toBe(false)
    await held.release()
  })

  it('locks the file itself when asked, from then on with every lock, and leaves nothing', async () => {
    const lock = new DataLock()
    const first = await lock.acquire(target)
    await first.lockInode()
    await first.lockInode()
    expect(readFileSync(itself(), 'utf8')).toContain(processMark())
    await first.release()
    expect(existsSync(itself())).toBe(false)
    const second = await lock.acquire(target)
    expect(existsSync(itself())).toBe(true)
    expect(await second.isOurs()).toBe(true)
    await second.release()
    expect([existsSync(itself()), existsSync(join(folder, '.db.json.lock'))]).toEqual([false, false])
  })

  it('makes do with the lock next to it when the folder for temporary files is full', async () => {
    const { open } = fs.promises
    fs.promises.open = async (path, ...options) => {
      if (path === itself()) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      return open(path, ...options)
    }
    syncBuiltinESMExports()
    try {
      const held = await new DataLock().acquire(target)
      await held.lockInode()
      expect(await held.isOurs()).toBe(true)
      await held.release()
    } finally {
      fs.promises.open = open
      syncBuiltinESMExports()
    }
  })

  it.runIf(process.getuid?.() === 0)(
    'makes do with the lock next to it where a user who has nothing to do with the file has made that name his',
    async () => {
      writeFileSync(itself(), `${processMark()} token host\n`)
      chownSync(itself(), 65534, 65534)
      const held = await new DataLock().acquire(target)
      await held.lockInode()
      expect(await held.isOurs()).toBe(true)
      await held.release()
      expect(existsSync(itself())).toBe(true)
    },
  )

  it('finishes what a killed process was about to save through another mount', async () => {
    const other = join(folder, 'the other mount')
    mkdirSync(other)
    const by = join(other, 'db.json')
    const [dead, rows] = [deadMark(), Array.from({ length: 400 }, (_, id) => ({ id }))]
    const meant = JSON.stringify({ items: rows }, null, 2)
    writeFileSync(join(other, '.db.json.rescue'), meant)
    writeFileSync(target, JSON.stringify({ items: [...rows.slice(0, 300), { id: 7 }] }, null, 2))
    writeFileSync(itself(), `${dead} token host ${encodeURIComponent(by)}\n`)
    const held = await new DataLock().acquire(target)
    await held.lockInode()
    expect(readFileSync(target, 'utf8')).toBe(meant)
    expect(existsSync(join(other, '.db.json.rescue'))).toBe(false)
    await held.release()
  })

  it.each([
    ['a link to a file of ours', () => symlinkSync(target, itself()), 'is a symbolic link'],
    ['a folder', () => mkdirSync(itself()), 'is a folder'],
  ])(
    'is not fooled by %s in the folder for temporary files, and lets go of the other lock',
    async (_, put, why) => {
      put()
      const held = await new DataLock().acquire(target)
      await expect(held.lockInode()).rejects.toThrow(why)
      await held.release()
      expect(readFileSync(target, 'utf8')).toBe('{"items":[]}')
      expect(existsSync(join(folder, '.db.json.lock'))).toBe(false)
    },
  )

  it.each(['%', 'relative', ''])('takes over a lock whose note is %j', async (note) => {
    writeFileSync(itself(), `${deadMark()} token host ${note}\n`)
    const held = await new DataLock().acquire(target)
    await held.lockInode()
    await held.release()
    expect(readFileSync(target, 'utf8')).toBe('{"items":[]}')
  })
})
