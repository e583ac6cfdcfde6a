import type { Row } from '../types.ts'

/** Puts rows among others, which keep their order. `places` are those of the result, lowest first; past the end is the end. */
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
