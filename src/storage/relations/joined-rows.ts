import { sizeUpTo } from '../../json/json-size.ts'
import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { JoinedList } from '../question.ts'
import type { Row } from '../types.ts'
import { attachFound } from './attach-found.ts'
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
  /** Rows that were shaped in advance, by index. */
  readonly #long = new Map<number, Row>()

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
    const long = this.#long.get(index)
    if (long) return long
    const attached = attachFound(row, this.#columns, index)
    return this.#shape ? this.#shape.apply(attached) : attached
  }

  /** Must be done before rows are accessed: the few that take long to shape are shaped in slices, and kept. */
  *shapeLongRows(): Work<void> {
    const shape = this.#shape
    if (!shape) return
    for (const [index, row] of this.#rows.entries()) {
      if (index % STRETCH === STRETCH - 1) yield
      const attached = attachFound(row, this.#columns, index)
      if (shape.isLong(attached)) this.#long.set(index, yield* shape.inSlices(attached))
    }
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
    for (let at = 0; this.#shape && at < this.length && size < limit; at++) {
      size += sizeUpTo(limit, this.at(at), 1)
      yield
    }
    for (let at = 0; !this.#shape && at < this.length && size < limit; at++) {
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
