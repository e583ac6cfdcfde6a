import { readdir, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { customAlphabet } from 'nanoid'
import { processMark, whereabouts } from './process-mark.ts'

/** How old a temp file of a process we cannot see must be to count as left over. */
const AGE_OF_STRANGERS = 60 * 60 * 1000

/** Unguessable names. From a pool of random bytes: asking the system each time takes longer. */
const token = customAlphabet('0123456789abcdef', 12)

/** A new hidden path next to the file for its next version; includes the process that writes it. */
export function tempPath(target: string): string {
  return join(dirname(target), `.${basename(target)}.${processMark()}.${token()}.tmp`)
}

/** Removes unfinished versions that killed processes left behind; never those a live process may need. */
export async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target)
  const prefix = `.${basename(target)}.`
  for (const name of await readdir(folder).catch(() => [])) {
    const mark = name.startsWith(prefix) && /^(.+)\.[0-9a-f]{12}\.tmp$/.exec(name.slice(prefix.length))?.[1]
    if (mark && (await isLeftBehind(mark, join(folder, name)))) {
      await unlink(join(folder, name)).catch(() => undefined)
    }
  }
}

async function isLeftBehind(mark: string, path: string): Promise<boolean> {
  const state = whereabouts(mark)
  if (state !== 'unknown') return state === 'dead'
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
  return Date.now() - mtimeMs > AGE_OF_STRANGERS
}
