import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { FileLock } from '../../../src/stores/file/file-lock.ts'
import { lockHolder } from '../../../src/stores/file/lock-holder.ts'
import { deadHolder } from '../../support/child/dead-holder.ts'
import { folderOf } from '../../support/folder.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = folderOf()
  path = join(folder, '.db.json.lock')
})

/** The lock of a process that ran here and ended. */
function deadLock(): string {
  return `${deadHolder()} someToken\n`
}

describe('FileLock', () => {
  it('is a file with our process in it while held, and leaves nothing', async () => {
    const held = await new FileLock(path).acquire()
    expect(readFileSync(path, 'utf8')).toContain(`${process.pid} `)
    expect(await held.isOurs()).toBe(true)
    await held.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is granted to one at a time', async () => {
    let inside = 0
    const visit = async () => {
      const held = await new FileLock(path).acquire()
      inside += 1
      await new Promise((resolve) => setTimeout(resolve, 1))
      const seen = inside
      inside -= 1
      await held.release()
      return seen
    }
    expect(await Promise.all(Array.from({ length: 20 }, visit))).toEqual(Array(20).fill(1))
  })

  it.each([
    ['a process that ended', () => deadLock()],
    ['an earlier process with our number', () => lockHolder().replace(/ \d+ /, ' 1 ').concat(' token\n')],
  ])('is taken over immediately from %s', async (_, text) => {
    writeFileSync(path, text())
    await (await new FileLock(path).acquire(200)).release()
    expect(existsSync(path)).toBe(false)
  })

  it.each([
    ['another machine', '1 1 elsewhere token\n'],
    ['a process that was killed before it wrote its name', ''],
    ['a lock file cut short', lockHolder().slice(0, -1)],
    ['somebody else altogether', 'no lock of ours\n'],
  ])('is taken over from %s only after a silence', async (_, text) => {
    writeFileSync(path, text)
    await expect(new FileLock(path, { staleAfter: 1000 }).acquire(60)).rejects.toThrow('Another process')
    expect(readFileSync(path, 'utf8')).toBe(text)
    await (await new FileLock(path, { staleAfter: 100 }).acquire()).release()
    expect(existsSync(path)).toBe(false)
  })

  it('measures silence in monotonic time, whatever the clock says', async () => {
    writeFileSync(path, '1 1 elsewhere token\n')
    utimesSync(path, new Date('2001-01-01'), new Date('2001-01-01'))
    await expect(new FileLock(path, { staleAfter: 1000 }).acquire(60)).rejects.toThrow('too long')
    utimesSync(path, new Date('2101-01-01'), new Date('2101-01-01'))
    await (await new FileLock(path, { staleAfter: 100 }).acquire()).release()
  })

  it('does not remove a lock that has become another’s', async () => {
    const held = await new FileLock(path, { staleAfter: 0 }).acquire()
    writeFileSync(path, '1 1 elsewhere token\n')
    expect(await held.isOurs()).toBe(false)
    await held.release()
    expect(existsSync(path)).toBe(true)
  })

  it('is freed later when its file could not be removed', async () => {
    const held = await new FileLock(path, { staleAfter: 0 }).acquire()
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    mkdirSync(path)
    await held.release()
    rmSync(path, { recursive: true })
    writeFileSync(path, text)
    await (await new FileLock(path).acquire(200)).release()
    expect(existsSync(path)).toBe(false)
  })

  it('takes over even if a process that was taking over was killed too', async () => {
    writeFileSync(path, deadLock())
    writeFileSync(`${path}.steal`, deadLock())
    await (await new FileLock(path).acquire(500)).release()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['a folder', () => mkdirSync(path)],
    ['a symbolic link', () => symlinkSync('nowhere', path)],
    ['a symbolic link', () => symlinkSync(path, path)],
  ])(
    'says that its name is taken by %s, without a wait, and goes on when that is gone',
    async (kind, put) => {
      put()
      const before = performance.now()
      await expect(new FileLock(path).acquire()).rejects.toMatchObject({
        code: 'WRITE_FAILED',
        message: `.db.json.lock is ${kind}. restable needs this name for its lock file: remove what is there.`,
      })
      expect(performance.now() - before).toBeLessThan(2000)
      rmSync(path, { recursive: true })
      await (await new FileLock(path).acquire()).release()
    },
  )

  // Root may read everything.
  it.runIf(process.getuid?.() === 0)('waits for one that it may not read as for any other', async () => {
    chmodSync(folder, 0o777)
    writeFileSync(path, `${lockHolder()} token\n`)
    chmodSync(path, 0)
    process.seteuid?.(65534)
    try {
      const waiting = new FileLock(path, { staleAfter: 5000 }).acquire(200)
      await expect(waiting).rejects.toThrow('Another process has held .db.json.lock for too long')
      await (await new FileLock(path, { staleAfter: 100 }).acquire()).release()
    } finally {
      process.seteuid?.(0)
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('gives up in time if the takeover lock is held too', async () => {
    writeFileSync(path, deadLock())
    writeFileSync(`${path}.steal`, '1 1 elsewhere token\n')
    const before = performance.now()
    await expect(new FileLock(path).acquire(300)).rejects.toThrow('too long')
    expect(performance.now() - before).toBeLessThan(3000)
  })

  it('fails with the system’s error code if no file can be created', async () => {
    await expect(new FileLock(join(folder, 'gone', 'lock')).acquire()).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  it('sends a heartbeat while it is held', { timeout: 10_000 }, async () => {
    const held = await new FileLock(path).acquire()
    const { mtimeMs } = statSync(path)
    await expect.poll(() => statSync(path).mtimeMs, { timeout: 5000 }).toBeGreaterThan(mtimeMs)
    await held.release()
  })
})
