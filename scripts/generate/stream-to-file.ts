import { access, constants, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { FileLock } from '../../src/stores/file/file-lock.ts'
import { hasCode, realPath, syncFolder } from '../../src/stores/file/fs.ts'
import { tempPath } from '../../src/stores/file/temp-files.ts'

/**
 * Replaces a file atomically: readers see the old or the new contents,
 * and if anything goes wrong, the old ones stay. The store's own function needs all bytes in memory; this
 * one writes a file of any size piece by piece.
 */
export async function streamToFile(path: string, chunks: Iterable<string>): Promise<void> {
  const target = await realPath(resolve(path))
  const mode = await modeOf(target)
  // Without the lock, so not under a name that a server cleans up.
  const temporary = tempPath(`${target}.generated`)
  try {
    await writeAll(temporary, chunks, mode)
    await moveOnto(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
}

async function writeAll(path: string, chunks: Iterable<string>, mode: number | undefined): Promise<void> {
  const handle = await open(path, 'wx')
  try {
    if (mode !== undefined) await handle.chmod(mode)
    for (const chunk of chunks) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Under the server's own lock, so that its saves and this one cannot interleave. */
async function moveOnto(temporary: string, target: string): Promise<void> {
  const lock = await new FileLock(join(dirname(target), `.${basename(target)}.lock`)).acquire()
  try {
    await rename(temporary, target)
  } finally {
    await lock.release()
  }
}

/** Mode of the file to replace, which must be writable; undefined if there is none. */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw new Error(`${path} is a folder. Name a file to overwrite`)
    await access(path, constants.W_OK)
    return found.mode & 0o777
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
