import { sizeUpTo } from '../../json/json-size.ts'
import { Pace } from '../../work/pace.ts'
import { hasFieldIn, type Source } from '../data/source.ts'
import type { JoinedList } from '../question.ts'
import type { Relations, Row } from '../types.ts'
import { attachFound, findColumns } from './find-columns.ts'
import type { Column } from './relation.ts'
import { resolveRelations } from './resolve-relations.ts'
import { Shape } from './shape.ts'

export async function joinRows(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
): Promise<JoinedList> {
  const fields = await unlessField(source, collection, '_fields', wanted.fields)
  const omit = await unlessField(source, collection, '_omit', wanted.omit)
  const relations = hasRelations(wanted) ? await resolveRelations(source, collection, wanted) : []
  const columns = await findColumns(source, rows, relations)
  const isWhole = fields.length + omit.length === 0
  return new JoinedRows(rows, columns, isWhole ? undefined : new Shape(fields, omit, relations))
}

/** A new word gives way to data: where any row has a field of that name, it is a filter on that field. */
async function unlessField(
  source: Source,
  collection: string,
  name: string,
  paths: readonly string[] = [],
): Promise<readonly string[]> {
  return paths.length > 0 && (await hasFieldIn(source, collection, name)) ? [] : paths
}

export function isShaped(wanted: Relations): boolean {
  return hasRelations(wanted) || wanted.fields !== undefined || wanted.omit !== undefined
}

export function hasRelations({ embed, expand }: Relations): boolean {
  return embed.length + expand.length > 0
}

/** A row is assembled each time it is accessed: copies of all rows would need far more memory. */
class JoinedRows implements JoinedList {
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

  /** A lower bound, counted no further than the limit. What repeats in many rows is measured once. */
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
