import { realpathSync } from 'node:fs'
import { lstat, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { attempt } from '../disk/fs.ts'
import { openToRefill, refill } from '../disk/refill-file.ts'
import { type FileContents, readRegular, readRegularSync } from '../disk/regular-file.ts'
import { decodeText, parseData } from '../json/load.ts'
import type { Data } from '../types.ts'

/** Where the complete new contents are kept while a file is overwritten in place. */
export function rescuePath(target: string): string {
  return join(dirname(target), `.${basename(target)}.rescue`)
}

/** What a process was saving when it was killed while overwriting the file; usually undefined. */
export function readRescue(path: string, file: FileContents): Data | undefined {
  const copy = attempt(() => readRegularSync(rescuePath(realpathSync(path)), ''))
  return copy && isCutShort(file, copy) ? dataIn(copy) : undefined
}

/**
 * Finishes the save of a killed process, under the file's lock. That process may have reached the file through another
 * mount, `by`; then the copy is next to that one.
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

/** The path may come from a lock file, which anyone can write. By numeric ids: a container's user often has no name. */
async function isTrusted(rescue: string, target: string): Promise<boolean> {
  const copy = await lstat(rescue).catch(() => undefined)
  const file = await stat(target).catch(() => undefined)
  return copy?.isFile() === true && file !== undefined && [file.uid, process.geteuid?.()].includes(copy.uid)
}

/** An interrupted save has written at least this much of the file, or all of it. */
const PAGE = 4096
/** The copy is stamped right before the file is written. A file written much later is somebody's own edit. */
const MOMENT = 2_000_000_000n

/**
 * Whether the file was left by a process killed while overwriting it. Half new and half old, it may well be valid
 * JSON, with rows duplicated or missing: so we judge by its modification time, and by whether it starts like the copy.
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
