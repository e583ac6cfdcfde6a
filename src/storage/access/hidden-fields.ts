import { isRow } from '../is-row.ts'
import type { FieldFault, RowSchema } from '../resource-rules.ts'
import type { Row } from '../types.ts'

interface HiddenField {
  readonly value: unknown
  /** How many fields stood before it, so that a file keeps its order. */
  readonly place: number
}

type Fields = ReadonlyMap<string, HiddenField>

/** Private, so that `console.log` of a row does not show it either. */
class Hidden {
  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  static in(row: Row): Fields {
    const hidden: unknown = Reflect.get(row, HIDDEN)
    return hidden instanceof Hidden ? hidden.#fields : NONE
  }
}

/**
 * An enumerable symbol: `{ ...row }` carries it along, and whatever lists, compares or writes out fields does not see it.
 * So rows in forks, in effects and in the history keep what they hide.
 */
const HIDDEN = Symbol('hidden')

const NONE: Fields = new Map()

/** Takes fields out of sight, with what is to be kept of them; the row itself where it has none. */
export function hideFields(row: Row, names: readonly string[], kept = (value: unknown) => value): Row {
  const own = names.filter((name) => Object.hasOwn(row, name))
  if (own.length === 0) return row
  const order = Object.keys(row)
  const fields = new Map(Hidden.in(row))
  let shown = row
  for (const name of own) {
    const { [name]: value, ...others } = shown
    fields.set(name, { value: kept(value), place: fields.get(name)?.place ?? order.indexOf(name) })
    shown = others
  }
  return carrying(shown, fields)
}

export function carryHidden(row: Row, from: Row): Row {
  const carried = Hidden.in(from)
  const own = Hidden.in(row)
  if (carried === own || carried.size === 0) return row
  return carrying(row, new Map([...carried, ...own]))
}

/** A row as it is stored: what it hides is back in its place. */
export function withHidden(row: Row): Row {
  const fields = isRow(row) ? Hidden.in(row) : NONE
  if (fields.size === 0) return row
  const entries = Object.entries(row)
  for (const [name, { value, place }] of [...fields].sort(([, a], [, b]) => a.place - b.place)) {
    if (!Object.hasOwn(row, name)) entries.splice(place, 0, [name, value])
  }
  return Object.fromEntries(entries)
}

/** Whether a row hides the field that a path leads to, or into. */
export function hides(row: Row, path: string): boolean {
  const fields = Hidden.in(row)
  return fields.size > 0 && (fields.has(path) || fields.has(path.split('.', 1)[0] ?? ''))
}

/** What is wrong with a row that is stored. What it hides was judged when it was sent. */
export function faultsOfStored(schema: RowSchema, row: Row): readonly FieldFault[] {
  return schema.faultsOf(row).filter(({ path }) => !hides(row, path))
}

export function hiddenValue(row: Row, name: string): unknown {
  return Hidden.in(row).get(name)?.value
}

export function hiddenNames(row: Row): readonly string[] {
  return [...Hidden.in(row).keys()]
}

function carrying(row: Row, fields: Fields): Row {
  return { ...row, [HIDDEN]: new Hidden(fields) }
}
