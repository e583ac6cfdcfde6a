import { randomUUID } from 'node:crypto'
import { type BigIntStats, fchmodSync, fstatSync, futimesSync } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { linkNew, syncFolder } from './fs.ts'

/** In milliseconds without a write. */
const LEFT_BEHIND_AFTER = 60 * 60 * 1000

export function tempPath(target: string): string {
  return join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
}

/** Another name of the file that a temporary one replaces, while several are replaced. */
export function keptPath(temp: string): string {
  return temp.replace(/tmp$/, 'old')
}

/** Temporary files of killed processes. @param isLocked whether no live process can be using one; else, they must be old */
export async function removeLeftovers(target: string, isLocked = false): Promise<void> {
  const folder = dirname(target)
  const prefix = `.${basename(target)}.`
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix) || !/^[0-9a-f-]{36}\.(?:tmp|old)$/.test(name.slice(prefix.length))) continue
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (isLocked || (stats && Date.now() - stats.mtimeMs > LEFT_BEHIND_AFTER)) {
      await unlink(path).catch(() => undefined)
    }
  }
}

export type Chunks = readonly Uint8Array[] | AsyncIterable<Uint8Array>

/** Creates a file and returns once it is on disk. @param original whose owner and mode it gets */
export async function writeTemp(temp: string, chunks: Chunks, original?: BigIntStats): Promise<BigIntStats> {
  // Private until it has the original's mode: the data may be confidential.
  const file = await open(temp, 'wx', original ? 0o600 : 0o666)
  try {
    if (Symbol.asyncIterator in chunks) await writeFile(file, chunks)
    else await writeAt(file, 0, chunks)
    if (original) {
      const { uid, gid, mode } = original
      const ours = fstatSync(file.fd, { bigint: true })
      if (ours.uid !== uid || ours.gid !== gid) {
        // Only root may change the owner; any user may set a group that it is in.
        await file
          .chown(Number(uid), Number(gid))
          .catch(() => file.chown(-1, Number(gid)))
          .catch(() => undefined)
      }
      fchmodSync(file.fd, Number(mode & 0o7777n))
    }
    // The kernel's own times are milliseconds apart: an edit right after ours could get the same one.
    const now = new Date()
    futimesSync(file.fd, now, now)
    await file.sync()
    return fstatSync(file.fd, { bigint: true })
  } finally {
    await file.close()
  }
}

/** Creates a file, all or nothing, under the first free name. Returns that name once both file and name are on disk. */
export async function writeNewFile(
  directory: string,
  chunks: readonly Uint8Array[],
  names: Iterable<string>,
  ending: string,
): Promise<string> {
  const unnamed = join(directory, 'new')
  await removeLeftovers(unnamed)
  const temporary = tempPath(unnamed)
  try {
    await writeTemp(temporary, chunks)
    for (const name of names) {
      if (!(await linkNew(temporary, join(directory, `${name}${ending}`)))) continue
      // The file is complete and in place; a file system that cannot sync folders does not change that.
      await syncFolder(directory).catch(() => undefined)
      return name
    }
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
  throw new Error('Every name is taken')
}

export async function writeAt(file: FileHandle, start: number, chunks: readonly Uint8Array[]): Promise<void> {
  let size = 0
  for (const { byteLength } of chunks) size += byteLength
  let { bytesWritten } = await file.writev(chunks, start)
  // The system rarely takes less than all of it.
  const rest = bytesWritten < size ? Buffer.concat(chunks) : undefined
  while (rest && bytesWritten < size) {
    bytesWritten += (await file.write(rest, bytesWritten, null, start + bytesWritten)).bytesWritten
  }
}
