import type { BaseRows, TableChange } from '../table/collection.ts'
import { Table } from '../table/table.ts'
import type { Row } from '../types.ts'

/**
 * A table as it was at some moment. It is the table itself, indexes included, until that is about to change: then a copy
 * of its array of rows. So the owner keeps its indexes whatever it writes, and a snapshot that nobody overtakes is free.
 */
export class TableSnapshot implements BaseRows {
  readonly #id: string
  #table: Table
  /** Whether the table has changed since. */
  isCopy = false

  /** Call `detach` before the table changes. */
  constructor(table: Table, id: string) {
    this.#table = table
    this.#id = id
  }

  /** The table with these rows at present. Another one after `detach`: what was found in the old one may be wrong. */
  get table(): Table {
    return this.#table
  }

  detach(): void {
    this.isCopy = true
    this.#table = new Table(this.#table.rows.slice(), this.#id, this.#table)
  }

  get rows(): readonly Row[] {
    return this.#table.rows
  }

  get length(): number {
    return this.#table.length
  }

  find(id: string): Row | undefined {
    return this.#table.find(id)
  }

  positionOfRow(row: Row): number {
    return this.#table.positionOfRow(row)
  }

  get hasDuplicates(): boolean {
    return this.#table.hasDuplicates
  }

  twinsOf(id: string): readonly Row[] {
    return this.#table.twinsOf(id)
  }

  highestId(): unknown {
    return this.#table.highestId()
  }

  get hasNumbersOnly(): boolean {
    // It counts what `highestId` has seen, and the table may be new.
    this.#table.highestId()
    return this.#table.hasNumbersOnly
  }
}

/** Where a fork of a table starts: a snapshot, and the changes since. */
export interface TableOrigin {
  readonly snapshot: TableSnapshot
  readonly changes: readonly TableChange[]
}

/** Above this many rows changed since the last snapshot, a fork takes a new one. */
const MOST_CHANGED = 256

interface Followed {
  readonly snapshot: TableSnapshot
  readonly changes: TableChange[]
  size: number
}

const followed = new WeakMap<Table, Followed>()

/**
 * The table as it is now. Many forks share a snapshot, also those with a few changes of the table between them:
 * otherwise each of them would keep an array of all rows, and an index of their ids.
 */
export function originOf(table: Table, id: string): TableOrigin {
  const known = followed.get(table) ?? followTable(table, id)
  return { snapshot: known.snapshot, changes: known.changes.slice() }
}

function followTable(table: Table, id: string): Followed {
  const known: Followed = { snapshot: new TableSnapshot(table, id), changes: [], size: 0 }
  followed.set(table, known)
  table.follow((change) => {
    if (known.changes.length === 0) known.snapshot.detach()
    const { added, replaced, removed, places } = change
    known.changes.push({
      added: added.slice(),
      replaced: new Map(replaced),
      removed: new Set(removed),
      places: new Map(places),
    })
    known.size += added.length + replaced.size + removed.size
    if (known.size <= MOST_CHANGED) return
    table.follow(undefined)
    followed.delete(table)
  })
  return known
}
