import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, lstat, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const LEFTOVER = /^\.new-[\w-]{36}\.tmp$/
const LEFTOVER_AGE_MS = 10 * 60_000

/**
 * Writes a file that was not there before, all of it or nothing, under the first of the names that is free.
 * Returns that name once file and name are safely on disk.
 */
export async function writeNewFile(
  directory: string,
  text: string,
  names: Iterable<string>,
): Promise<string> {
  await sweep(directory)
  const temporary = join(directory, `.new-${randomUUID()}.tmp`)
  try {
    await writeDurably(temporary, text)
    for (const name of names) {
      if (!(await place(temporary, join(directory, name)))) continue
      await syncDirectory(directory)
      return name
    }
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
  throw new Error('Every name is taken')
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Unlike a rename, a link never replaces a file that is there already. */
async function place(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch((error: unknown) => {
      if (isTaken(error)) throw error
      // A file system without hard links: FAT, some network shares.
      return copyFile(from, to, constants.COPYFILE_EXCL)
    })
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** The new name is safe only when the directory is. Windows cannot open one, and need not. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory).catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Removes what a killed process left half-written. */
async function sweep(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!LEFTOVER.test(name)) continue
    const file = join(directory, name)
    const found = await lstat(file).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > LEFTOVER_AGE_MS) await rm(file, { force: true })
  }
}
