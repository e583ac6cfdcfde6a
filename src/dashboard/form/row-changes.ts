import type { Row } from '../data/rows.ts'

export interface FieldChange {
  readonly name: string
  /** Undefined if the row did not have the field, or no longer has it. */
  readonly before: unknown
  readonly after: unknown
}

/** The fields in which two versions of a row differ. */
export function changesBetween(before: Row, after: Row): readonly FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .map((name) => ({ name, before: own(before, name), after: own(after, name) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

function own(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined
}

export function applyChanges(row: Row, changes: readonly FieldChange[]): Row {
  const names = new Set(changes.map(({ name }) => name))
  const untouched = Object.entries(row).filter(([name]) => !names.has(name))
  const changed = changes.filter(({ after }) => after !== undefined).map(({ name, after }) => [name, after])
  // `fromEntries`, because a field may be called `__proto__`.
  return Object.fromEntries([...untouched, ...changed])
}
