import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type StatsBase,
} from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { useFile, versionOf } from './fs.ts'

/** Does not wait for the writer of a named pipe, which might block one of Node's four threads for good. */
export const READ: number = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

export interface FileContents {
  readonly bytes: Buffer
  readonly stats: BigIntStats
}

/** Refuses a folder, a pipe or a device; `name` is for messages. */
async function openRegular(path: string, name: string): Promise<FileHandle> {
  const file = await open(path, READ).catch(async (error) => {
    assertRegular(await stat(path, { bigint: true }), name)
    throw error
  })
  try {
    assertRegular(await file.stat({ bigint: true }), name)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Refuses a file that changes meanwhile: the contents may be half old, half new. */
export async function readRegular(path: string, name: string): Promise<FileContents> {
  return await useFile(await openRegular(path, name), (file) => readOpen(file, name))
}

export async function readOpen(file: FileHandle, name: string): Promise<FileContents> {
  const stats = await file.stat({ bigint: true })
  const bytes = Buffer.alloc(Number(stats.size))
  let length = 0
  for (let more = 1; more > 0; length += more) {
    more = (await file.read(bytes, length, bytes.length - length, length)).bytesRead
  }
  await assertSame(file, stats, name)
  return { stats, bytes: bytes.subarray(0, length) }
}

async function assertSame(file: FileHandle, stats: BigIntStats, name: string): Promise<void> {
  if (versionOf(stats) === versionOf(await file.stat({ bigint: true }))) return
  throw new StorageError('INVALID_DATA', `${name} is being written by another program.`)
}

export function readRegularSync(path: string, name: string): FileContents {
  const file = openSync(path, READ)
  try {
    const stats = fstatSync(file, { bigint: true })
    assertRegular(stats, name)
    return { stats, bytes: readFileSync(file) }
  } finally {
    closeSync(file)
  }
}

export function assertRegular(stats: BigIntStats, name: string): void {
  if (stats.isFile()) return
  throw new StorageError('INVALID_DATA', `${name} is ${kindOf(stats)}. Put a file in its place.`)
}

export function kindOf(stats: StatsBase<unknown>): string {
  if (stats.isFile()) return 'a file'
  if (stats.isDirectory()) return 'a folder'
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** Delays between retries for a file that is missing or incomplete: editors save in more than one step. */
export const DELAYS_MS = [10, 30, 60, 120]

export async function retryRead<T>(read: (isLast: boolean) => Promise<T | null>): Promise<T | null> {
  for (const wait of DELAYS_MS) {
    const data = await read(false).catch(() => null)
    if (data) return data
    await sleep(wait)
  }
  return read(true)
}
