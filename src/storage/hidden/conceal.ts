import { STRETCH, type Work } from '../../work/in-slices.ts'
import { isRow } from '../is-row.ts'
import type { Rules } from '../resource-rules.ts'
import type { Data, Row } from '../types.ts'
import { hiddenNames, hideFields, withHidden } from './hidden-fields.ts'

/** Which fields are hidden, by collection. */
export type HiddenNames = ReadonlyMap<string, readonly string[]>

/** Which fields rules hide. */
export function hiddenIn(rules: Rules | undefined): HiddenNames {
  const hidden = [...(rules?.resources ?? [])].map(([name, { hidden = [] }]) => [name, hidden] as const)
  return new Map(hidden.filter(([, names]) => names.length > 0))
}

/** The data with these fields of its rows hidden, and none else. */
export function conceal(data: Data, hidden: HiddenNames): Work<Data> {
  return mapRows(data, hidden, hideOnly)
}

/** The data as it is stored. */
export function reveal(data: Data, hidden: HiddenNames): Work<Data> {
  return mapRows(data, hidden, withHidden)
}

/** Rows as they are stored; the same list if none hides anything. */
export function* revealRows(rows: readonly Row[]): Work<readonly Row[]> {
  let revealed: Row[] | undefined
  for (let at = 0; at < rows.length; at++) {
    if (at % STRETCH === STRETCH - 1) yield
    const row = rows[at]
    const whole = row && withHidden(row)
    if (!whole || whole === row) continue
    revealed ??= rows.slice()
    revealed[at] = whole
  }
  return revealed ?? rows
}

/** Whether two policies hide the same. A collection that is not named hides nothing. */
export function hidesSame(a: HiddenNames, b: HiddenNames): boolean {
  return [...a.keys(), ...b.keys()].every((name) => String(a.get(name) ?? '') === String(b.get(name) ?? ''))
}

function* mapRows(
  data: Data,
  hidden: HiddenNames,
  map: (row: Row, names: readonly string[]) => Row,
): Work<Data> {
  const mapped = { ...data }
  for (const [name, names] of hidden) {
    const rows = Object.hasOwn(data, name) ? data[name] : undefined
    if (!Array.isArray(rows)) continue
    const list: unknown[] = []
    for (const row of rows.slice()) {
      list.push(isRow(row) ? map(row, names) : row)
      if (list.length % STRETCH === 0) yield
    }
    mapped[name] = list
  }
  return mapped
}

function hideOnly(row: Row, names: readonly string[]): Row {
  const isOther = hiddenNames(row).some((name) => !names.includes(name))
  return hideFields(isOther ? withHidden(row) : row, names)
}
