import { StorageError } from '../../errors.ts'
import { BOUNDS, MAX_BYTES, MAX_DEPTH, MAX_KEYS } from '../bounds.ts'
import { bytesOfKey, type Measure, measure } from './measure.ts'

/** The work of one patch, about 0.1 µs per step: other writes wait. A thousand operations on a large row use a hundredth. */
const MOST_STEPS = 10_000_000

/** Tracks the size of a value while it is patched, and the work done. Refuses before memory is allocated. */
export class Ledger {
  #bytes = 0
  #values = 0
  #indents = 0
  #steps = 0

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps <= MOST_STEPS) return
    throw tooLarge('The patch moves and copies too much altogether; send fewer operations at a time.')
  }

  measure(value: unknown): Measure {
    const size = measure(value)
    this.spend(size.steps)
    return size
  }

  /** Adds the size of a value at a depth of `above` levels. */
  add(size: Measure, above: number): void {
    if (above + size.levels > MAX_DEPTH) refuse(`be nested deeper than ${MAX_DEPTH} levels`)
    if (size.keys > MAX_KEYS) refuse(TOO_MANY_KEYS)
    this.#count(size, above, 1)
    if (this.#bytes > MAX_BYTES) refuse('be larger than 10 MB')
    if (this.#values > BOUNDS.values) refuse(`have more than ${count(BOUNDS.values)} values`)
    if (this.#indents > BOUNDS.indents) refuse('have too many values on deep levels')
  }

  remove(size: Measure, above: number): void {
    this.#count(size, above, -1)
  }

  addKey(name: string, present: number): void {
    if (present >= MAX_KEYS) refuse(TOO_MANY_KEYS)
    this.#bytes += bytesOfKey(name)
  }

  removeKey(name: string): void {
    this.#bytes -= bytesOfKey(name)
  }

  #count({ bytes, values, indents }: Measure, above: number, sign: 1 | -1): void {
    this.#bytes += sign * bytes
    this.#values += sign * values
    this.#indents += sign * (indents + values * above)
  }
}

const TOO_MANY_KEYS = `have an object of more than ${count(MAX_KEYS)} keys`

function refuse(what: string): never {
  throw tooLarge(`After the patch the item would ${what}; store less in one item.`)
}

function tooLarge(message: string): StorageError {
  return new StorageError('BODY_TOO_LARGE', message)
}

function count(number: number): string {
  return number.toLocaleString('en')
}
