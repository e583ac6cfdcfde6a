import type { Start } from '../describe-fault.ts'

/** A piece of a text that is not JSON. */
export class BrokenPiece extends Error {
  override readonly name = 'BrokenPiece'
  readonly start: Start
  /** From its start on, as far as was read. */
  readonly bytes: Uint8Array

  constructor(start: Start, bytes: Uint8Array) {
    super('A piece of the text is not JSON.')
    this.start = start
    this.bytes = bytes
  }
}

/** A piece of a text that no string can hold. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}
