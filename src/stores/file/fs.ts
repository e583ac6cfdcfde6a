import { type BigIntStats, constants, realpathSync } from 'node:fs'
import { copyFile, type FileHandle, link, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error) ?? '')
}

/** A `catch` handler that turns errors with these codes into undefined, and rethrows others. */
export function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error
  }
}

export const unlessMissing: (error: unknown) => undefined = unless('ENOENT')

/** Differs between two versions of a file, without reading them. */
export function versionOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs}`
}

/** Resolves all symbolic links, even if the target does not exist yet. */
export async function realPath(path: string): Promise<string> {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  const link = await readlink(path).catch(() => undefined)
  if (link !== undefined) return realPath(resolve(dirname(path), link))
  return join(await realpath(dirname(path)), basename(path))
}

/** Unlike a rename, a hard link never replaces an existing file. */
export async function linkNew(from: string, to: string): Promise<boolean> {
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

/** Makes a folder's entries durable: without it, a power cut may undo a finished rename. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows does this on its own, and cannot open folders.
  if (process.platform === 'win32') return
  const file = await open(folder, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function useFile<T>(file: FileHandle, work: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
