/** Beyond this nothing is counted: no data that anyone meant is nested so deeply, and following it overflows the stack. */
const DEEPEST = 1000

/** From about so many characters on a value is written out part by part: JSON.stringify takes half a millisecond for it. */
export const LONG = 64 * 1024

/** So many fields make an object wide. To look at the first of 850,000 takes as long as to list them all: half a second. */
const WIDE = 1000

/** Wide objects that were found to be long. Only hints: they may be others' and change. */
const wide = new WeakSet<object>()
let hasWide = false

/**
 * How many bytes a value takes as JSON with two spaces: at least so many, and not many more. Counts no further than the
 * limit, so that it costs little however large the value is.
 */
export function sizeUpTo(limit: number, value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return 1
  // A comma, a line break, and the spaces in front of an entry.
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
    size += margin + name.length + 4 + sizeUpTo(limit - size, fields[name], depth + 1)
  }
  if (count >= WIDE && size >= LONG / 2) {
    wide.add(value)
    hasWide = true
  }
  return size
}
