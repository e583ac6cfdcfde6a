import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeChunks } from '../../src/storage/write-chunks.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restable-chunks-'))
})
afterEach(() => rm(folder, { recursive: true }))

const chunks = Array.from({ length: 1000 }, (_, n) => Buffer.from(`chunk ${n}\n`))

async function write(change: (file: Awaited<ReturnType<typeof open>>) => void = () => {}) {
  const path = join(folder, 'file')
  const file = await open(path, 'w')
  change(file)
  try {
    await writeChunks(file, chunks)
  } finally {
    await file.close()
  }
  return await readFile(path, 'utf8')
}

describe('writing many chunks', () => {
  it('puts them one after the other', async () => {
    expect(await write()).toBe(Buffer.concat(chunks).toString())
  })

  it('goes on with the rest where the system takes less than it was offered', async () => {
    const text = await write((file) => {
      const { writev } = file
      const takeFew = (offered: readonly Uint8Array[], position: number) =>
        Reflect.apply(writev, file, [offered.slice(0, 3), position])
      Object.assign(file, { writev: takeFew })
    })
    expect(text).toBe(Buffer.concat(chunks).toString())
  })

  it('sets the disk to work meanwhile, once at a time, and waits for it', async () => {
    let underWay = 0
    let most = 0
    let count = 0
    await write((file) => {
      const { datasync } = file
      file.datasync = async () => {
        count += 1
        underWay += 1
        most = Math.max(most, underWay)
        await Reflect.apply(datasync, file, [])
        underWay -= 1
      }
    })
    expect(count).toBeGreaterThan(0)
    expect([most, underWay]).toEqual([1, 0])
  })

  it('fails when the disk did, though all was handed over', async () => {
    const failing = write((file) => {
      file.datasync = () => Promise.reject(new Error('EIO'))
    })
    await expect(failing).rejects.toThrow('EIO')
  })

  it('waits for the disk before it fails', async () => {
    let isSynced = false
    const writing = write((file) => {
      const { writev } = file
      const calls = vi.fn()
      file.writev = async (...args: unknown[]) => {
        calls()
        if (calls.mock.calls.length > 1) throw new Error('ENOSPC')
        return Reflect.apply(writev, file, args)
      }
      file.datasync = async () => {
        await new Promise((resolve) => setTimeout(resolve, 10))
        isSynced = true
      }
    })
    await expect(writing).rejects.toThrow('ENOSPC')
    expect(isSynced).toBe(true)
  })
})
