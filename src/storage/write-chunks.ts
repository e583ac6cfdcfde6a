import type { FileHandle } from 'node:fs/promises'

const AT_ONCE = 128

/**
 * Writes all chunks from the start of a file, many with one call, off the event loop. While more is handed over, the
 * disk is set to work on what is there: who syncs the file afterwards waits for the rest only.
 */
export async function writeChunks(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  const disk = new EarlySync(file)
  let position = 0
  try {
    for (let next = 0; next < chunks.length; next += AT_ONCE) {
      if (next > 0) disk.start()
      let left = chunks.slice(next, next + AT_ONCE)
      while (left.length > 0) {
        const { bytesWritten } = await file.writev(left, position)
        position += bytesWritten
        left = withoutFirst(left, bytesWritten)
      }
    }
  } finally {
    await disk.ended()
  }
  disk.check()
}

/** Syncs while others write, one sync at a time: the threads for it are few, and others need them too. */
class EarlySync {
  readonly #file: FileHandle
  readonly #failures: unknown[] = []
  #pending: Promise<void> | undefined

  constructor(file: FileHandle) {
    this.#file = file
  }

  start(): void {
    this.#pending ??= this.#file
      .datasync()
      .catch((failure: unknown) => void this.#failures.push(failure))
      .finally(() => {
        this.#pending = undefined
      })
  }

  async ended(): Promise<void> {
    await this.#pending
  }

  /** The system tells of a failure once: who asks again hears that all is well. */
  check(): void {
    if (this.#failures.length > 0) throw this.#failures[0]
  }
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
