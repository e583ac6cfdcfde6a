import type { FileHandle } from 'node:fs/promises'

const AT_ONCE = 128

/**
 * Writes all chunks from the start of a file, many with one call, off the event loop. While more is handed over, the
 * disk is set to work on what is there: who syncs the file afterwards waits for the rest only.
 */
export async function writeChunks(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  const onTheirWay: Promise<void>[] = []
  let position = 0
  for (let next = 0; next < chunks.length; next += AT_ONCE) {
    if (next > 0) onTheirWay.push(startSync(file))
    let left = chunks.slice(next, next + AT_ONCE)
    while (left.length > 0) {
      const { bytesWritten } = await file.writev(left, position)
      position += bytesWritten
      left = withoutFirst(left, bytesWritten)
    }
  }
  await Promise.all(onTheirWay)
}

function startSync(file: FileHandle): Promise<void> {
  const sync = file.datasync()
  // Its failure is heard of at the end, or not at all where the writing fails first.
  sync.catch(() => {})
  return sync
}

/** The system may take less than it was offered: what it left is offered again. */
function withoutFirst(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
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
