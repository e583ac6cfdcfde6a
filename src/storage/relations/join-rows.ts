import { sizeUpTo } from '../../json/json-size.ts'
import { Pace } from '../../util/pace.ts'
import { hasFieldIn, type Source } from '../data/database.ts'
import type { JoinedList } from '../question.ts'
import type { Relations, Row } from '../types.ts'
import { attachFound, type Column, RelatedSearch } from './find-columns.ts'
import { resolveRelations } from './resolve-relations.ts'
import { Shape } from './shape.ts'

export async function joinRows(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
): Promise<JoinedList> {
  // A new word gives way to data: where any row has a field of that name, it is a filter on that field.
  const unlessField = async (word: string, paths: readonly string[] = []) =>
    paths.length > 0 && (await hasFieldIn(source, collection, word)) ? [] : paths
  const fields = await unlessField('_fields', wanted.fields)
  const omit = await unlessField('_omit', wanted.omit)
  const relations = await resolveRelations(source, collection, wanted)
  const columns = await new RelatedSearch(source).columnsOf(rows, relations)
  const isWhole = fields.length + omit.length === 0
  return joinedList(rows, columns, isWhole ? undefined : new Shape(fields, omit, relations))
}

export function isShaped({ embed, expand, fields, omit }: Relations): boolean {
  return embed.length + expand.length > 0 || fields !== undefined || omit !== undefined
}

/** A row is assembled each time it is accessed: copies of all rows would need far more memory. */
function joinedList(rows: readonly Row[], columns: readonly Column[], shape: Shape | undefined): JoinedList {
  const at = (index: number): Row | undefined => {
    const row = rows[index]
    if (!row) return row
    const attached = attachFound(row, columns, index)
    return shape ? shape.apply(attached) : attached
  }

  /** A lower bound, counted no further than the limit. What repeats in many rows is measured once. */
  async function sizeOfAll(limit: number): Promise<number> {
    const pace = new Pace()
    const known = new Map<Row, number>()
    const sizeOf = (row: Row): number => {
      const size = known.get(row) ?? sizeUpTo(limit, row, 2)
      known.set(row, size)
      return size
    }
    let size = 0
    for (let index = 0; index < rows.length && size < limit; index++) {
      size += sizeUpTo(limit, shape ? at(index) : rows[index], 1)
      for (const { found } of shape ? [] : columns) {
        for (const row of [found[index] ?? []].flat()) size += sizeOf(row)
      }
      if (pace.isDue) await pace.turn()
    }
    return size
  }

  const toArray = () => rows.map((row, index) => at(index) ?? row)
  return { length: rows.length, at, sizeUpTo: sizeOfAll, toArray }
}
