import type { JsonBounds } from './json-parser.ts'

/** Levels of nesting in a body, and in a row that a patch produces. Far deeper values overflow the stack when they are sent. */
export const MAX_DEPTH = 100

/** Keys of one object. Copying a wide object takes a microsecond per key and cannot be sliced. */
export const MAX_KEYS = 50_000

/** Bytes of an unpacked body, and of a row that a patch produces. */
export const MAX_BYTES = 10 * 1024 * 1024

/** Limits on values that fit into 10 MB and would still take too long to read, or to write out with their indentation. */
export const BOUNDS: JsonBounds = {
  depth: MAX_DEPTH,
  keys: MAX_KEYS,
  values: 2_000_000,
  indents: 10_000_000,
}
