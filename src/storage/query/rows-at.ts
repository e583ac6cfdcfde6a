import type { Row } from '../types.ts'

/** The rows at some ranks, in order. */
export function rowsAt(slots: readonly Row[], ranks: ArrayLike<number>): Row[] {
  const rows: Row[] = []
  for (let at = 0; at < ranks.length; at++) {
    const row = slots[ranks[at] ?? 0]
    if (row !== undefined) rows.push(row)
  }
  return rows
}
