import { readFileSync, realpathSync } from 'node:fs'
import { access, readFile, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { decodeText, parseData } from './load.ts'
import type { Data } from './types.ts'

/** Where the whole new contents stand while a file is overwritten in place. */
export function rescuePath(target: string): string {
  return join(dirname(target), `.${basename(target)}.rescue`)
}

/** What a process meant to save when it was killed while overwriting the file; undefined as a rule. */
export function readRescue(path: string): Data | undefined {
  return attempt(() => readFileSync(rescuePath(realpathSync(path))))
}

/** Removes a rescue copy that is no longer needed, because the file itself is whole. */
export async function dropRescue(target: string): Promise<void> {
  const rescue = rescuePath(target)
  const isThere = await access(rescue).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  const bytes = await readFile(target).catch(() => undefined)
  if (bytes && attempt(() => bytes)) await unlink(rescue)
}

function attempt(read: () => Uint8Array): Data | undefined {
  try {
    return parseData(decodeText(read(), ''), '')
  } catch {
    return undefined
  }
}
