import { isRecord } from './values.ts'

/** Deeper values would overflow the stack, and are not counted. */
const DEEPEST = 1000

/** Characters that JSON.stringify takes half a millisecond for: longer values are serialized in parts. */
export const LONG = 64 * 1024

/** Fields of a wide object: reading the first of 850,000 takes as long as listing them, half a second. */
const WIDE = 1000

const wide = new WeakSet<object>()
let hasWide = false

/** A close lower bound in bytes, as JSON with two spaces. Stops at the limit. */
export function sizeUpTo(limit: number, value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return 1
  const margin = 2 * depth + 4
  let size = 2
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && size < limit; at++) {
      size += margin + sizeUpTo(limit - size, value[at], depth + 1)
    }
    return size
  }
  if (hasWide && limit <= LONG && wide.has(value)) return limit
  const fields = value as Record<string, unknown>
  let count = 0
  for (const name in fields) {
    if (size >= limit) break
    count++
    size += margin + name.length + 4
    size += sizeUpTo(limit - size, fields[name], depth + 1)
  }
  if (count >= WIDE && size >= LONG / 2) {
    wide.add(value)
    hasWide = true
  }
  return size
}

/** Approximate bytes as JSON without white space. Stops at the limit. */
export function bytesUpTo(limit: number, value: unknown): number {
  if (Array.isArray(value)) {
    let bytes = 3
    for (let at = 0; at < value.length && bytes <= limit; at++) bytes += bytesUpTo(limit - bytes, value[at])
    return bytes
  }
  if (!isRecord(value)) return bytesOfScalar(value)
  let bytes = 3
  for (const name in value) {
    if (bytes > limit) break
    bytes += bytesOfText(name) + 4
    bytes += bytesUpTo(limit - bytes, value[name])
  }
  return bytes
}

export function bytesOfScalar(value: unknown): number {
  if (typeof value === 'string') return bytesOfText(value) + 3
  return typeof value === 'number' ? String(value).length + 1 : 5
}

/** In short strings, every letter counts as one byte: counting them takes a call. */
export function bytesOfText(text: string): number {
  return text.length < 256 ? text.length : Buffer.byteLength(text)
}
