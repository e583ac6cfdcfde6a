import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { FileLock } from '../../../src/stores/file/file-lock.ts'
import { deadHolder } from '../../support/child/dead-holder.ts'
import { FileChild } from '../../support/child/file-child.ts'
import { folderOf } from '../../support/folder.ts'

describe('a FileLock of several processes', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = folderOf()
    path = join(folder, '.db.json.lock')
  })
  const deadLock = () => `${deadHolder()} someToken\n`

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
