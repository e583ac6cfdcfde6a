import { sizeUpTo } from '../../json/json-size.ts'
import type { Work } from '../../work/in-slices.ts'
import type { JoinedList } from '../engine.ts'
import type { Row } from '../types.ts'
import { attachFound } from './attach-found.ts'
import type { Column } from './relation.ts'

/**
 * Rows, and what is related to each. A row is assembled each time it is
 * accessed: a copy of every row would need far more memory than a list of what belongs to it.
 */
export class JoinedRows implements JoinedList {
  readonly #rows: readonly Row[]
  readonly #columns: readonly Column[]

  constructor(rows: readonly Row[], columns: readonly Column[]) {
    this.#rows = rows
    this.#columns = columns
  }

  get length(): number {
    return this.#rows.length
  }

  at(index: number): Row | undefined {
    const row = this.#rows[index]
    return row && attachFound(row, this.#columns, index)
  }

  /**
   * A lower bound for the bytes all rows take as JSON, counted no further than the limit. What repeats in many
   * rows is measured once.
   */
  *sizeUpTo(limit: number): Work<number> {
    const known = new Map<Row, number>()
    const sizeOf = (row: Row): number => {
      const size = known.get(row) ?? sizeUpTo(limit, row, 2)
      known.set(row, size)
      return size
    }
    let size = 0
    for (let at = 0; at < this.length && size < limit; at++) {
      size += sizeUpTo(limit, this.#rows[at], 1)
      for (const { found } of this.#columns) {
        for (const row of [found[at] ?? []].flat()) size += sizeOf(row)
      }
      if (at % 64 === 63) yield
    }
    return size
  }

  toArray(): readonly Row[] {
    return this.#rows.map((row, index) => this.at(index) ?? row)
  }
}
