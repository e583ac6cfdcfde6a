/** Beyond this nothing is counted: no data that anyone meant is nested so deeply, and following it overflows the stack. */
const DEEPEST = 1000

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
  const fields = value as Record<string, unknown>
  for (const name in fields) {
    if (size >= limit) return size
    size += margin + name.length + 4 + sizeUpTo(limit - size, fields[name], depth + 1)
  }
  return size
}
