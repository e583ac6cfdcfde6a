import type { BigIntStats } from 'node:fs'
import { access, constants, type FileHandle, open, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, syncFolder, unless } from '../disk/fs.ts'
import { assertRegular, READ } from '../disk/regular-file.ts'
import { tempPath } from '../disk/temp-files.ts'
import { AS_YOU_GO, byteLength, PARTS, writeChunks } from '../disk/write-chunks.ts'
import { overwriteFile } from './overwrite-file.ts'

const IS_WINDOWS = process.platform === 'win32'
/** What renaming onto a file says when that file is a mount of its own, as Docker makes them. */
const UNMOVABLE = ['EBUSY', 'EXDEV', 'EPERM', ...(IS_WINDOWS ? ['EACCES'] : [])]

/** Asked when the file becomes another. What they throw is thrown. */
export interface Permission {
  /** Asked right before it; if this throws, the file stays as it was. */
  mayReplace(): Promise<void>
  /** Asked also, where it cannot be replaced. */
  mayOverwrite(): Promise<void>
  /** Told when the file is another, where we have the one before still open. May throw as well. */
  hasReplaced(old: FileHandle, written: BigIntStats): Promise<void>
}

/**
 * Puts new contents in the place of a file, whole or not at all, and returns once the disk has them: temp
 * file in the same folder, mode and owner of the original, fsync, rename, fsync of the folder. A failure
 * leaves the original as it was and no temp file.
 *
 * A file that is a mount of its own cannot be replaced and is overwritten in place. That is weaker: a reader
 * may meet half a file, and a crash may leave one (with the whole beside it, at `rescuePath`).
 */
export async function replaceFile(
  target: string,
  chunks: readonly Uint8Array[],
  { mayReplace, mayOverwrite, hasReplaced }: Permission,
): Promise<BigIntStats> {
  const original = await statIfThere(target)
  if (original) assertRegular(original, basename(target))
  // A rename does not mind that the file it replaces is read-only; its owner does.
  if (original) await access(target, constants.W_OK)
  const temp = tempPath(target)
  const old = original && (await hold(target))
  try {
    const written = await writeTemp(temp, chunks, original)
    await letOthersFinish(target)
    await mayReplace()
    if (!(await moveOver(temp, target, old))) {
      await mayOverwrite()
      return await overwriteFile(target, chunks, temp, mayReplace)
    }
    await syncFolder(dirname(target))
    if (old && isOpen(old)) await hasReplaced(old, written)
    return written
  } catch (error) {
    await unlink(temp).catch(() => undefined)
    throw error
  } finally {
    // Nobody has to wait until the room that it took is free.
    old?.close().catch(() => undefined)
  }
}

/**
 * A file that is open when another takes its place goes when it is closed: else the rename waits for that, twenty
 * times as long as it takes by itself. And who wrote into it in the last moment did not do it in vain.
 */
async function hold(target: string): Promise<FileHandle | undefined> {
  return IS_WINDOWS ? undefined : await open(target, READ).catch(() => undefined)
}

/** Less is handed over so soon that nothing is gained by doing it in parts. */
const WORTH_PARTS = 4_000_000

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

async function writeTemp(
  temp: string,
  chunks: readonly Uint8Array[],
  original: BigIntStats | undefined,
): Promise<BigIntStats> {
  const isLarge = byteLength(chunks) >= WORTH_PARTS
  // Closed to others until it has the original's mode: the data may be private.
  const file = await open(temp, isLarge ? NEW_FILE | AS_YOU_GO : NEW_FILE, original ? 0o600 : 0o666)
  try {
    await writeChunks(file, chunks, isLarge ? PARTS : 1)
    if (original) await dressAs(file, original)
    // The kernel stamps files with a clock that stands still for milliseconds, so an edit right after ours
    // could get our time and go unnoticed. A time that we choose is nobody else's.
    const now = new Date()
    await file.utimes(now, now)
    await file.sync()
    return await file.stat({ bigint: true })
  } finally {
    await file.close()
  }
}

async function dressAs(file: FileHandle, { uid, gid, mode }: BigIntStats): Promise<void> {
  const ours = await file.stat({ bigint: true })
  if (ours.uid !== uid || ours.gid !== gid) {
    // Only root may give a file away; others may still set the group, if it is one of theirs.
    await file
      .chown(Number(uid), Number(gid))
      .catch(() => file.chown(-1, Number(gid)))
      .catch(() => undefined)
  }
  await file.chmod(Number(mode & 0o7777n))
}

/**
 * Whoever renames a file onto ours that was just written, as editors do, is in the midst of that for as long as the disk
 * takes to write it, and nobody sees it before: he would come after the last look at the file and before our rename. To
 * look for a name that nobody has asked for yet has to wait for him.
 */
async function letOthersFinish(target: string): Promise<void> {
  await access(tempPath(target)).catch(() => undefined)
}

/** Not all file systems let a file take the place of one that is open. */
async function moveOver(temp: string, target: string, old: FileHandle | undefined): Promise<boolean> {
  if (old === undefined) return await moveOnto(temp, target)
  if (await moveOnto(temp, target).catch(() => false)) return true
  await old.close()
  return await moveOnto(temp, target)
}

function isOpen({ fd }: FileHandle): boolean {
  return fd >= 0
}

/** False when the target is there to stay. */
async function moveOnto(temp: string, target: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(temp, target)
      return true
    } catch (error) {
      if (!hasCode(error, ...UNMOVABLE)) throw error
      // On Windows a virus scanner or an editor that has the file open lets go of it in a moment.
      if (!IS_WINDOWS || tries === 6) return false
      await sleep(10 * 2 ** tries)
    }
  }
}

async function statIfThere(path: string): Promise<BigIntStats | undefined> {
  return await stat(path, { bigint: true }).catch(unless('ENOENT'))
}
