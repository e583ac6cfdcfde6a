import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../../src/core/engine/data/database.ts'
import type { Data } from '../../../src/core/engine/types.ts'
import { DataFiles } from '../../../src/stores/file/data-files.ts'
import { FileChild } from '../../support/child/file-child.ts'
import { folderOf } from '../../support/folder.ts'
import { asLong } from '../../support/length.ts'

const small = { posts: [{ id: 1 }] }
const pretty = '{\n  "posts": [\n    {\n      "id": 1\n    }\n  ]\n}'

let folder: string
let path: string
beforeEach(() => {
  folder = folderOf()
  path = join(folder, 'db.json')
  writeFileSync(path, '{"posts":[]}')
})

const save = (file: DataFiles, data: Data) => file.write(Database.of(data))
const contents = () => readFileSync(path, 'utf8')

describe('what killed processes leave', () => {
  it('is never half a file: many times killed in a storm of saves', { timeout: 60_000 }, async () => {
    for (let round = 0; round < asLong(8, 60); round += 1) {
      const child = new FileChild('storm', path)
      await child.firstWord()
      await sleep(Math.random() * 40)
      await child.kill()
      const saved = JSON.parse(contents()).counter.value
      expect(saved).toBeGreaterThanOrEqual(Number(child.lastLine()))
      const file = new DataFiles(path)
      await file.exclusive(() => save(file, { counter: { value: 0 } }))
      expect(readdirSync(folder)).toEqual(['db.json'])
    }
  })
})

describe('two processes on one file', () => {
  it('lose nothing of each other, one of them through a link', { timeout: 60_000 }, async () => {
    symlinkSync('db.json', join(folder, 'link.json'))
    const children = [
      new FileChild('increment', path, 200),
      new FileChild('increment', join(folder, 'link.json'), 200),
    ]
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0])
    expect(JSON.parse(contents())).toEqual({ counter: { value: 400 } })
  })
})

describe.runIf(canMount())('on a disk of its own', () => {
  let disk: string
  const mounted: string[] = []
  const mount = (...args: string[]) => {
    execFileSync('mount', args)
    mounted.push(args.at(-1) ?? '')
  }
  beforeEach(() => {
    disk = join(folder, 'disk')
    mkdirSync(disk)
    mount('-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk)
    path = join(disk, 'db.json')
    writeFileSync(path, pretty)
  })
  afterEach(() => {
    for (const point of mounted.splice(0).reverse()) execFileSync('umount', [point])
  })
  const big = (bytes: number) => ({ posts: [{ id: 1, text: 'x'.repeat(bytes) }] })

  it('leaves the file alone when the disk is full, and continues once there is room', async () => {
    const file = new DataFiles(path)
    await expect(file.exclusive(() => save(file, big(200_000)))).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(contents()).toBe(pretty)
    expect(readdirSync(disk)).toEqual(['db.json'])
    writeFileSync(join(disk, 'filler'), 'x'.repeat(124_000))
    await expect(file.exclusive(() => save(file, small))).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(readdirSync(disk).sort()).toEqual(['db.json', 'filler'])
    rmSync(join(disk, 'filler'))
    await file.exclusive(() => save(file, big(20)))
    expect(JSON.parse(contents())).toEqual(big(20))
  })

  it('fails as the system says when the disk is read-only', async () => {
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const file = new DataFiles(path)
    await expect(file.exclusive(() => save(file, small))).rejects.toMatchObject({ code: 'EROFS' })
    expect(new DataFiles(path).readSync()).toEqual(small)
  })

  it('overwrites a bind-mounted file, and restores it when the disk is full', async () => {
    const point = join(folder, 'db.json')
    mount('--bind', path, point)
    const file = new DataFiles(point)
    file.readSync()
    await file.exclusive(() => save(file, big(20)))
    expect(JSON.parse(contents())).toEqual(big(20))
    expect(await file.changedOutside()).toBe(false)
    await expect(file.exclusive(() => save(file, big(200_000)))).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(JSON.parse(contents())).toEqual(big(20))
    expect(readdirSync(folder).sort()).toEqual(['db.json', 'disk'])
  })
})

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const probe = folderOf()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe])
    return true
  } catch {
    return false
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}
