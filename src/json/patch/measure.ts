import { MAX_BYTES, MAX_DEPTH } from '../bounds.ts'
import { isRecord } from '../record.ts'

export interface Measure {
  /** A close estimate: escapes, and letters of several bytes in short strings, count as one. */
  readonly bytes: number
  readonly values: number
  /** Levels of nesting; a scalar has none. */
  readonly levels: number
  /** The sum of the levels of all values; the outermost is on level 1. */
  readonly indents: number
  readonly keys: number
  /** The work of measuring it: one step per list entry, several per field. */
  readonly steps: number
}

/** How much longer it takes to look up a field of a wide object than to read the next entry of a list. */
const FIELD_STEPS = 4

/** Longer strings are worth the call that counts their bytes. */
const LONG = 256

/** Measures a value. Stops early once it exceeds the allowed bytes or levels. */
export function measure(value: unknown): Measure {
  const tally = new Tally()
  tally.take(value, 0)
  return tally
}

/** With its quotes, a colon and a comma. */
export function bytesOfKey(name: string): number {
  return bytesOf(name) + 4
}

class Tally implements Measure {
  bytes = 0
  values = 0
  levels = 0
  indents = 0
  keys = 0
  steps = 0

  take(value: unknown, above: number): void {
    this.values += 1
    this.steps += 1
    this.indents += above + 1
    if (typeof value !== 'object' || value === null) {
      // With the comma after it.
      if (typeof value === 'string') this.bytes += bytesOf(value) + 3
      else this.bytes += typeof value === 'number' ? String(value).length + 1 : 5
      return
    }
    this.bytes += 3
    this.levels = Math.max(this.levels, above + 1)
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length && this.#isWithin(); at++) this.take(value[at], above + 1)
    } else if (isRecord(value)) {
      let count = 0
      for (const name in value) {
        if (!this.#isWithin()) break
        count += 1
        // With its quotes, a colon and a comma.
        this.bytes += bytesOf(name) + 4
        this.take(value[name], above + 1)
      }
      this.keys = Math.max(this.keys, count)
      this.steps += FIELD_STEPS * count
    }
  }

  #isWithin(): boolean {
    return this.bytes <= MAX_BYTES && this.levels <= MAX_DEPTH
  }
}

function bytesOf(text: string): number {
  return text.length < LONG ? text.length : Buffer.byteLength(text)
}
