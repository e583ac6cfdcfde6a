import type { JsonBounds } from './json-parser.ts'
import { isRecord, setField } from './values.ts'

interface NumberCheck {
  isInfinite: boolean
}

/** As it is saved, with null for numbers that overflow. Undefined if it is nested too deep. */
export function storable<T>(value: T, levels: number): T | null | undefined {
  const numbers = { isInfinite: false }
  if (!isWithin(value, levels, numbers)) return undefined
  return numbers.isInfinite ? withFiniteNumbers(value) : value
}

/** Allocates nothing per value: for 100,000 rows that takes longer than parsing. */
export function isWithin(value: unknown, levels: number, numbers?: NumberCheck): boolean {
  if (typeof value !== 'object' || value === null) {
    if (numbers && typeof value === 'number' && !Number.isFinite(value)) numbers.isInfinite = true
    return true
  }
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((part) => isWithin(part, levels - 1, numbers))
  for (const key in value) {
    if (!isWithin(value[key as keyof typeof value], levels - 1, numbers)) return false
  }
  return true
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

/** For values that fit into 10 MB and would still take too long to parse, or to write with indentation. */
export const BOUNDS: JsonBounds = {
  depth: MAX_DEPTH,
  keys: MAX_KEYS,
  values: 2_000_000,
  indents: 10_000_000,
}
