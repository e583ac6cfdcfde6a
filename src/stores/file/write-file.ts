import {
  accessSync,
  type BigIntStats,
  constants,
  existsSync,
  fstatSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { access, copyFile, type FileHandle, open, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChangedOutside } from './file-store.ts'
import { hasCode, linkNew, syncFolder, unlessMissing, versionOf } from './fs.ts'
import { overwriteFile } from './overwrite-file.ts'
import { assertRegular, READ } from './regular-file.ts'
import { type Chunks, keptPath, tempPath, writeTemp } from './temp-files.ts'

const IS_WINDOWS = process.platform === 'win32'
/** Errors from renaming onto a bind-mounted file, as Docker creates them. */
const UNMOVABLE = ['EBUSY', 'EXDEV', 'EPERM', ...(IS_WINDOWS ? ['EACCES'] : [])]
const MOST_TRIES = IS_WINDOWS ? 6 : 1

/** An error of these leaves all files unchanged. */
export interface Replacement {
  readonly target: string
  /** Undefined to remove the file. */
  readonly chunks: Chunks | undefined
  /** The version that may be replaced, null for none; undefined for any. */
  readonly expected?: string | null | undefined
  /** Reads an edit that another program made in the old file at the last moment. */
  readLateEdit?(old: FileHandle): Promise<Buffer | null>
  /** Called if the save is rolled back. Keeps the old content as the known one. @param edit what was read of it */
  takeBack?(old: FileHandle, written: BigIntStats, edit: Buffer | undefined): Promise<void>
}

/**
 * Replaces the contents of files, each as a whole, and returns once the disk has them. A bind-mounted file is overwritten
 * in place, which is weaker: a reader may see half a file, and a crash may leave one (the complete one is at `rescuePath`).
 */
export async function replaceFiles(
  replacements: readonly Replacement[],
  beforeReplace: () => Promise<void>,
): Promise<readonly Replaced[]> {
  const staged: Staged[] = []
  const isSeveral = replacements.length > 1
  let isTakenBack = false
  try {
    for (const replacement of replacements) staged.push(await stage(replacement, isSeveral))
    await beforeReplace()
    // The same wait as in `move`, but asynchronous: little is left to wait for there.
    for (const { target } of staged) await access(tempPath(target)).catch(() => undefined)
    await moveAll(staged)
    for (const file of staged) if (!file.isMoved) await overwrite(file, beforeReplace)
    const folders = new Set<string>()
    for (const { target } of staged) folders.add(dirname(target))
    for (const folder of folders) await syncFolder(folder)
    isTakenBack = await takeBackEdited(staged)
    if (isTakenBack) throw new ChangedOutside()
    return staged
  } catch (error) {
    for (const file of isTakenBack ? [] : staged) await putBack(file).catch(() => undefined)
    for (const { temp } of staged) await unlink(temp).catch(() => undefined)
    throw error
  } finally {
    for (const { temp } of isSeveral ? staged : []) await unlink(keptPath(temp)).catch(() => undefined)
    // Not awaited: freeing its disk space may take long.
    for (const { old } of staged) old?.close().catch(() => undefined)
  }
}

export interface Replaced {
  /** Undefined if it was removed. */
  readonly written: BigIntStats | undefined
}

interface Staged extends Replacement {
  readonly temp: string
  /** Open, the old file is freed by our close rather than by the rename, which would take twenty times as long. It also lets
   * us recover an edit written at the last moment. */
  readonly old: FileHandle | undefined
  readonly hadFile: boolean
  written: BigIntStats | undefined
  isMoved: boolean
}

/** @param isKept whether the old file gets a second name, to be put back from */
async function stage(replacement: Replacement, isKept: boolean): Promise<Staged> {
  const { target, chunks } = replacement
  const original = statSync(target, { bigint: true, throwIfNoEntry: false })
  if (original) assertRegular(original, basename(target))
  // A rename would replace even a read-only file.
  if (original) accessSync(target, constants.W_OK)
  const temp = tempPath(target)
  const old = original && !IS_WINDOWS ? await open(target, READ).catch(() => undefined) : undefined
  try {
    if (original && isKept) await linkNew(target, keptPath(temp))
    const written = chunks && (await writeTemp(temp, chunks, original))
    return { ...replacement, temp, old, hadFile: original !== undefined, written, isMoved: false }
  } catch (error) {
    for (const path of [temp, keptPath(temp)]) await unlink(path).catch(() => undefined)
    old?.close().catch(() => undefined)
    throw error
  }
}

/** Leaves those alone that cannot be moved at all. */
async function moveAll(staged: readonly Staged[]): Promise<void> {
  // Not all file systems can replace an open file: if it fails, once more with all of them closed.
  for (let tries = 0; ; tries += 1) {
    const failure = move(staged)
    if (failure === undefined) return
    const isUnmovable = hasCode(failure, ...UNMOVABLE)
    if (tries > 0 && !isUnmovable) throw failure
    if (tries === MOST_TRIES) return
    for (const { old, isMoved } of staged) if (!isMoved) await old?.close()
    // On Windows, a virus scanner or editor may have the file open for a moment.
    if (tries > 0) await sleep(10 * 2 ** tries)
  }
}

/**
 * Returns why some were not moved. An editor that renames a freshly written file onto ours is invisible until the disk is done.
 * Looking up a name that is not cached yet waits for it. All synchronous: with awaits in between, one edit in fifty got lost.
 */
function move(staged: readonly Staged[]): unknown {
  let failure: unknown
  for (const file of staged) {
    if (file.isMoved) continue
    existsSync(tempPath(file.target))
    assertExpected(file)
  }
  for (const file of staged) {
    if (file.isMoved) continue
    try {
      if (file.chunks) renameSync(file.temp, file.target)
      else rmSync(file.target, { force: true })
      file.isMoved = true
    } catch (error) {
      if (!hasCode(error, ...UNMOVABLE)) return error
      failure = error
    }
  }
  return failure
}

/** Synchronous: nothing else in this process runs between it and what follows. */
export function assertExpected({ target, expected }: Pick<Replacement, 'target' | 'expected'>): void {
  if (expected === undefined) return
  const stats = statSync(target, { bigint: true, throwIfNoEntry: false })
  if ((stats ? versionOf(stats) : null) !== expected) throw new ChangedOutside()
}

async function overwrite(file: Staged, beforeReplace: () => Promise<void>): Promise<void> {
  const { target, temp } = file
  const kept = keptPath(temp)
  // In place, the second name of a file would change with it.
  if (await unlink(kept).then(() => true, unlessMissing)) await copyFile(target, kept)
  file.written = await overwriteFile(target, temp, async () => {
    await beforeReplace()
    assertExpected(file)
  })
  file.isMoved = true
}

/** A file that was overwritten in place has no old one: what is there is what was written. */
async function takeBackEdited(staged: readonly Staged[]): Promise<boolean> {
  const edits = new Map<Staged, Buffer>()
  for (const file of staged) {
    const { old, expected, readLateEdit } = file
    if (!old || old.fd < 0 || !readLateEdit) continue
    if (versionOf(fstatSync(old.fd, { bigint: true })) === expected) continue
    const edit = await readLateEdit(old)
    if (edit) edits.set(file, edit)
  }
  if (edits.size === 0) return false
  for (const file of staged) {
    const { old, written, takeBack } = file
    if (old && old.fd >= 0 && written) await takeBack?.(old, written, edits.get(file))
  }
  return true
}

/** After some of several files were replaced, and another could not be. What somebody replaced since stays. */
async function putBack({ target, temp, hadFile, written, isMoved }: Staged): Promise<void> {
  const stats = await stat(target, { bigint: true }).catch(unlessMissing)
  if (!isMoved || (stats && versionOf(stats)) !== (written && versionOf(written))) return
  const kept = keptPath(temp)
  if (!hadFile) await unlink(target)
  else await rename(kept, target).catch(() => overwriteFile(target, kept))
}
