/** Bytes to keep: enough for one or a few embedded images. */
const LIMIT = 8 * 1024 * 1024

interface Written {
  readonly depth: number
  readonly pieces: readonly Uint8Array[]
  readonly size: number
}

/** LRU cache of the JSON of objects that repeat in many rows of a response. */
export class PieceCache {
  readonly #written = new Map<object, Written>()
  #size = 0

  get(value: object, depth: number): readonly Uint8Array[] | undefined {
    const known = this.#written.get(value)
    if (known?.depth !== depth) return undefined
    this.#written.delete(value)
    this.#written.set(value, known)
    return known.pieces
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
    if (size <= LIMIT) this.#set(value, { depth, pieces: kept, size })
  }

  #set(value: object, written: Written): void {
    this.#delete(value)
    this.#written.set(value, written)
    this.#size += written.size
    for (const oldest of this.#written.keys()) {
      if (this.#size <= LIMIT) return
      this.#delete(oldest)
    }
  }

  #delete(value: object): void {
    this.#size -= this.#written.get(value)?.size ?? 0
    this.#written.delete(value)
  }
}
