import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/** The system takes no more than this with one call. */
const AT_ONCE = 1024

/** For a large file. So few that a thread for others is left: Node has four. */
export const PARTS = 3

/**
 * To open a large file with that is to be synced. Each call then returns when the disk has its bytes, and not before:
 * while it works on one part, the next is handed over. Windows has no such flag, and syncs at the end.
 */
export const AS_YOU_GO: number = constants.O_DSYNC ?? 0

/** Writes all chunks from the start of a file, many with one call, off the event loop, and so many parts at a time. */
export async function writeChunks(file: FileHandle, chunks: readonly Uint8Array[], parts = 1): Promise<void> {
  const perPart = Math.min(AT_ONCE, Math.ceil(chunks.length / parts))
  let next = 0
  let position = 0
  const writeOn = async (): Promise<void> => {
    while (next < chunks.length) {
      const part = chunks.slice(next, next + perPart)
      const at = position
      next += part.length
      position += byteLength(part)
      await writeAt(file, at, part)
    }
  }
  const results = await Promise.allSettled(Array.from({ length: parts }, writeOn))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function writeAt(file: FileHandle, start: number, chunks: readonly Uint8Array[]): Promise<void> {
  let position = start
  let left = chunks
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left, position)
    position += bytesWritten
    left = withoutFirst(left, bytesWritten)
  }
}

/** The system may take less than it was offered: what it left is offered again. */
function withoutFirst(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let index = 0
  let taken = bytes
  for (const chunk of chunks) {
    if (taken < chunk.byteLength) break
    taken -= chunk.byteLength
    index += 1
  }
  const [first, ...rest] = chunks.slice(index)
  return first === undefined ? [] : [first.subarray(taken), ...rest]
}

/** How many bytes all chunks have together. */
export function byteLength(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
}
