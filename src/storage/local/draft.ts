import { type Work, workAtOnce } from '../../work/in-slices.ts'
import { RowsImage } from '../json/rows-image.ts'
import { toText } from '../query/value/text.ts'
import type { Table } from '../table/table.ts'
import { type CreateId, TableDraft } from '../table/table-draft.ts'
import type { Data, Lookup, Naming, Reader, Row } from '../types.ts'

/** What a draft reads from and, once published, writes to. */
export interface DraftBase extends Reader {
  readonly data: Data
  readonly naming: Naming
  /** Whether nobody but the store changes the data. */
  readonly isOwned: boolean
  /** How ids are made, where it is not the usual way. */
  readonly createId?: CreateId | undefined
  names(): readonly string[]
  table(collection: string): Table | undefined
}

/**
 * What a batch of writes would make of the data. The data itself stays as it is, and is what everybody reads,
 * until the file holds the change and `publish` carries it over: a failed save needs no undoing.
 */
export class Draft implements Reader {
  readonly #base: DraftBase
  readonly #data: Data
  readonly #tables = new Map<string, TableDraft>()
  readonly #objects = new Map<string, unknown>()

  constructor(base: DraftBase) {
    this.#base = base
    this.#data = base.data
  }

  get naming(): Naming {
    return this.#base.naming
  }

  /** The collections, in the order of the data. */
  names(): readonly string[] {
    return this.#base.names()
  }

  get isChanged(): boolean {
    return this.changedNames().length > 0
  }

  /** The collections and objects that would not be the same. */
  changedNames(): readonly string[] {
    return [...this.#changes().keys(), ...this.#objects.keys()]
  }

  rows(collection: string): readonly Row[] | undefined {
    return this.#tables.get(collection)?.rows ?? this.#base.rows(collection)
  }

  find(collection: string, id: unknown): Row | undefined {
    if (id === undefined || id === null) return undefined
    const table = this.#tables.get(collection)
    return table ? table.find(toText(id)) : this.#base.find(collection, id)
  }

  lookup(collection: string, field: string): Lookup | Promise<void> | undefined {
    const table = this.#tables.get(collection)
    const base = this.#base.lookup(collection, field)
    return table && typeof base === 'function' ? table.lookup(field, base) : base
  }

  object(name: string): unknown {
    return this.#objects.has(name) ? this.#objects.get(name) : this.#base.data[name]
  }

  /** All rows or, when an id is taken, none. */
  insert(collection: string, rows: readonly Row[]): readonly Row[] {
    return workAtOnce(this.insertMany(collection, rows))
  }

  /** The same for any number of rows. */
  *insertMany(collection: string, rows: readonly Row[]): Work<readonly Row[]> {
    const table = this.#table(collection)
    return table ? yield* table.insert(rows, collection) : []
  }

  /** Lets a row that was inserted here stand at this place instead of the end, as when its removal is undone. */
  place(collection: string, row: Row, place: number): void {
    this.#table(collection)?.place(row, place)
  }

  /** How many rows of its collection stand before this one. */
  placeOf(collection: string, row: Row): number {
    const changed = this.#tables.get(collection)
    return changed ? changed.rows.indexOf(row) : (this.#base.table(collection)?.positionOfRow(row) ?? -1)
  }

  replace(collection: string, old: Row, next: Row): void {
    this.#table(collection)?.replace(old, next)
  }

  remove(collection: string, rows: readonly Row[]): void {
    this.#table(collection)?.remove(rows)
  }

  setObject(name: string, value: unknown): void {
    this.#objects.set(name, value)
  }

  /** What the file has to hold for this draft to be saved. */
  image(): Data {
    const image = { ...this.#base.data }
    const changes = this.#changes()
    for (const name of this.names()) {
      const table = this.#base.table(name)
      const change = changes.get(name)
      // A medium that is not ours, such as an adapter of the user's own, knows nothing but rows.
      if (table && this.#base.isOwned) image[name] = new RowsImage(table, change)
      else if (change) image[name] = change.rows
    }
    for (const [name, value] of this.#objects) image[name] = value
    return image
  }

  /** Where other data was put in place meanwhile, the change is history: it belongs to what was there before. */
  publish(): void {
    if (this.#base.data !== this.#data) return
    for (const [name, table] of this.#changes()) this.#base.table(name)?.apply(table)
    for (const [name, value] of this.#objects) this.#base.data[name] = value
  }

  #changes(): ReadonlyMap<string, TableDraft> {
    return new Map([...this.#tables].filter(([, table]) => table.isChanged))
  }

  #table(collection: string): TableDraft | undefined {
    const known = this.#tables.get(collection)
    if (known) return known
    const base = this.#base.table(collection)
    if (!base) return undefined
    const { naming, isOwned, createId } = this.#base
    const table = new TableDraft(base, { id: naming.id, isOwned, createId })
    this.#tables.set(collection, table)
    return table
  }
}
