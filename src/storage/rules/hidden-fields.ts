import { isObject } from '../../json/values.ts'
import type { FieldFault, RowSchema } from '../resource-rules.ts'
import type { Row } from '../types.ts'
import { computedIn, faultsBesides, withoutComputed } from './computed-fields.ts'

interface HiddenField {
  readonly value: unknown
  /** How many fields are before it, so that a file keeps its order. */
  readonly position: number
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

/** Enumerable: `{ ...row }` copies it, while whatever lists, compares or writes fields does not see it. */
const HIDDEN = Symbol('hidden')

const NONE: Fields = new Map()

/** Hides fields of a row, with what `seal` makes of their values. The row itself if it has none of them. */
export function hideFields(row: Row, names: readonly string[], seal = (value: unknown) => value): Row {
  const own = names.filter((name) => Object.hasOwn(row, name))
  if (own.length === 0) return row
  const order = Object.keys(row)
  const fields = new Map(Hidden.in(row))
  let shown = row
  for (const name of own) {
    const { [name]: value, ...others } = shown
    fields.set(name, { value: seal(value), position: fields.get(name)?.position ?? order.indexOf(name) })
    shown = others
  }
  return withHiddenMap(shown, fields)
}

export function carryHidden(row: Row, from: Row): Row {
  const carried = Hidden.in(from)
  const own = Hidden.in(row)
  if (carried === own || carried.size === 0) return row
  return withHiddenMap(row, new Map([...carried, ...own]))
}

/** A row as it is stored: with its hidden fields where they were, and without computed ones. */
export function asStored(served: Row): Row {
  const row = withoutComputed(served)
  const fields = isObject(row) ? Hidden.in(row) : NONE
  if (fields.size === 0) return row
  const entries = Object.entries(row)
  for (const [name, { value, position }] of [...fields].sort(([, a], [, b]) => a.position - b.position)) {
    if (!Object.hasOwn(row, name)) entries.splice(position, 0, [name, value])
  }
  return Object.fromEntries(entries)
}

export function hides(row: Row, path: string): boolean {
  const fields = Hidden.in(row)
  return fields.size > 0 && (fields.has(path) || fields.has(path.split('.', 1)[0] ?? ''))
}

/** Hidden fields were checked when they were sent. */
export function faultsOfStored(schema: RowSchema, row: Row): readonly FieldFault[] {
  const faults = faultsBesides(computedIn(row), schema.faultsOf(withoutComputed(row)))
  return faults.filter(({ path }) => !hides(row, path))
}

export function hiddenValue(row: Row, name: string): unknown {
  return Hidden.in(row).get(name)?.value
}

function withHiddenMap(row: Row, fields: Fields): Row {
  return { ...row, [HIDDEN]: new Hidden(fields) }
}

/** Hides exactly these fields. */
export function hideOnly(row: Row, names: readonly string[]): Row {
  const isOther = [...Hidden.in(row).keys()].some((name) => !names.includes(name))
  return hideFields(isOther ? asStored(row) : row, names)
}
