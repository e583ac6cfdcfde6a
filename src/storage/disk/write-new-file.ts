import { constants, copyFile, link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, syncFolder } from './fs.ts'
import { removeLeftovers, tempPath } from './temp-files.ts'
import { writeChunks } from './write-chunks.ts'

/**
 * Writes a file that was not there before, all of it or nothing, under the first of the names that is free.
 * Returns that name once file and name are safely on disk.
 */
export async function writeNewFile(
  directory: string,
  chunks: readonly Uint8Array[],
  names: Iterable<string>,
): Promise<string> {
  const unnamed = join(directory, 'new')
  await removeLeftovers(unnamed)
  const temporary = tempPath(unnamed)
  try {
    await writeDurably(temporary, chunks)
    for (const name of names) {
      if (!(await place(temporary, join(directory, name)))) continue
      // It is whole and has its name; a file system that cannot say so for folders does not take that back.
      await syncFolder(directory).catch(() => undefined)
      return name
    }
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
  throw new Error('Every name is taken')
}

async function writeDurably(file: string, chunks: readonly Uint8Array[]): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await writeChunks(handle, chunks)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Unlike a rename, a link never replaces a file that is there already. */
async function place(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch((error: unknown) => {
      if (hasCode(error, 'EEXIST')) throw error
      // A file system without hard links: FAT, some network shares.
      return copyFile(from, to, constants.COPYFILE_EXCL)
    })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}
