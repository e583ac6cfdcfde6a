import type { BigIntStats } from 'node:fs'
import { type FileHandle, open, readFile, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { rescuePath } from './rescue.ts'
import { syncFolder } from './sync-folder.ts'
import { writeChunks } from './write-chunks.ts'

/**
 * Writes new contents over a file that cannot be replaced. `copy` is a finished copy of them: it becomes the
 * rescue file, which stays if we are killed half-way. If the disk refuses, the old contents are put back.
 */
export async function overwriteFile(
  target: string,
  chunks: readonly Uint8Array[],
  copy: string,
): Promise<BigIntStats> {
  const rescue = rescuePath(target)
  await rename(copy, rescue)
  await syncFolder(dirname(rescue))
  let isWhole = true
  try {
    const before = await readFile(target)
    const file = await open(target, 'r+')
    try {
      isWhole = false
      await refill(file, chunks).catch(async (error) => {
        await refill(file, [before])
        isWhole = true
        throw error
      })
      isWhole = true
      return await file.stat({ bigint: true })
    } finally {
      await file.close()
    }
  } finally {
    if (isWhole) await unlink(rescue).catch(() => undefined)
  }
}

/** Emptied first, then written from the start: so half of it is never valid JSON and is told from the whole. */
async function refill(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  await file.truncate(0)
  await writeChunks(file, chunks)
  await file.sync()
}
