import type { Database, TableSource } from './data/database.ts'
import { isFoundIn } from './data/lookup.ts'
import { Table } from './data/table.ts'
import { idOf } from './id-of.ts'
import type { Naming, Row } from './types.ts'

export interface Owner {
  readonly database: Database
  readonly naming: Naming
}

/** The data when a read began, and a record of what it looked at. */
export class TrackedRead implements TableSource {
  readonly naming: Naming
  /** Dropped after the read: a cached response must not keep a replaced file's rows in memory. */
  database: Database
  readonly #owner: Owner
  /** Versions instead of tables, for the same reason. */
  readonly touched = new Map<string, unknown>()
  /** Files may come and go while the tables of others stay. */
  #names: string | undefined
  #item: { readonly collection: string; readonly row: Row; version: unknown } | undefined

  constructor(owner: Owner) {
    this.naming = owner.naming
    this.database = owner.database
    this.#owner = owner
  }

  names(): readonly string[] {
    const names = this.database.names()
    this.#names = names.join()
    return names
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.database.kindOf(name)
  }

  table(name: string): Table | undefined {
    const part = this.database.parts.get(name)
    const table = part instanceof Table ? part : undefined
    this.touched.set(name, table ? table.version : part)
    return table
  }

  object(name: string): Row | undefined {
    this.table(name)
    return this.database.object(name)
  }

  /** The result is this row, found by its id: the others do not matter. */
  touchRow(collection: string, row: Row): void {
    this.#item = { collection, row, version: this.database.table(collection)?.version }
  }

  isCurrent(): boolean {
    const { database, naming } = this.#owner
    if (naming !== this.naming) return false
    const item = this.#item
    if (item) {
      const table = database.table(item.collection)
      if (!table) return false
      const isSame = table.version === item.version
      if (!isSame && !isFoundIn(table, idOf(item.collection, naming), item.row)) return false
      item.version = table.version
      return true
    }
    if (this.#names !== undefined && database.names().join() !== this.#names) return false
    for (const [name, version] of this.touched) {
      const part = database.parts.get(name)
      if ((part instanceof Table ? part.version : part) !== version) return false
    }
    return true
  }
}
