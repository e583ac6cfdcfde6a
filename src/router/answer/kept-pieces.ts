/** Larger responses are not held in memory while being sent. */
export const LARGE = 32 * 1024 * 1024

/** Total bytes of bodies: beyond it, a response is serialized again as it is sent instead of being held. */
const LIMIT = 256 * 1024 * 1024

let taken = 0

/** A body counts until it is garbage: neither a cache nor a slow client references it. */
const bodies = new FinalizationRegistry<number>((size) => {
  taken -= size
})

export class KeptPieces {
  #pieces: Uint8Array[] | undefined = []
  #taken = 0

  get isComplete(): boolean {
    return this.#pieces !== undefined
  }

  add(piece: Uint8Array): void {
    const hasRoom = this.#taken + piece.length <= LARGE && taken + piece.length <= LIMIT
    if (!hasRoom) this.drop()
    if (this.#pieces === undefined) return
    this.#pieces.push(piece)
    this.#taken += piece.length
    taken += piece.length
  }

  /** Joins them. Their room belongs to the body from now on. */
  together(): Buffer {
    const body = Buffer.allocUnsafeSlow(this.#taken)
    let end = 0
    for (const piece of this.#pieces ?? []) {
      body.set(piece, end)
      end += piece.length
    }
    bodies.register(body, this.#taken)
    this.#taken = 0
    return body
  }

  drop(): void {
    taken -= this.#taken
    this.#taken = 0
    this.#pieces = undefined
  }
}
