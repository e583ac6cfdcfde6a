import type { BigIntStats } from 'node:fs'
import { type FileHandle, rename, unlink, utimes } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { StorageError } from '../../errors.ts'
import { syncFolder, useFile } from '../disk/fs.ts'
import { openToRefill, putBack, refill } from '../disk/refill-file.ts'
import { rescuePath } from './rescue.ts'

/**
 * Overwrites a file that cannot be replaced. `copy`, a finished copy of the new contents, becomes the rescue file, which
 * stays if we are killed halfway. If the disk refuses, the old contents are restored. `mayWrite` may throw.
 */
export async function overwriteFile(
  target: string,
  chunks: readonly Uint8Array[],
  copy: string,
  mayWrite: () => Promise<void>,
): Promise<BigIntStats> {
  const rescue = rescuePath(target)
  await rename(copy, rescue)
  await syncFolder(dirname(rescue))
  let isWhole = true
  try {
    const found = await openToRefill(target)
    return await useFile(found.file, async () => {
      await refuseOrphan(found.file, target)
      await mayWrite()
      const now = new Date()
      await utimes(rescue, now, now)
      isWhole = false
      const written = await refill(found, Buffer.concat(chunks)).catch(async (error) => {
        await putBack(found)
        isWhole = true
        throw error
      })
      isWhole = true
      return written
    })
  } finally {
    if (isWhole) await unlink(rescue).catch(() => undefined)
  }
}

/** A mount keeps showing its original file even after that was replaced: nobody would ever find what we write there. */
async function refuseOrphan(file: FileHandle, target: string): Promise<void> {
  const { nlink } = await file.stat({ bigint: true })
  if (nlink > 0n) return
  const fault = `${basename(target)} was replaced outside this mount, so anything written here would be lost`
  throw new StorageError('WRITE_FAILED', `${fault}. Mount its folder instead of the file, and restart.`)
}
