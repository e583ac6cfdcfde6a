import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

const AT_ONCE = 1024

/** For a large file: few enough to leave one of Node's four threads free. */
export const PARTS = 3

/** For a large file: each call returns once the disk has its bytes, and the next part is handed over meanwhile. Not on Windows. */
export const AS_YOU_GO: number = constants.O_DSYNC ?? 0

/** Writes all chunks from the start of a file, many per call, off the event loop, in this many parallel parts. */
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

/** The system may write less than requested: the rest is tried again. */
function withoutFirst(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes
  return chunks.flatMap((chunk) => {
    const taken = Math.min(left, chunk.byteLength)
    left -= taken
    return taken < chunk.byteLength ? [chunk.subarray(taken)] : []
  })
}

export function byteLength(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
}
