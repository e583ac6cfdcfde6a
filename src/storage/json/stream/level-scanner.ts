const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a
export const COMMA = 0x2c
export const COLON = 0x3a
/** `{` or `[`, and `}` or `]`, once the bit that tells them apart is set. */
const BRACE_BIT = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

/** Finds where the values of one level end, in JSON that comes in chunks. Looks at no byte twice. */
export class LevelScanner {
  #depth = 0
  #isInString = false
  #isEscaped = false
  lines = 0

  endOfSpace(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === NEWLINE) this.lines++
      else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return at
    }
    return bytes.length
  }

  /** The next comma, colon or closing bracket of this level; the length if there is none. */
  endOfValue(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      if (this.#isInString) {
        at = this.#endOfString(bytes, at)
        continue
      }
      const byte = bytes[at] ?? 0
      if (byte === QUOTE) this.#isInString = true
      else if (byte === COMMA || byte === COLON) {
        if (this.#depth === 0) return at
      } else if (byte === NEWLINE) this.lines++
      else if ((byte | BRACE_BIT) === OPEN) this.#depth++
      else if ((byte | BRACE_BIT) === CLOSE) {
        if (this.#depth === 0) return at
        this.#depth--
      }
    }
    return bytes.length
  }

  /** The closing quote; the length if there is none yet. */
  #endOfString(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      if (this.#isEscaped) {
        this.#isEscaped = false
        continue
      }
      const byte = bytes[at]
      if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) {
        this.#isInString = false
        return at
      }
    }
    return bytes.length
  }
}
