import type { Row } from '../../../src/core/engine/types.ts'

/** Rows that count how often one of their fields is read: with an index, rarely. */
export function countReads(all: readonly Row[], field: string): { readonly rows: Row[]; reads: number } {
  const counted = {
    reads: 0,
    rows: all.map((row) =>
      Object.defineProperty({ ...row }, field, {
        enumerable: true,
        get: () => {
          counted.reads++
          return row[field]
        },
      }),
    ),
  }
  return counted
}
