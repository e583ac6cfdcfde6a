import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { linkNew, syncFolder } from './fs.ts'
import { removeLeftovers, tempPath, writeTemp } from './temp-files.ts'

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
    await writeTemp(temporary, chunks)
    for (const name of names) {
      if (!(await linkNew(temporary, join(directory, `${name}${ending}`)))) continue
      // The file is complete and in place; a file system that cannot sync folders does not change that.
      await syncFolder(directory).catch(() => undefined)
      return name
    }
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
  throw new Error('Every name is taken')
}
