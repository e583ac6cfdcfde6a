import { randomBytes } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { linkNew, syncFolder, useFile } from './fs.ts'
import { processMark, processState } from './process-mark.ts'

/** How old a temp file must be to count as left over if its process cannot be found dead or alive, in milliseconds. */
const UNKNOWN_MAX_AGE = 60 * 60 * 1000

export function tempPath(target: string): string {
  return join(dirname(target), `.${basename(target)}.${processMark()}.${randomBytes(6).toString('hex')}.tmp`)
}

/** Another name of the file that a temporary one replaces, while several are replaced. */
export function keptPath(temp: string): string {
  return temp.replace(/tmp$/, 'old')
}

export async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target)
  const prefix = `.${basename(target)}.`
  for (const name of await readdir(folder).catch(() => [])) {
    const mark =
      name.startsWith(prefix) && /^(.+)\.[0-9a-f]{12}\.(?:tmp|old)$/.exec(name.slice(prefix.length))?.[1]
    if (mark && (await isLeftBehind(mark, join(folder, name)))) {
      await unlink(join(folder, name)).catch(() => undefined)
    }
  }
}

/** @param mark of the process that made it */
export async function isLeftBehind(mark: string, path: string): Promise<boolean> {
  const state = processState(mark)
  if (state !== 'unknown') return state === 'dead'
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
  return Date.now() - mtimeMs > UNKNOWN_MAX_AGE
}

export type Chunks = readonly Uint8Array[] | AsyncIterable<Uint8Array>

function isList(chunks: Chunks): chunks is readonly Uint8Array[] {
  return Array.isArray(chunks)
}

const WORTH_PARTS = 4_000_000

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** Creates a file and returns once it is on disk. @param original whose owner and mode it gets */
export async function writeTemp(temp: string, chunks: Chunks, original?: BigIntStats): Promise<BigIntStats> {
  const isLarge = isList(chunks) && byteLength(chunks) >= WORTH_PARTS
  // Private until it has the original's mode: the data may be confidential.
  const file = await open(temp, isLarge ? NEW_FILE | SYNC_WRITES : NEW_FILE, original ? 0o600 : 0o666)
  return await useFile(file, async () => {
    if (isList(chunks)) await writeChunks(file, chunks, isLarge ? PARTS : 1)
    else await writeFile(file, chunks)
    if (original) await copyOwnerAndMode(file, original)
    // The kernel's own times are milliseconds apart: an edit right after ours could get the same one.
    const now = new Date()
    await file.utimes(now, now)
    await file.sync()
    return await file.stat({ bigint: true })
  })
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

async function copyOwnerAndMode(file: FileHandle, { uid, gid, mode }: BigIntStats): Promise<void> {
  const ours = await file.stat({ bigint: true })
  if (ours.uid !== uid || ours.gid !== gid) {
    // Only root may change the owner; any user may set a group that it is in.
    await file
      .chown(Number(uid), Number(gid))
      .catch(() => file.chown(-1, Number(gid)))
      .catch(() => undefined)
  }
  await file.chmod(Number(mode & 0o7777n))
}

const CHUNKS_PER_CALL = 1024

/** For a large file: few enough to leave one of Node's four threads free. */
export const PARTS = 3

/** For a large file: a write returns once the disk has its bytes, and the next part is sent meanwhile. Not on Windows. */
const SYNC_WRITES: number = constants.O_DSYNC ?? 0

export async function writeChunks(file: FileHandle, chunks: readonly Uint8Array[], parts = 1): Promise<void> {
  const perPart = Math.min(CHUNKS_PER_CALL, Math.ceil(chunks.length / parts))
  let next = 0
  let position = 0
  const writeParts = async (): Promise<void> => {
    while (next < chunks.length) {
      const part = chunks.slice(next, next + perPart)
      const at = position
      next += part.length
      position += byteLength(part)
      await writeAt(file, at, part)
    }
  }
  const results = await Promise.allSettled(Array.from({ length: parts }, writeParts))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

export async function writeAt(file: FileHandle, start: number, chunks: readonly Uint8Array[]): Promise<void> {
  let position = start
  let left = chunks
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left, position)
    position += bytesWritten
    // The system rarely takes less than all of it.
    left = bytesWritten < byteLength(left) ? [Buffer.concat(left).subarray(bytesWritten)] : []
  }
}

function byteLength(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
}
