import type { BigIntStats } from 'node:fs'
import { open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** The system's name for a failure, such as `ENOENT`; undefined when the system had no part in it. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** Whether a failure is one of these, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error) ?? '')
}

/** Takes what a promise was rejected with, and turns the failures that were expected into undefined. */
export function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error
  }
}

/** Which inode, how long, written when. Tells two versions of a file apart without reading them. */
export function versionOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs}`
}

/** Where a path leads through all symbolic links, even if nothing is there yet. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  const link = await readlink(path).catch(() => undefined)
  if (link !== undefined) return realPath(resolve(dirname(path), link))
  return join(await realpath(dirname(path)), basename(path))
}

/** Makes the names in a folder safe against a power cut: without it a finished rename may still be undone. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows keeps names safe by itself, and opens no folders.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
