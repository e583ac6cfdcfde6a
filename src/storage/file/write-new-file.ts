import { constants, copyFile, link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, syncFolder, useFile } from './fs.ts'
import { removeLeftovers, tempPath } from './temp-files.ts'
import { writeChunks } from './write-chunks.ts'

/** Creates a file, all or nothing, under the first free name. Returns that name once both file and name are on disk. */
export async function writeNewFile(
  directory: string,
  chunks: readonly Uint8Array[],
  names: Iterable<string>,
  ending: string,
): Promise<string> {
  const unnamed = join(directory, 'new')
  await removeLeftovers(unnamed)
  const temporary = tempPath(unnamed)
  try {
    await useFile(await open(temporary, 'wx'), async (file) => {
      await writeChunks(file, chunks)
      await file.sync()
    })
    for (const name of names) {
      if (!(await place(temporary, join(directory, `${name}${ending}`)))) continue
      // The file is complete and in place; a file system that cannot sync folders does not change that.
      await syncFolder(directory).catch(() => undefined)
      return name
    }
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
  throw new Error('Every name is taken')
}

/** Unlike a rename, a hard link never replaces an existing file. */
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
