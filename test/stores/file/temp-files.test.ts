import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeAt } from '../../../src/stores/file/temp-files.ts'
import { folderOf } from '../../support/folder.ts'

let folder: string
beforeEach(() => {
  folder = folderOf()
})

type File = Awaited<ReturnType<typeof open>>

function chunksOf(count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, n) => Buffer.from(`chunk ${n}\n`))
}

describe('writing many chunks', () => {
  async function write(chunks: readonly Uint8Array[], change: (file: File) => void = () => {}) {
    const path = join(folder, 'file')
    const file = await open(path, 'w')
    change(file)
    try {
      await writeAt(file, 0, chunks)
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
})
