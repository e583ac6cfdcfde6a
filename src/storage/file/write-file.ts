import { type BigIntStats, constants, existsSync, renameSync, rmSync } from 'node:fs'
import { access, copyFile, type FileHandle, open, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChangedOutside } from './file-store.ts'
import { hasCode, linkNew, syncFolder, unless, versionOf } from './fs.ts'
import { overwriteFile } from './overwrite-file.ts'
import { assertRegular, READ } from './regular-file.ts'
import { type NotedRename, removeNotes, writeNotes } from './rename-note.ts'
import { type Chunks, keptPath, tempPath, writeTemp } from './temp-files.ts'

const IS_WINDOWS = process.platform === 'win32'
/** Errors from renaming onto a bind-mounted file, as Docker creates them. */
const UNMOVABLE = ['EBUSY', 'EXDEV', 'EPERM', ...(IS_WINDOWS ? ['EACCES'] : [])]

/** An error of these leaves all files unchanged. */
export interface Replacement {
  readonly target: string
  /** Undefined to remove the file. */
  readonly chunks: Chunks | undefined
  /** Synchronous: nothing else in this process runs between it and the rename. */
  assertUnchanged?(): void
  beforeOverwrite?(): Promise<void>
  /** What another program wrote into the old file at the last moment. */
  readLateEdit?(old: FileHandle): Promise<Buffer | null>
  /** All replacements count as not made: remembers what was in the old file. @param edit what was read of it */
  takeBack?(old: FileHandle, written: BigIntStats, edit: Buffer | null): Promise<void>
}

/**
 * Replaces the contents of files, all or nothing, and returns once the disk has them. A bind-mounted file is overwritten
 * in place, which is weaker: a reader may see half a file, and a crash may leave one (the complete one is at `rescuePath`).
 */
export async function replaceFiles(
  replacements: readonly Replacement[],
  beforeReplace: () => Promise<void>,
): Promise<(BigIntStats | undefined)[]> {
  const staged: Staged[] = []
  const isSeveral = replacements.length > 1
  let notes: readonly string[] = []
  let isTakenBack = false
  try {
    for (const replacement of replacements) staged.push(await stage(replacement, isSeveral))
    await beforeReplace()
    if (isSeveral) notes = await writeNotes(staged)
    // The same wait as in `move`, but asynchronous: little is left to wait for there.
    for (const { target } of staged) await access(tempPath(target)).catch(() => undefined)
    if (!(await moveOver(staged))) {
      for (const file of staged) {
        const isRenamed = file.isMoved || (isSeveral && (await isMoved(() => move([file]))))
        if (!isRenamed) await overwrite(file, beforeReplace)
      }
    }
    for (const folder of new Set(staged.map(({ target }) => dirname(target)))) await syncFolder(folder)
    await removeNotes(notes)
    isTakenBack = await isEditedLate(staged)
    if (isTakenBack) throw new ChangedOutside()
    return staged.map(({ written }) => written)
  } catch (error) {
    await removeNotes(notes)
    for (const file of isTakenBack ? [] : staged) await putBack(file).catch(() => undefined)
    for (const { temp } of staged) await unlink(temp).catch(() => undefined)
    throw error
  } finally {
    for (const { temp } of isSeveral ? staged : []) await unlink(keptPath(temp)).catch(() => undefined)
    // Not awaited: freeing its disk space may take long.
    for (const { old } of staged) old?.close().catch(() => undefined)
  }
}

interface Staged extends Replacement, NotedRename {
  /** Open, the old file is freed by our close rather than by the rename, which would take twenty times as long. It also lets
   * us recover an edit written at the last moment. */
  readonly old: FileHandle | undefined
  written: BigIntStats | undefined
  isMoved: boolean
}

async function stage(replacement: Replacement, isKept: boolean): Promise<Staged> {
  const { target, chunks } = replacement
  const original = await stat(target, { bigint: true }).catch(unless('ENOENT'))
  if (original) assertRegular(original, basename(target))
  // A rename would replace even a read-only file.
  if (original) await access(target, constants.W_OK)
  const temp = tempPath(target)
  const old = original && !IS_WINDOWS ? await open(target, READ).catch(() => undefined) : undefined
  const version = original ? versionOf(original) : null
  const staged = { ...replacement, temp, old, version, isRemoval: chunks === undefined, isMoved: false }
  try {
    if (original && isKept) await linkNew(target, keptPath(temp))
    return { ...staged, written: chunks && (await writeTemp(temp, chunks, original)) }
  } catch (error) {
    for (const path of [temp, keptPath(temp)]) await unlink(path).catch(() => undefined)
    old?.close().catch(() => undefined)
    throw error
  }
}

/**
 * An editor that renames a freshly written file onto ours is invisible until the disk is done. Looking up a name that
 * is not cached yet waits for it. All synchronous: with awaits in between, one edit in fifty got lost.
 */
function move(staged: readonly Staged[]): void {
  for (const { target, isMoved, assertUnchanged } of staged) {
    if (isMoved) continue
    existsSync(tempPath(target))
    assertUnchanged?.()
  }
  for (const file of staged) {
    if (file.isMoved) continue
    if (file.chunks) renameSync(file.temp, file.target)
    else rmSync(file.target, { force: true })
    file.isMoved = true
  }
}

/** Not all file systems can replace an open file. */
async function moveOver(staged: readonly Staged[]): Promise<boolean> {
  if (staged.some(({ old }) => old) && (await isMoved(() => move(staged)).catch(() => false))) return true
  for (const { old, isMoved } of staged) if (!isMoved) await old?.close()
  return await isMoved(() => move(staged))
}

async function overwrite(file: Staged, beforeReplace: () => Promise<void>): Promise<void> {
  const { target, temp, assertUnchanged, beforeOverwrite } = file
  const kept = keptPath(temp)
  // In place, the second name of a file would change with it.
  if (await unlink(kept).then(() => true, unless('ENOENT'))) await copyFile(target, kept)
  await beforeOverwrite?.()
  file.written = await overwriteFile(target, temp, async () => {
    await beforeReplace()
    assertUnchanged?.()
  })
  file.isMoved = true
}

/** A file that was overwritten in place has no old one: what is there is what was written. */
async function isEditedLate(staged: readonly Staged[]): Promise<boolean> {
  const replaced = staged.flatMap((file) => (file.old && file.old.fd >= 0 ? { ...file, old: file.old } : []))
  const edits: (Buffer | null)[] = []
  for (const { old, readLateEdit } of replaced) edits.push((await readLateEdit?.(old)) ?? null)
  if (edits.every((edit) => edit === null)) return false
  for (const [at, { old, written, takeBack }] of replaced.entries()) {
    if (written) await takeBack?.(old, written, edits[at] ?? null)
  }
  return true
}

/** After some of several files were replaced, and another could not be. What somebody replaced since stays. */
async function putBack({ target, temp, version, written, isMoved }: Staged): Promise<void> {
  const stats = await stat(target, { bigint: true }).catch(unless('ENOENT'))
  if (!isMoved || (stats && versionOf(stats)) !== (written && versionOf(written))) return
  const kept = keptPath(temp)
  if (version === null) await unlink(target)
  else await rename(kept, target).catch(() => overwriteFile(target, kept))
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
