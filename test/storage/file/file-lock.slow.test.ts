import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataLock } from '../../../src/storage/file/data-lock.ts'
import { FileLock } from '../../../src/storage/file/file-lock.ts'
import { deadMark } from '../../support/child/dead-mark.ts'
import { FileChild } from '../../support/child/file-child.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restable-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a FileLock of several processes', () => {
  let path: string
  beforeEach(() => {
    path = join(folder, '.db.json.lock')
  })
  const deadLock = () => `${deadMark()} someToken somehost\n`

  it('gives up on a live holder in time, naming it but no folder', async () => {
    const child = new FileChild('hold', path)
    await child.firstWord()
    const waiting = new FileLock(path, { staleAfter: 20 }).acquire(120)
    await expect(waiting).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      message: expect.stringContaining(`Process ${child.process.pid} has held .db.json.lock for too long`),
    })
    await expect(waiting).rejects.not.toThrow(folder)
    await child.kill()
  })

  it('is taken over immediately from a killed process', async () => {
    const child = new FileChild('hold', path)
    await child.firstWord()
    const waiting = new FileLock(path).acquire()
    await child.kill()
    const before = performance.now()
    await (await waiting).release()
    expect(performance.now() - before).toBeLessThan(1000)
    expect(readdirSync(folder)).toEqual([])
  })

  it('never has two holders when several processes repeatedly find a stale lock', async () => {
    const rounds = 30
    const children = Array.from({ length: 3 }, () => new FileChild('contend', path, rounds))
    await Promise.all(children.map((child) => child.firstWord()))
    writeFileSync(path, deadLock())
    for (const child of children) child.start()
    // A holder that dies inside, over and over, while the others come and go.
    const stale = deadLock()
    const again = setInterval(() => {
      try {
        writeFileSync(path, stale, { flag: 'wx' })
      } catch {
        // Held by a living process just now.
      }
    }, 1)
    const codes = await Promise.all(children.map((child) => child.ended()))
    clearInterval(again)
    expect(codes).toEqual([0, 0, 0])
    expect(existsSync(`${path}.overlap`)).toBe(false)
  })
})

describe('a DataLock', () => {
  let target: string
  beforeEach(() => {
    target = join(folder, 'db.json')
    writeFileSync(target, '{"items":[]}')
  })
  afterEach(() => rmSync(itself(), { recursive: true, force: true }))

  /** Where all meet who overwrite this file. */
  function itself(): string {
    const { dev, ino } = statSync(target, { bigint: true })
    return join(tmpdir(), `restable-${dev}-${ino}.lock`)
  }

  // Only root can become somebody else. In Docker, with `--user 1234`, that is the ordinary case.
  it.runIf(process.getuid?.() === 0)(
    'is taken over, with its unfinished save, by a user without a name in the system',
    async () => {
      const [nobody, rescue] = [12_345, join(folder, '.db.json.rescue')]
      writeFileSync(rescue, '{"counter":{"value":5}}')
      writeFileSync(target, '{"counter":')
      writeFileSync(itself(), `${deadMark()} token host ${encodeURIComponent(target)}\n`)
      for (const path of [folder, rescue, target, itself()]) chownSync(path, nobody, nobody)
      const stale = itself()
      expect(await new FileChild('increment-as', target, nobody).ended()).toBe(0)
      expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ counter: { value: 7 } })
      expect([existsSync(rescue), existsSync(stale)]).toEqual([false, false])
    },
  )

  it.runIf(process.platform !== 'win32')('does not wait for a named pipe in its place', async () => {
    execFileSync('mkfifo', [itself()])
    const held = await new DataLock().acquire(target)
    await expect(held.lockInode()).rejects.toThrow('is a named pipe')
    await held.release()
    expect(existsSync(join(folder, '.db.json.lock'))).toBe(false)
  })
})
