import { sizeUpTo } from '../../json/json-size.ts'
import { Pace } from '../../work/pace.ts'
import type { JoinedList } from '../question.ts'
import type { Row } from '../types.ts'
import { attachFound } from './find-columns.ts'
import type { Column } from './relation.ts'
import type { Shape } from './shape.ts'

/**
 * Rows, what is related to each, and what of both to show. A row is assembled each time it is accessed: a copy of every
 * row would need far more memory than a list of what belongs to it.
 */
export class JoinedRows implements JoinedList {
  readonly #rows: readonly Row[]
  readonly #columns: readonly Column[]
  readonly #shape: Shape | undefined

  constructor(rows: readonly Row[], columns: readonly Column[], shape?: Shape) {
    this.#rows = rows
    this.#columns = columns
    this.#shape = shape
  }

  get length(): number {
    return this.#rows.length
  }

  at(index: number): Row | undefined {
    const row = this.#rows[index]
    if (!row) return row
    const attached = attachFound(row, this.#columns, index)
    return this.#shape ? this.#shape.apply(attached) : attached
  }

  /**
   * A lower bound for the bytes all rows take as JSON, counted no further than the limit. What repeats in many
   * rows is measured once.
   */
  async sizeUpTo(limit: number): Promise<number> {
    const pace = new Pace()
    const known = new Map<Row, number>()
    const sizeOf = (row: Row): number => {
      const size = known.get(row) ?? sizeUpTo(limit, row, 2)
      known.set(row, size)
      return size
    }
    let size = 0
    for (let at = 0; at < this.length && size < limit; at++) {
      size += sizeUpTo(limit, this.#shape ? this.at(at) : this.#rows[at], 1)
      for (const { found } of this.#shape ? [] : this.#columns) {
        for (const row of [found[at] ?? []].flat()) size += sizeOf(row)
      }
      if (pace.isDue) await pace.turn()
    }
    return size
  }

  toArray(): readonly Row[] {
    return this.#rows.map((row, index) => this.at(index) ?? row)
  }
}
