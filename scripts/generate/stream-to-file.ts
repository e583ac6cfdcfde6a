import { access, constants, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { FileLock } from '../../src/storage/disk/file-lock.ts'
import { hasCode, realPath, syncFolder } from '../../src/storage/disk/fs.ts'
import { tempPath } from '../../src/storage/disk/temp-files.ts'

/**
 * Puts new content in the place of a file in one step: whoever reads it meanwhile sees the old or the new,
 * and if anything goes wrong the old stays. The store's own way of doing this wants all bytes at once; this
 * one takes a file of any size a piece at a time.
 */
export async function streamToFile(path: string, chunks: Iterable<string>): Promise<void> {
  const target = await realPath(resolve(path))
  const mode = await modeOf(target)
  const temporary = tempPath(target)
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

/** A running server that is just saving must neither be overtaken nor overtake: it holds the same lock. */
async function moveOnto(temporary: string, target: string): Promise<void> {
  const lock = await new FileLock(join(dirname(target), `.${basename(target)}.lock`)).acquire()
  try {
    await rename(temporary, target)
  } finally {
    await lock.release()
  }
}

/** Permissions of the file to replace, which must be one that we may write; undefined when there is none. */
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
