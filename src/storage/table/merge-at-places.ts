import type { Row } from '../types.ts'

/**
 * Inserts rows among others, which keep their order. Places are positions in the result, lowest first; past the end
 * means appended.
 */
export function mergeAtPlaces(others: readonly Row[], placed: Iterable<readonly [Row, number]>): Row[] {
  const merged: Row[] = []
  const rest = others.values()
  for (const [row, place] of placed) {
    while (merged.length < place) {
      const next = rest.next()
      if (next.done) break
      merged.push(next.value)
    }
    merged.push(row)
  }
  for (const other of rest) merged.push(other)
  return merged
}
