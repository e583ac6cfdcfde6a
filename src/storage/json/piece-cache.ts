import { Lru } from '../../lru.ts'

/** Bytes to keep: enough for one or a few embedded images. */
const LIMIT = 8 * 1024 * 1024

interface Written {
  readonly depth: number
  readonly pieces: readonly Uint8Array[]
  readonly size: number
}

/** LRU cache of the JSON of objects that repeat in many rows of a response. */
export class PieceCache {
  readonly #written = new Lru<object, Written>({ limit: LIMIT, sizeOf: ({ size }) => size })

  get(value: object, depth: number): readonly Uint8Array[] | undefined {
    const known = this.#written.get(value)
    return known?.depth === depth ? known.pieces : undefined
  }

  /** Passes the pieces on, and caches them unless they are too large. */
  *keep(value: object, depth: number, pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
    const kept: Uint8Array[] = []
    let size = 0
    for (const piece of pieces) {
      size += piece.length
      if (size <= LIMIT) kept.push(piece)
      else kept.length = 0
      yield piece
    }
    this.#written.set(value, { depth, pieces: kept, size })
  }
}
