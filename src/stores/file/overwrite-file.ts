import { type BigIntStats, constants, realpathSync } from 'node:fs'
import { type FileHandle, lstat, open, rename, stat, unlink, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { formatOf } from '../formats/formats.ts'
import { decodeText } from '../formats/load.ts'
import { syncFolder, useFile } from './fs.ts'
import { type FileContents, readRegular, readRegularSync } from './regular-file.ts'
import { writeAt } from './temp-files.ts'

/** `copy`, a file with the new contents, is the rescue file until all is written. On failure, the old ones are restored. */
export async function overwriteFile(
  target: string,
  copy: string,
  beforeWrite?: () => Promise<void>,
): Promise<BigIntStats> {
  const { bytes } = await readRegular(copy, basename(copy))
  const rescue = rescuePath(target)
  await rename(copy, rescue)
  await syncFolder(dirname(rescue))
  let isWhole = true
  try {
    return await openToRefill(target, async (opened) => {
      await refuseOrphan(opened.file, target)
      await beforeWrite?.()
      const now = new Date()
      await utimes(rescue, now, now)
      isWhole = false
      const written = await refill(opened, bytes).catch(async (error) => {
        await restore(opened)
        isWhole = true
        throw error
      })
      isWhole = true
      return written
    })
  } finally {
    if (isWhole) await unlink(rescue).catch(() => undefined)
  }
}

export function rescuePath(target: string): string {
  return join(dirname(target), `.${basename(target)}.rescue`)
}

/** The content that a process was saving when it was killed while overwriting the file; usually undefined. */
export function readRescue(path: string, file: FileContents): Buffer | undefined {
  const copy = attempt(() => readRegularSync(rescuePath(realpathSync(path)), ''))
  return copy && isCutShort(path, file, copy) && isWhole(path, copy) ? copy.bytes : undefined
}

/** Finishes the save of a killed process, under the lock. Its copy is next to `by`, perhaps another mount of the file. */
export async function finishSave(target: string, by = target): Promise<void> {
  const rescue = rescuePath(by)
  if (!(await isTrusted(rescue, target))) return
  const copy = await readRegular(rescue, '')
  const file = await readRegular(target, '')
  if (isWhole(target, copy) && isCutShort(target, file, copy)) {
    await openToRefill(target, (opened) => refill(opened, copy.bytes))
  } else if (!isWhole(target, file)) return
  await unlink(rescue)
}

/** A mount keeps showing its original file even after that was replaced: what we write there would be lost. */
async function refuseOrphan(file: FileHandle, target: string): Promise<void> {
  const { nlink } = await file.stat({ bigint: true })
  if (nlink > 0n) return
  const fault = `${basename(target)} was replaced outside this mount, so anything written here would be lost`
  throw new StorageError('WRITE_FAILED', `${fault}. Mount its folder instead of the file, and restart.`)
}

/** The path may come from a lock file, which any process can write. */
async function isTrusted(rescue: string, target: string): Promise<boolean> {
  const copy = await lstat(rescue).catch(() => undefined)
  const file = await stat(target).catch(() => undefined)
  return copy?.isFile() === true && file !== undefined && [file.uid, process.geteuid?.()].includes(copy.uid)
}

/** An interrupted save has written at least this much of the file, or all of it. */
const PAGE = 4096
/** The copy is stamped right before the file is written. A file written much later was edited by a user. */
const MOMENT = 2_000_000_000n

/**
 * Whether the file was left by a process killed while overwriting it. Half new and half old, it may well be valid
 * JSON, with rows duplicated or missing: so we judge by its modification time, and by whether it starts like the copy.
 */
function isCutShort(path: string, file: FileContents, copy: FileContents): boolean {
  if (!isWhole(path, file)) return true
  const apart = file.stats.mtimeNs - copy.stats.mtimeNs
  const isOfThatMoment = -MOMENT < apart && apart < MOMENT
  return isOfThatMoment && file.bytes.subarray(0, PAGE).equals(copy.bytes.subarray(0, PAGE))
}

/** Other formats than JSON do not show whether a text is whole. */
function isWhole(path: string, { bytes }: FileContents): boolean {
  if ((formatOf(path) ?? 'json') !== 'json') return true
  const value: unknown = attempt(() => JSON.parse(decodeText(bytes, '')))
  return typeof value === 'object' && value !== null
}

export interface Refillable {
  readonly file: FileHandle
  readonly before: Buffer
  readonly stats: BigIntStats
}

const READ_AND_WRITE: number = constants.O_RDWR | (constants.O_NONBLOCK ?? 0)

export async function openToRefill<T>(target: string, work: (file: Refillable) => Promise<T>): Promise<T> {
  return await useFile(await open(target, READ_AND_WRITE), async (file) => {
    const stats = await file.stat({ bigint: true })
    return await work({ file, stats, before: await file.readFile() })
  })
}

/**
 * Overwrites a file in place, and returns once the disk has the new contents. It always holds the old or the new ones,
 * possibly followed by spaces: only a kill during the one call that writes them, or a machine that stops, leaves a mixture.
 */
export async function refill({ file, before, stats }: Refillable, contents: Buffer): Promise<BigIntStats> {
  const missing = contents.length - before.length
  // Reserve space first, so that the actual write cannot fail for lack of it.
  if (missing > 0) await writeAt(file, before.length, [Buffer.alloc(missing, ' ')])
  await writeAt(file, 0, [missing < 0 ? Buffer.concat([contents, Buffer.alloc(-missing, ' ')]) : contents])
  await file.sync()
  if (missing < 0) await file.truncate(contents.length)
  return await restamp(file, stats)
}

export async function restore({ file, before, stats }: Refillable): Promise<void> {
  await writeAt(file, 0, [before])
  await file.truncate(before.length)
  await file.sync()
  await restamp(file, stats)
}

/** The system sets the time when the write starts: a process that read half of the file then must see that it has changed since. */
async function restamp(file: FileHandle, before: BigIntStats): Promise<BigIntStats> {
  // In seconds, which the system keeps to the microsecond: adding two is at least one.
  const later = Number(before.mtimeNs / 1000n + 2n) / 1e6
  const time = Math.max(Date.now() / 1000, later)
  await file.utimes(time, time)
  return await file.stat({ bigint: true })
}
