import { isRow } from '../is-row.ts'
import type { Row } from '../types.ts'

interface HiddenField {
  readonly value: unknown
  /** How many fields stood before it, so that a file keeps its order. */
  readonly place: number
}

type Fields = ReadonlyMap<string, HiddenField>

/** What a row carries out of sight. Private, so that `console.log` of a row does not show it either. */
class Hidden {
  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  get fields(): Fields {
    return this.#fields
  }
}

/**
 * An enumerable symbol: `{ ...row }` carries it along, and whatever lists, compares or writes out fields does not see it.
 * So rows in forks, in effects and in the history keep what they hide.
 */
const HIDDEN = Symbol('hidden')

const NONE: Fields = new Map()

/**
 * Takes fields out of sight; the row itself where it has none of them.
 * @param kept what is kept of a value
 */
export function hideFields(row: Row, names: readonly string[], kept = (value: unknown) => value): Row {
  const own = names.filter((name) => Object.hasOwn(row, name))
  if (own.length === 0) return row
  const order = Object.keys(row)
  const fields = new Map(fieldsIn(row))
  let shown = row
  for (const name of own) {
    const { [name]: value, ...others } = shown
    fields.set(name, { value: kept(value), place: fields.get(name)?.place ?? order.indexOf(name) })
    shown = others
  }
  return carrying(shown, fields)
}

/** The row with what another one hides, unless it hides that itself. */
export function carryHidden(row: Row, from: Row): Row {
  const carried = fieldsIn(from)
  const own = fieldsIn(row)
  if (carried === own || carried.size === 0) return row
  return carrying(row, new Map([...carried, ...own]))
}

/** A row as it is stored: what it hides is back in its place. */
export function withHidden(row: Row): Row {
  const fields = isRow(row) ? fieldsIn(row) : NONE
  if (fields.size === 0) return row
  const entries = Object.entries(row)
  for (const [name, { value, place }] of [...fields].sort(([, a], [, b]) => a.place - b.place)) {
    if (!Object.hasOwn(row, name)) entries.splice(place, 0, [name, value])
  }
  return Object.fromEntries(entries)
}

/** Whether a row hides the field that a path leads to, or into. */
export function hides(row: Row, path: string): boolean {
  const fields = fieldsIn(row)
  return fields.size > 0 && (fields.has(path) || fields.has(path.split('.', 1)[0] ?? ''))
}

/** The value of a hidden field, for a login that compares with it. */
export function hiddenValue(row: Row, name: string): unknown {
  return fieldsIn(row).get(name)?.value
}

/** The names of the fields that a row hides. */
export function hiddenNames(row: Row): readonly string[] {
  return [...fieldsIn(row).keys()]
}

function fieldsIn(row: Row): Fields {
  const hidden: unknown = Reflect.get(row, HIDDEN)
  return hidden instanceof Hidden ? hidden.fields : NONE
}

function carrying(row: Row, fields: Fields): Row {
  const carrier = { ...row, [HIDDEN]: new Hidden(fields) }
  return carrier
}
