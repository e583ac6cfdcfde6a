import { realpathSync } from 'node:fs'
import { lstat, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openToRefill, refill } from '../disk/refill-file.ts'
import { type FileContents, readRegular, readRegularSync } from '../disk/regular-file.ts'
import { decodeText, parseData } from '../json/load.ts'
import type { Data } from '../types.ts'

/** Where the whole new contents stand while a file is overwritten in place. */
export function rescuePath(target: string): string {
  return join(dirname(target), `.${basename(target)}.rescue`)
}

/** What a process was about to save when it was killed while it overwrote the file; undefined as a rule. */
export function readRescue(path: string, file: FileContents): Data | undefined {
  const copy = attempt(() => readRegularSync(rescuePath(realpathSync(path)), ''))
  return copy && isCutShort(file, copy) ? dataIn(copy) : undefined
}

/**
 * Does what a killed process was about to do: overwrites the file, and removes the copy. That process may have reached
 * the file through another mount, `by`; then the copy stands beside that one. To be called under the file's lock.
 */
export async function finishSave(target: string, by = target): Promise<void> {
  const rescue = rescuePath(by)
  if (!(await isTrusted(rescue, target))) return
  const copy = await readRegular(rescue, '')
  const file = await readRegular(target, '')
  if (dataIn(copy) && isCutShort(file, copy)) {
    const found = await openToRefill(target)
    await refill(found, copy.bytes).finally(() => found.file.close())
  } else if (!dataIn(file)) return
  await unlink(rescue)
}

/**
 * Where the copy is, we may have been told by a lock file, which anybody can write. Who we are is asked by number: a
 * user of a container often has no name, and then `os.userInfo` throws.
 */
async function isTrusted(rescue: string, target: string): Promise<boolean> {
  const copy = await lstat(rescue).catch(() => undefined)
  const file = await stat(target).catch(() => undefined)
  return copy?.isFile() === true && file !== undefined && [file.uid, process.geteuid?.()].includes(copy.uid)
}

/** A save that was cut short has written at least so much of the file, or all of it. */
const PAGE = 4096
/** The copy is stamped right before the file is written. What was written long after it is somebody's own work. */
const MOMENT = 2_000_000_000n

/**
 * Whether the file is what a process left that was killed while overwriting it. Half new and half old it may well be
 * JSON, with rows in it twice, or gone: so it is told by when it was written, and that it begins as the copy does.
 */
function isCutShort(file: FileContents, copy: FileContents): boolean {
  if (!dataIn(file)) return true
  const apart = file.stats.mtimeNs - copy.stats.mtimeNs
  const isOfThatMoment = -MOMENT < apart && apart < MOMENT
  return isOfThatMoment && file.bytes.subarray(0, PAGE).equals(copy.bytes.subarray(0, PAGE))
}

function dataIn({ bytes }: FileContents): Data | undefined {
  return attempt(() => parseData(decodeText(bytes, ''), ''))
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
