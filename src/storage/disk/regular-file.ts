import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { StorageError } from '../../errors.ts'
import { versionOf } from './fs.ts'

/**
 * To open a file with that is to be read. Nobody may ever answer at the other end of a named pipe, and to wait for it
 * would take one of Node's four threads for good.
 */
export const READ: number = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** A file with what was known about it when it was read. */
export interface FileContents {
  readonly bytes: Buffer
  readonly stats: BigIntStats
}

/** Opens a file to be read. What is no file (a folder, a pipe, a device) is refused, by the name that messages call it. */
async function openRegular(path: string, name: string): Promise<FileHandle> {
  const file = await open(path, READ).catch(async (error) => {
    // A socket cannot even be opened.
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

/** What a file holds. One that changes meanwhile is refused: half of it may be of before. */
export async function readRegular(path: string, name: string): Promise<FileContents> {
  const file = await openRegular(path, name)
  try {
    return await readOpen(file, name)
  } finally {
    await file.close()
  }
}

/** The same of a file that is open. */
export async function readOpen(file: FileHandle, name: string): Promise<FileContents> {
  const stats = await file.stat({ bigint: true })
  const bytes = Buffer.alloc(Number(stats.size))
  let length = 0
  for (let more = 1; more > 0; length += more) {
    more = (await file.read(bytes, length, bytes.length - length, length)).bytesRead
  }
  if (versionOf(stats) !== versionOf(await file.stat({ bigint: true }))) {
    throw new StorageError('INVALID_DATA', `${name} is being written by another program.`)
  }
  return { stats, bytes: bytes.subarray(0, length) }
}

/** The same, at once. */
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

/** Throws where there is something else than a file. */
export function assertRegular(stats: BigIntStats, name: string): void {
  const kind = kindOf(stats)
  if (kind !== 'a file') {
    throw new StorageError('INVALID_DATA', `${name} is ${kind}. Put a file in its place.`)
  }
}

/** What stands under a name, in words. */
export function kindOf(stats: BigIntStats | Stats): string {
  if (stats.isFile()) return 'a file'
  if (stats.isDirectory()) return 'a folder'
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}
