import { type BigIntStats, constants, existsSync, renameSync } from 'node:fs'
import { access, copyFile, type FileHandle, link, open, readFile, rm, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, syncFolder, unless } from './fs.ts'
import { overwriteFile } from './overwrite-file.ts'
import { assertRegular, READ } from './regular-file.ts'
import { type Chunks, isList, removeLeftovers, tempPath, writeTemp } from './temp-files.ts'

const IS_WINDOWS = process.platform === 'win32'
/** Errors from renaming onto a bind-mounted file, as Docker creates them. */
const UNMOVABLE = ['EBUSY', 'EXDEV', 'EPERM', ...(IS_WINDOWS ? ['EACCES'] : [])]

/** An error of any of these is passed on; from all but the last, it leaves the file unchanged. */
export interface ReplaceHooks {
  beforeReplace(): Promise<void>
  /** Synchronous: nothing else in this process runs between it and the rename. */
  assertUnchanged?(): void
  beforeOverwrite(): Promise<void>
  afterReplace(old: FileHandle, written: BigIntStats): Promise<void>
}

/**
 * Replaces the contents of a file, all or nothing, and returns once the disk has them. A bind-mounted file is overwritten
 * in place, which is weaker: a reader may see half a file, and a crash may leave one (the complete one is at `rescuePath`).
 */
export async function replaceFile(
  target: string,
  chunks: Chunks,
  { beforeReplace, assertUnchanged, beforeOverwrite, afterReplace }: ReplaceHooks,
): Promise<BigIntStats> {
  const original = await stat(target, { bigint: true }).catch(unless('ENOENT'))
  if (original) assertRegular(original, basename(target))
  // A rename would replace even a read-only file.
  if (original) await access(target, constants.W_OK)
  const temp = tempPath(target)
  // Open, the old file is freed by our close rather than by the rename, which would take twenty times as long. It also
  // lets us recover an edit written at the last moment.
  const old = original && !IS_WINDOWS ? await open(target, READ).catch(() => undefined) : undefined
  try {
    const written = await writeTemp(temp, chunks, original)
    await beforeReplace()
    // The same wait as in `move`, but asynchronous: little is left to wait for there.
    await access(tempPath(target)).catch(() => undefined)
    const move = () => {
      // An editor that renames a freshly written file onto ours is invisible until the disk is done. Looking up a name that
      // is not cached yet waits for it. All synchronous: with awaits in between, one edit in fifty got lost.
      existsSync(tempPath(target))
      assertUnchanged?.()
      renameSync(temp, target)
    }
    if (!(await moveOver(move, old))) {
      await beforeOverwrite()
      const beforeWrite = async () => {
        await beforeReplace()
        assertUnchanged?.()
      }
      return await overwriteFile(target, isList(chunks) ? chunks : [await readFile(temp)], temp, beforeWrite)
    }
    await syncFolder(dirname(target))
    if (old && old.fd >= 0) await afterReplace(old, written)
    return written
  } catch (error) {
    await unlink(temp).catch(() => undefined)
    throw error
  } finally {
    // Not awaited: freeing its disk space may take long.
    old?.close().catch(() => undefined)
  }
}

/** Not all file systems can replace an open file. */
async function moveOver(move: () => void, old: FileHandle | undefined): Promise<boolean> {
  if (old === undefined) return await isMoved(move)
  if (await isMoved(move).catch(() => false)) return true
  await old.close()
  return await isMoved(move)
}

async function isMoved(move: () => void): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      move()
      return true
    } catch (error) {
      if (!hasCode(error, ...UNMOVABLE)) throw error
      // On Windows, a virus scanner or editor may have the file open for a moment.
      if (!IS_WINDOWS || tries === 6) return false
      await sleep(10 * 2 ** tries)
    }
  }
}

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

/** Unlike a rename, a hard link never replaces an existing file. */
async function linkNew(from: string, to: string): Promise<boolean> {
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
