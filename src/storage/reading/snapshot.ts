import type { Database, Part } from '../data/database.ts'
import type { Entry } from '../data/lookup.ts'
import type { Source } from '../data/source.ts'
import { Table } from '../data/table.ts'
import type { Naming, Row } from '../types.ts'
import { limitTo } from '../view/limit-to.ts'
import { rightsIn, type View } from '../view.ts'

/** Whose data is read. */
interface Owner {
  readonly database: Database
  readonly naming: Naming
}

/** The data as it was when a read began, and what the read looked at. */
export class Snapshot implements Source {
  readonly naming: Naming
  readonly #owner: Owner
  readonly #database: Database
  readonly #view: View | undefined
  readonly #limited: Source | undefined
  #row: (Entry & { readonly collection: string }) | undefined
  /** Versions instead of tables: a kept response must not keep all rows of a replaced file in memory. */
  readonly #touched = new Map<string, unknown>()

  constructor(owner: Owner, view?: View) {
    this.naming = owner.naming
    this.#owner = owner
    this.#database = owner.database
    this.#view = view
    this.#limited = view && limitTo(this.#whole(), view)
  }

  names(): readonly string[] {
    return this.#database.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.#database.kindOf(name)
  }

  table(name: string): Table | undefined | Promise<Table | undefined> {
    this.#touch(name)
    return this.#limited ? this.#limited.table(name) : this.#database.table(name)
  }

  object(name: string): Row | undefined {
    this.#touch(name)
    return this.#limited ? this.#limited.object(name) : this.#database.object(name)
  }

  /** Everything, also what is not served. */
  get parts(): ReadonlyMap<string, Part> {
    return this.#database.parts
  }

  /** Whether the client may read nothing of a collection at all. */
  isHidden(name: string): boolean {
    return this.#view !== undefined && rightsIn(this.#view, name).read.reach === 'none'
  }

  /** The read found this row, and nothing else matters: it is current as long as the row is there. */
  touchRow(collection: string, { row, rank }: Entry): void {
    this.#row = { collection, row, rank }
  }

  /** Whether what the read looked at is what it was. */
  get isCurrent(): boolean {
    const { database } = this.#owner
    if (database === this.#database) return true
    const row = this.#row
    if (row) return database.table(row.collection)?.row(row.rank) === row.row
    for (const [name, version] of this.#touched)
      if (versionOf(database.parts.get(name)) !== version) return false
    return true
  }

  #touch(name: string): void {
    this.#touched.set(name, versionOf(this.#database.parts.get(name)))
  }

  #whole(): Source {
    const database = this.#database
    return {
      naming: this.naming,
      names: () => database.names(),
      kindOf: (name) => database.kindOf(name),
      table: (name) => database.table(name),
      object: (name) => database.object(name),
    }
  }
}

function versionOf(part: Part): unknown {
  return part instanceof Table ? part.version : part
}
