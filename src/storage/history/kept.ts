/** Changes that a history keeps. */
const MOST_CHANGES = 1000

/** Bytes that their rows may take, as JSON. */
export const MOST_BYTES = 16 * 1024 * 1024

/** A change, as far as it matters for what is kept and for what leads where. */
export interface Entry {
  readonly version: number
  /** What its rows before and after take, as JSON. */
  readonly bytes: number
  /** The newest change that was not undone, right after this one: tells states of the data apart. */
  readonly top: number
}

/** How much is kept. */
export class Kept {
  #count = 0
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get isTooMuch(): boolean {
    return this.#count > MOST_CHANGES || this.#bytes > MOST_BYTES
  }

  add({ bytes }: Entry): void {
    this.#count++
    this.#bytes += bytes
  }

  remove({ bytes }: Entry): void {
    this.#count--
    this.#bytes -= bytes
  }

  clear(): void {
    this.#count = 0
    this.#bytes = 0
  }
}
