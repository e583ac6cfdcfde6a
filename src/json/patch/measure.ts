import { STRETCH, type Work } from '../../work/in-slices.ts'
import { MAX_BYTES, MAX_DEPTH } from '../bounds.ts'
import { isRecord } from './container.ts'

/** The size of a value as JSON. */
export interface Measure {
  /** A close estimate: escapes, and letters of several bytes in short strings, count as one. */
  readonly bytes: number
  /** The value itself and everything in it. */
  readonly values: number
  /** Levels of nesting; a scalar has none. */
  readonly levels: number
  /** The sum of the levels of all values; the outermost is on level 1. */
  readonly indents: number
  /** Keys of the widest object in it. */
  readonly keys: number
  /** The work of measuring it: one step per list entry, several per field. */
  readonly steps: number
}

/** How much longer it takes to look up a field of a wide object than to read the next entry of a list. */
const FIELD_STEPS = 4

/** Values that are measured without yielding. Most rows have fewer. */
const FEW = 200

/** Longer strings are worth the call that counts their bytes. */
const LONG = 256

/** Measures a value, a large one in slices. Stops early once it exceeds the allowed bytes or levels. */
export function* measure(value: unknown): Work<Measure> {
  const brief = new Tally()
  if (brief.takeAll(value, 0)) return brief
  const tally = new Tally()
  tally.take(value, 0)
  const left = [{ container: value, level: 1 }]
  for (let next = left.pop(); next && tally.isWithin(); next = left.pop()) {
    const { container, level } = next
    if (Array.isArray(container)) {
      for (let at = 0; at < container.length && tally.isWithin(); at++) {
        const part: unknown = container[at]
        if (tally.take(part, level)) left.push({ container: part, level: level + 1 })
        if (tally.values % STRETCH === 0) yield
      }
    } else if (isRecord(container)) {
      const names = Object.keys(container)
      tally.noteKeys(names.length)
      for (const name of names) {
        tally.bytes += bytesOfKey(name)
        if (tally.take(container[name], level)) left.push({ container: container[name], level: level + 1 })
        if (tally.values % STRETCH === 0) yield
        if (!tally.isWithin()) break
      }
    }
  }
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
  #fields = 0

  get steps(): number {
    return this.values + FIELD_STEPS * this.#fields
  }

  isWithin(): boolean {
    return this.bytes <= MAX_BYTES && this.levels <= MAX_DEPTH
  }

  noteKeys(count: number): void {
    this.keys = Math.max(this.keys, count)
    this.#fields += count
  }

  /** Counts a value at a depth of `above` levels; true if it is a container, whose entries are still to count. */
  take(value: unknown, above: number): boolean {
    this.values += 1
    this.indents += above + 1
    const isInner = typeof value === 'object' && value !== null
    this.bytes += isInner ? 3 : bytesOfScalar(value) + 1
    if (isInner && above >= this.levels) this.levels = above + 1
    return isInner
  }

  /** Counts a value and everything in it; false if that is too much to do without yielding. */
  takeAll(value: unknown, above: number): boolean {
    if (!this.take(value, above)) return true
    if (this.values > FEW || this.levels > MAX_DEPTH) return false
    if (Array.isArray(value)) {
      if (value.length > FEW) return false
      for (const part of value) if (!this.takeAll(part, above + 1)) return false
    } else if (isRecord(value)) {
      let count = 0
      for (const name in value) {
        count += 1
        this.bytes += bytesOfKey(name)
        if (this.values > FEW || !this.takeAll(value[name], above + 1)) return false
      }
      this.noteKeys(count)
    }
    return true
  }
}

function bytesOfScalar(value: unknown): number {
  if (typeof value === 'string') return bytesOf(value) + 2
  return typeof value === 'number' ? String(value).length : 4
}

function bytesOf(text: string): number {
  return text.length < LONG ? text.length : Buffer.byteLength(text)
}
