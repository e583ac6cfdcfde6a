/**
 * Inserts rows among others, which keep their order. Places are positions in the result, lowest first; past the end
 * means appended.
 */
export function mergeAtPlaces<T>(others: readonly T[], placed: Iterable<readonly [T, number]>): T[] {
  const merged: T[] = []
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
