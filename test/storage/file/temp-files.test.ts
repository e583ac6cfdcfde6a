import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PARTS, writeChunks } from '../../../src/storage/file/temp-files.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restable-chunks-'))
})
afterEach(() => rm(folder, { recursive: true }))

type File = Awaited<ReturnType<typeof open>>

function chunksOf(count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, n) => Buffer.from(`chunk ${n}\n`))
}

describe.each([
  ['one after the other', 1],
  ['several at a time', PARTS],
])('writing many chunks, %s', (_, parts) => {
  async function write(chunks: readonly Uint8Array[], change: (file: File) => void = () => {}) {
    const path = join(folder, 'file')
    const file = await open(path, 'w')
    change(file)
    try {
      await writeChunks(file, chunks, parts)
    } finally {
      await file.close()
    }
    return await readFile(path, 'utf8')
  }

  it.each([0, 1, 2, 5, 1000, 5000])('puts all %d where they belong', async (count) => {
    const chunks = chunksOf(count)
    expect(await write(chunks)).toBe(Buffer.concat(chunks).toString())
  })

  it('continues with the rest if the system writes less than requested', async () => {
    const chunks = chunksOf(1000)
    const text = await write(chunks, (file) => {
      const { writev } = file
      const takeFew = (offered: readonly Uint8Array[], position: number) =>
        Reflect.apply(writev, file, [
          [...offered.slice(0, 2), offered[2]?.subarray(0, 4) ?? Buffer.alloc(0)],
          position,
        ])
      Object.assign(file, { writev: takeFew })
    })
    expect(text).toBe(Buffer.concat(chunks).toString())
  })

  it('fails if one call does, but not before the others have returned', async () => {
    let underWay = 0
    let calls = 0
    const writing = write(chunksOf(5000), (file) => {
      const { writev } = file
      file.writev = async (...args: unknown[]) => {
        calls += 1
        if (calls === 2) throw new Error('ENOSPC')
        underWay += 1
        const result = await Reflect.apply(writev, file, args)
        underWay -= 1
        return result
      }
    })
    await expect(writing).rejects.toThrow('ENOSPC')
    expect(underWay).toBe(0)
  })
})
