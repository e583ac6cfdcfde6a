import { isRecord, setField } from './record.ts'

/** `JSON.parse`, with null for numbers that overflow, as they will be saved. */
export function parseFinite(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return mayOverflow(text) ? withFiniteNumbers(value) : value
}

/**
 * Whether a number may be too large for a double: with exponents up to e99, that takes more than 200 digits. No false
 * negatives. A loop, since a regular expression is ten times slower on first use.
 */
export function mayOverflow(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code >= ZERO && code <= NINE) || code === POINT) {
      digits += 1
      if (digits > MANY) return true
    } else {
      if (digits > 0 && (code | CASE_BIT) === EXPONENT && isLarge(text, at + 1)) return true
      digits = 0
    }
  }
  return false
}

const MANY = 200
const ZERO = 0x30
const NINE = 0x39
const POINT = 0x2e
const PLUS = 0x2b
const EXPONENT = 0x65
const CASE_BIT = 0x20

/** An exponent of three digits or more. */
function isLarge(text: string, at: number): boolean {
  const start = text.charCodeAt(at) === PLUS ? at + 1 : at
  return /^\d{3}/.test(text.slice(start, start + 3))
}

/** With null for each number that JSON cannot represent, as it would be saved. The same value if there are none. */
export function withFiniteNumbers<T>(value: T): T | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return finiteList(value)
  // Class instances serialize themselves.
  return isRecord(value) ? finiteObject(value) : value
}

function finiteList<T extends unknown[]>(list: T): T {
  let copy: T | undefined
  for (let index = 0; index < list.length; index++) {
    const part = withFiniteNumbers(list[index])
    if (part === list[index]) continue
    copy ??= list.slice() as T
    copy[index] = part
  }
  return copy ?? list
}

function finiteObject<T extends Record<string, unknown>>(object: T): T {
  let copy: T | undefined
  for (const key in object) {
    const part = withFiniteNumbers(object[key])
    if (part === object[key]) continue
    copy ??= { ...object }
    setField(copy, key, part)
  }
  return copy ?? object
}
