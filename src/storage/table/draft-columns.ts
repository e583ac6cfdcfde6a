import type { KeyColumn, Lookup, Row } from '../types.ts'
import type { RowStates } from './row-states.ts'

interface Column {
  readonly column: KeyColumn
  readonly rows: Map<string, Set<Row>>
}

/**
 * The rows that a draft added or replaced, by computed keys. Kept current, so that many changes of one group that ask for
 * the same do not each group all rows again.
 */
export class DraftColumns {
  readonly #states: RowStates
  readonly #columns = new Map<string, Column>()

  constructor(states: RowStates) {
    this.#states = states
  }

  /** Rows of the draft by a key, given the base's. Unordered, and valid until the next change. */
  lookup(column: KeyColumn, base: Lookup): Lookup {
    const { removed, replaced } = this.#states
    const { rows } = this.#column(column)
    return (key) => [
      ...base(key).filter((row) => !removed.has(row) && !replaced.has(row)),
      ...(rows.get(key) ?? []),
    ]
  }

  add(row: Row): void {
    for (const column of this.#columns.values()) enter(column, row)
  }

  delete(row: Row): void {
    for (const { column, rows } of this.#columns.values()) {
      for (const key of column.keysOf(row)) rows.get(key)?.delete(row)
    }
  }

  /** Call before the states are rolled back. */
  rollBack(): void {
    if (this.#columns.size === 0) return
    for (const { origin, before, after } of this.#states.differences()) {
      if (before === after) continue
      if (after) this.delete(after)
      // A row of the base is not among ours.
      if (before && (before !== origin || this.#states.isInsertion(origin))) this.add(before)
    }
  }

  #column(column: KeyColumn): Column {
    const known = this.#columns.get(column.name)
    if (known) return known
    const made = { column, rows: new Map<string, Set<Row>>() }
    for (const row of this.#states.replaced.values()) enter(made, row)
    for (const row of this.#states.added) enter(made, row)
    this.#columns.set(column.name, made)
    return made
  }
}

function enter({ column, rows }: Column, row: Row): void {
  for (const key of column.keysOf(row)) {
    const known = rows.get(key)
    if (known) known.add(row)
    else rows.set(key, new Set([row]))
  }
}
