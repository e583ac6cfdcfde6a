import type { Work } from '../../work/in-slices.ts'

/** What is larger is not kept while it is sent. */
export const LARGE = 32 * 1024 * 1024

/** What bodies may take together: with more under way, an answer is written out again as it leaves instead of being kept. */
const LIMIT = 256 * 1024 * 1024

let taken = 0

/** A body counts until nobody has it any more: neither a cache nor a client that reads slowly. */
const bodies = new FinalizationRegistry<number>((size) => {
  taken -= size
})

/** The pieces of an answer, as long as there is room for them. */
export class KeptPieces {
  readonly #mayDrop: boolean
  #pieces: Uint8Array[] | undefined = []
  #taken = 0

  /** @param mayDrop whether the pieces can be had again */
  constructor(mayDrop: boolean) {
    this.#mayDrop = mayDrop
  }

  /** Undefined where there was no room. */
  get all(): readonly Uint8Array[] | undefined {
    return this.#pieces
  }

  add(piece: Uint8Array): void {
    const hasRoom = this.#taken + piece.length <= LARGE && taken + piece.length <= LIMIT
    if (this.#mayDrop && !hasRoom) this.drop()
    if (this.#pieces === undefined) return
    this.#pieces.push(piece)
    this.#taken += piece.length
    taken += piece.length
  }

  /** All of them in one. Their room is the body's from now on. */
  *together(): Work<Buffer> {
    const body = Buffer.allocUnsafeSlow(this.#taken)
    let end = 0
    for (const piece of this.#pieces ?? []) {
      body.set(piece, end)
      end += piece.length
      yield
    }
    bodies.register(body, this.#taken)
    this.#taken = 0
    return body
  }

  /** Gives their room back. */
  drop(): void {
    taken -= this.#taken
    this.#taken = 0
    this.#pieces = undefined
  }
}
