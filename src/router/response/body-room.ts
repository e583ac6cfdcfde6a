/** Larger responses are sent as they are written, and not held in memory. */
export const LARGE = 32 * 1024 * 1024

/** Total bytes of bodies. */
const LIMIT = 256 * 1024 * 1024

let taken = 0

/** A body counts until it is garbage: neither a cache nor a slow client references it. */
const bodies = new FinalizationRegistry<number>((size) => {
  taken -= size
})

/** Room for a response of about this size while it is written; undefined if there is none. */
export function takeRoom(size: number): Room | undefined {
  return size < LARGE && taken + size <= LIMIT ? new Room(size) : undefined
}

class Room {
  readonly #size: number

  constructor(size: number) {
    this.#size = size
    taken += size
  }

  /** A body of pieces, which takes room of its own. */
  join(pieces: readonly Uint8Array[], length: number): Buffer {
    const body = Buffer.allocUnsafeSlow(length)
    let end = 0
    for (const piece of pieces) {
      body.set(piece, end)
      end += piece.length
    }
    taken += length
    bodies.register(body, length)
    return body
  }

  release(): void {
    taken -= this.#size
  }
}
