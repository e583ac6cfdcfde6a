import { inStretches, type Work } from '../in-slices.ts'
import { sizeUpTo } from './json-size.ts'
import { attachFound, type Found, findRelations, type Related } from './relations.ts'
import type { Relations, Row } from './types.ts'

/** What was found for each of the rows. */
interface Column {
  readonly name: string
  readonly found: readonly Found[]
}

/**
 * Rows, and beside them what stands in relation to each. A row is put together when it is asked for, and again when it
 * is asked for again: a copy of every row would need far more memory than a list of what belongs to it.
 */
export class JoinedRows {
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
    return row && attachFound(row, this.#columns, ({ found }) => found[index])
  }

  /**
   * How many bytes all rows take as JSON: at least so many, counted no further than the limit. What stands in many
   * rows is looked at once.
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

/** Looks up what belongs to each of the rows. */
export function* joinRows(
  source: Related,
  collection: string,
  rows: readonly Row[],
  names: Relations,
): Work<JoinedRows> {
  const columns = findRelations(source, collection, names).map(({ name, find }) => ({
    name,
    find,
    found: new Array<Found>(rows.length),
  }))
  yield* inStretches(rows.length, (index) => {
    const row = rows[index]
    if (!isObject(row)) return
    for (const { find, found } of columns) found[index] = find(row)
  })
  return new JoinedRows(rows, columns)
}

/** Anything may stand in a list that somebody wrote. */
function isObject(row: Row | undefined): row is Row {
  return typeof row === 'object' && row !== null && !Array.isArray(row)
}
