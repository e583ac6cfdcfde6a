import { isObject } from '../../json/values.ts'
import type { Computed, FieldFault } from '../resource-rules.ts'
import type { Row } from '../types.ts'

/** Names of the fields of a row that are not stored. Enumerable, so that `{ ...row }` copies it. */
const COMPUTED = Symbol('computed')

/** The row with its computed fields, which are the last ones. What it has under their names is dropped. */
export function withComputed(row: Row, computed: Computed | undefined): Row {
  if (!computed || !isObject(row)) return row
  const plain = withoutFields(row, Object.keys(computed))
  const next: Row = { ...plain, [COMPUTED]: Object.keys(computed) }
  for (const [name, compute] of Object.entries(computed)) {
    const value = compute({ ...plain })
    if (value !== undefined) next[name] = value
  }
  return next
}

export function computedIn(row: Row): readonly string[] {
  const names: unknown = isObject(row) ? Reflect.get(row, COMPUTED) : undefined
  return Array.isArray(names) ? names : []
}

/** The row as it is stored. */
export function withoutComputed(row: Row): Row {
  const names = computedIn(row)
  if (names.length === 0) return row
  const { [COMPUTED]: _, ...stored } = withoutFields(row, names) as Row & { [COMPUTED]?: unknown }
  return stored
}

/** The faults that are about other fields than these. */
export function faultsBesides(
  names: readonly string[],
  faults: readonly FieldFault[],
): readonly FieldFault[] {
  return faults.filter(({ path }) => !names.some((name) => path === name || path.startsWith(`${name}.`)))
}

export function withoutFields(row: Row, names: readonly string[]): Row {
  if (!names.some((name) => Object.hasOwn(row, name))) return row
  const rest = { ...row }
  for (const name of names) delete rest[name]
  return rest
}
