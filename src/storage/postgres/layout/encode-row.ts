import { withHidden } from '../../hidden/hidden-fields.ts'
import { fieldText } from '../../index/id-index.ts'
import { isRow } from '../../is-row.ts'
import { beginning } from './clean-text.ts'
import { factsOf, type RowFacts, wordsOf } from './row-facts.ts'
import type { Shape } from './shape.ts'

/** A row as its table has it, by column; columns that are left out are null. */
export type Encoded = Readonly<Record<string, string | number | boolean | null>>

/** Takes a row into the shape of its collection, and makes of it what its table has. */
export function encodeRow(given: unknown, pos: number, shape: Shape, idName: string): Encoded {
  const row = isRow(given) ? withHidden(given) : given
  const facts = factsOf(row)
  const isDescribed = shape.add(facts)
  const id = fieldText(row, idName)
  const number: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, idName) : undefined
  return {
    pos,
    id: id === undefined ? null : beginning(id),
    ...(typeof number === 'number' && { idnum: number }),
    odd: !isDescribed,
    // Escapes what cannot be stored; undefined for nothing that a file can hold.
    body: JSON.stringify(row) ?? 'null',
    words: facts ? facts.words : wordsOf(row),
    ...(isDescribed && slotsOf(facts, shape)),
  }
}

function slotsOf({ paths }: RowFacts, shape: Shape): Encoded {
  const slots: Record<string, string | number> = {}
  for (const [path, { value }] of paths) {
    const column = value === undefined ? undefined : shape.column(path)
    if (value === undefined || !column) continue
    if (typeof value === 'number') {
      if (column.n !== null && column.n >= 0) slots[`n${column.n}`] = value
    } else if (column.t !== null && column.t >= 0) slots[`t${column.t}`] = beginning(String(value))
  }
  return slots
}
