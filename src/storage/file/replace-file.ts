import { type BigIntStats, existsSync, renameSync } from 'node:fs'
import { access, constants, type FileHandle, open, readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, syncFolder, unless, useFile } from './fs.ts'
import { overwriteFile } from './overwrite-file.ts'
import { assertRegular, READ } from './regular-file.ts'
import { tempPath } from './temp-files.ts'
import { AS_YOU_GO, byteLength, PARTS, writeChunks } from './write-chunks.ts'

const IS_WINDOWS = process.platform === 'win32'
/** Errors from renaming onto a bind-mounted file, as Docker creates them. */
const UNMOVABLE = ['EBUSY', 'EXDEV', 'EPERM', ...(IS_WINDOWS ? ['EACCES'] : [])]

/** Called as the file is replaced. Errors are passed on; before that, the file stays unchanged. */
export interface Permission {
  mayReplace(): Promise<void>
  /** Called right before: nothing else of this process runs in between. */
  mustBeUnchanged?(): void
  mayOverwrite(): Promise<void>
  /** Called after the file was replaced, if the old one is still open. */
  hasReplaced(old: FileHandle, written: BigIntStats): Promise<void>
}

/**
 * Replaces the contents of a file, all or nothing, and returns once the disk has them. A bind-mounted file cannot be
 * replaced and is overwritten in place. That is weaker: a reader may see half a file, and a crash may leave one (with the
 * complete one next to it, at `rescuePath`).
 */
export async function replaceFile(
  target: string,
  chunks: Chunks,
  { mayReplace, mustBeUnchanged, mayOverwrite, hasReplaced }: Permission,
): Promise<BigIntStats> {
  const original = await stat(target, { bigint: true }).catch(unless('ENOENT'))
  if (original) assertRegular(original, basename(target))
  // A rename would replace a read-only file; its owner would object.
  if (original) await access(target, constants.W_OK)
  const temp = tempPath(target)
  // Kept open, the old file is freed when we close it: the rename would wait for that, twenty times as long as it takes
  // itself. It also lets us recover an edit written at the last moment.
  const old = original && !IS_WINDOWS ? await open(target, READ).catch(() => undefined) : undefined
  try {
    const written = await writeTemp(temp, chunks, original)
    await mayReplace()
    // Elsewhere, while others are served; below, there is hardly anybody to wait for.
    await access(tempPath(target)).catch(() => undefined)
    const move = () => {
      // An editor that renames a freshly written file onto ours is inside that call for as long as the disk takes, and
      // invisible until then. Looking up a name that is not cached yet waits for it. Synchronously, like the check and the
      // rename: between calls that are awaited, one edit in fifty that came during a save got lost.
      existsSync(tempPath(target))
      mustBeUnchanged?.()
      renameSync(temp, target)
    }
    if (!(await moveOver(move, old))) {
      await mayOverwrite()
      const mayWrite = async () => {
        await mayReplace()
        mustBeUnchanged?.()
      }
      return await overwriteFile(target, isList(chunks) ? chunks : [await readFile(temp)], temp, mayWrite)
    }
    await syncFolder(dirname(target))
    if (old && old.fd >= 0) await hasReplaced(old, written)
    return written
  } catch (error) {
    await unlink(temp).catch(() => undefined)
    throw error
  } finally {
    // Not awaited: nobody needs to wait until its disk space is freed.
    old?.close().catch(() => undefined)
  }
}

/** Below this, writing in parallel parts gains nothing. */
const WORTH_PARTS = 4_000_000

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

async function writeTemp(temp: string, chunks: Chunks, original?: BigIntStats): Promise<BigIntStats> {
  const isLarge = isList(chunks) && byteLength(chunks) >= WORTH_PARTS
  // Private until it has the original's mode: the data may be confidential.
  const file = await open(temp, isLarge ? NEW_FILE | AS_YOU_GO : NEW_FILE, original ? 0o600 : 0o666)
  return await useFile(file, async () => {
    if (isList(chunks)) await writeChunks(file, chunks, isLarge ? PARTS : 1)
    else await writeFile(file, chunks)
    if (original) await dressAs(file, original)
    // The kernel's own times are milliseconds apart: an edit right after ours could get the same one and go unnoticed.
    const now = new Date()
    await file.utimes(now, now)
    await file.sync()
    return await file.stat({ bigint: true })
  })
}

async function dressAs(file: FileHandle, { uid, gid, mode }: BigIntStats): Promise<void> {
  const ours = await file.stat({ bigint: true })
  if (ours.uid !== uid || ours.gid !== gid) {
    // Only root may change the owner; others may still set the group, if they are in it.
    await file
      .chown(Number(uid), Number(gid))
      .catch(() => file.chown(-1, Number(gid)))
      .catch(() => undefined)
  }
  await file.chmod(Number(mode & 0o7777n))
}

/** Not all file systems can replace an open file. */
async function moveOver(move: () => void, old: FileHandle | undefined): Promise<boolean> {
  if (old === undefined) return await isMoved(move)
  if (await isMoved(move).catch(() => false)) return true
  await old.close()
  return await isMoved(move)
}

/** False if the target cannot be replaced. */
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

type Chunks = readonly Uint8Array[] | AsyncIterable<Uint8Array>

function isList(chunks: Chunks): chunks is readonly Uint8Array[] {
  return Array.isArray(chunks)
}
