import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { hasCode } from './system-error.ts'

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
