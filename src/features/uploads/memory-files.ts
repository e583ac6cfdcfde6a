import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { HEAD_BYTES } from './file-type.ts'
import type { FoundFile, KeptFiles, Received } from './kept-files.ts'

export const MOST_IN_MEMORY = 256 * 1024 * 1024

/** Memory that all files of a server share. */
export class FileMemory {
  used = 0

  take(bytes: number): void {
    if (this.used + bytes > MOST_IN_MEMORY) {
      const message =
        'Files in memory would take more than 256 MB. Nothing was changed: delete some, or end sessions.'
      throw new StorageError('WRITE_FAILED', message)
    }
    this.used += bytes
  }
}

interface Held {
  readonly chunks: readonly Uint8Array[]
  readonly size: number
}

/** Files of data that is not saved: of sessions, and of servers that write nothing. */
export class MemoryFiles implements KeptFiles {
  readonly #memory: FileMemory
  readonly #files = new Map<string, Held>()
  readonly #left = new Set<string>()

  constructor(memory: FileMemory) {
    this.#memory = memory
  }

  receive(): Received {
    const finished = new Map<string, Held>()
    let taken = 0
    const drop = async () => {
      this.#memory.used -= taken
      taken = 0
    }
    return {
      begin: async () => {
        const chunks: Uint8Array[] = []
        let size = 0
        return {
          write: async (chunk) => {
            this.#memory.take(chunk.byteLength)
            taken += chunk.byteLength
            size += chunk.byteLength
            // A piece of a larger block would keep all of it.
            chunks.push(Uint8Array.from(chunk))
          },
          finish: async (hash) => void finished.set(hash, { chunks, size }),
        }
      },
      flush: async () => {},
      keep: async () => {
        for (const [hash, held] of finished) {
          if (this.#files.has(hash)) continue
          this.#files.set(hash, held)
          taken -= held.size
        }
        await drop()
      },
      drop,
    }
  }

  async find(hash: string): Promise<FoundFile | undefined> {
    const held = this.#files.get(hash)
    return (
      held && {
        size: held.size,
        head: async () => firstBytes(held.chunks),
        read: (start, end) => sliced(held.chunks, start, end),
        close: async () => {},
      }
    )
  }

  async markLeft(hashes: ReadonlySet<string>): Promise<void> {
    for (const hash of hashes) if (this.#files.has(hash)) this.#left.add(hash)
  }

  async left(): Promise<ReadonlySet<string>> {
    return new Set(this.#left)
  }

  async settle(
    left: ReadonlySet<string>,
    going: ReadonlySet<string>,
    isNamed: (hash: string) => boolean,
  ): Promise<void> {
    for (const hash of left) {
      if (going.has(hash)) {
        if (isNamed(hash)) continue
        this.#remove(hash)
      }
      this.#left.delete(hash)
    }
  }

  async isAlone(): Promise<boolean> {
    return true
  }

  close(): void {
    for (const hash of this.#files.keys()) this.#remove(hash)
  }

  #remove(hash: string): void {
    this.#memory.used -= this.#files.get(hash)?.size ?? 0
    this.#files.delete(hash)
  }
}

async function* sliced(
  chunks: readonly Uint8Array[],
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void> {
  let at = 0
  for (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += chunk.byteLength
    if (part.byteLength > 0) yield part
    if (at >= end) return
  }
}

function firstBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const first: Uint8Array[] = []
  let size = 0
  for (const chunk of chunks) {
    if (size >= HEAD_BYTES) break
    first.push(chunk.subarray(0, HEAD_BYTES))
    size += chunk.byteLength
  }
  return Buffer.concat(first).subarray(0, HEAD_BYTES)
}
