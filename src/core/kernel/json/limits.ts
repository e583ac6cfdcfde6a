import { StorageError } from '../catalogue/error-classes.ts'
import { bytesOfScalar, bytesOfText } from './json-size.ts'
import { mayBeRounded } from './rounded-numbers.ts'
import { isRecord, setField } from './values.ts'

/** Findings about the numbers in a value. */
export interface NumberCheck {
  isInfinite: boolean
  mayBeRounded: boolean
}

/** As it is saved, with null for numbers that overflow. Undefined if it is nested too deep. */
export function storable<T>(value: T, levels: number): T | null | undefined {
  const numbers = { isInfinite: false, mayBeRounded: true }
  if (!isWithin(value, levels, numbers)) return undefined
  return numbers.isInfinite ? withFiniteNumbers(value) : value
}

/** Allocates nothing per value: for 100,000 rows that takes longer than parsing. */
export function isWithin(value: unknown, levels: number, numbers?: NumberCheck): boolean {
  if (typeof value !== 'object' || value === null) {
    if (numbers && typeof value === 'number') check(value, numbers)
    return true
  }
  if (levels === 0) return false
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (!isWithin(value[at], levels - 1, numbers)) return false
    return true
  }
  for (const key in value) {
    const part: unknown = value[key as keyof typeof value]
    if (typeof part !== 'string' && !isWithin(part, levels - 1, numbers)) return false
  }
  return true
}

function check(number: number, numbers: NumberCheck): void {
  if (!Number.isFinite(number)) numbers.isInfinite = true
  numbers.mayBeRounded ||= mayBeRounded(number)
}

/** As it would be saved: null for numbers that JSON cannot represent. The same value if there are none. */
export function withFiniteNumbers<T>(value: T): T | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  // Class instances serialize themselves.
  if (!Array.isArray(value) && !isRecord(value)) return value
  const parts = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(parts)) {
    const part = withFiniteNumbers(parts[key])
    if (part === parts[key]) continue
    copy ??= (Array.isArray(value) ? value.slice() : { ...value }) as Record<string, unknown>
    setField(copy, key, part)
  }
  return (copy ?? value) as T
}

/** Levels in a body, and in a row that a patch produces. Far deeper values overflow the stack when they are sent. */
export const MAX_DEPTH = 100

/** Keys of one object: copying takes a microsecond per key and cannot be interrupted. */
export const MAX_KEYS = 50_000

export const MAX_BYTES = 10 * 1024 * 1024

export interface JsonBounds {
  readonly depth: number
  readonly keys: number
  /** Values inside the outermost one. An empty array or object counts as two. */
  readonly values: number
  /** Sum of all depths: each level is an indent when the value is serialized. */
  readonly indents: number
}

/** For values that fit into 10 MB and would still take too long to parse, or to write with indentation. */
export const BOUNDS: JsonBounds = {
  depth: MAX_DEPTH,
  keys: MAX_KEYS,
  values: 2_000_000,
  indents: 10_000_000,
}

/** Refuses the result of a patch if it could not have been sent as a body. Stops at the limit. */
export function checkSize(value: unknown): void {
  new Tally().take(value, 1)
}

export function tooLarge(message: string): StorageError {
  return new StorageError('BODY_TOO_LARGE', message)
}

class Tally {
  #bytes = 0
  #values = 0
  #indents = 0

  take(value: unknown, depth: number): void {
    this.#values += 1
    this.#indents += depth
    this.#bytes += bytesOfScalar(value)
    if (this.#bytes > MAX_BYTES) refuseResult('be larger than 10 MB')
    if (this.#values > BOUNDS.values) refuseResult(`have more than ${count(BOUNDS.values)} values`)
    if (this.#indents > BOUNDS.indents) refuseResult('have too many values on deep levels')
    if (Array.isArray(value)) {
      checkDepth(depth)
      for (let at = 0; at < value.length; at++) this.take(value[at], depth + 1)
    } else if (isRecord(value)) this.#takeFields(value, depth)
  }

  #takeFields(fields: Readonly<Record<string, unknown>>, depth: number): void {
    checkDepth(depth)
    let keys = 0
    for (const name in fields) {
      keys += 1
      if (keys > MAX_KEYS) refuseResult(`have an object of more than ${count(MAX_KEYS)} keys`)
      this.#bytes += bytesOfText(name) + 4
      this.take(fields[name], depth + 1)
    }
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) refuseResult(`be nested deeper than ${MAX_DEPTH} levels`)
}

function refuseResult(what: string): never {
  throw tooLarge(`After the patch the item would ${what}; store less in one item.`)
}

/** `10,000` */
export function count(number: number): string {
  return number.toLocaleString('en')
}
