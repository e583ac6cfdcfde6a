import { type Work, workAtOnce } from '../../work/in-slices.ts'
import type { Effect } from '../commit.ts'
import type { Catalog } from '../engine.ts'
import { revealRows } from '../hidden/conceal.ts'
import { isRow } from '../is-row.ts'
import { RowsImage } from '../json/rows-image.ts'
import { toText } from '../query/value/text.ts'
import type { Collection } from '../table/collection.ts'
import { makeAnew, type Remember } from '../table/next-id.ts'
import { type CreateId, type RowMaking, TableDraft } from '../table/table-draft.ts'
import { effectOf } from '../table/table-effects.ts'
import type { Data, KeyColumn, ListQuery, Lookup, Naming, Reader, Row, Selection } from '../types.ts'
import { DraftObjects } from './draft-objects.ts'
import { fieldsByPath, fieldsOfRows, type KnownFields } from './known-fields.ts'

/** What a draft reads from and, once published, writes to. */
export interface DraftBase extends Reader, Catalog {
  readonly data: Data
  /** Custom id generator, if any. */
  readonly createId?: CreateId | undefined
  /** How texts are made up for ids. */
  readonly remember?: Remember | undefined
  table(collection: string): Collection | undefined
  keyed(collection: string, column: KeyColumn): Lookup | Promise<void> | undefined
  /** Whether any row has a path. Absent where a look at the rows tells as fast. */
  hasPath?(collection: string, path: string): Work<boolean>
  /** The rows that match a query, out of `rows` if given. */
  selecting(collection: string, query: ListQuery, rows?: readonly Row[]): Work<Selection>
  /** Whether only the engine changes the data. */
  readonly isOwned: boolean
}

/**
 * The data as a group of changes would leave it. The data itself is untouched, and is what everyone reads, until the
 * file holds the changes and `publish` applies them: a failed save needs no undo. Each change ends with `settle`, or
 * with `rollBack`, which discards it.
 */
export class Draft implements Reader, Catalog {
  readonly #base: DraftBase
  readonly #data: Data
  readonly #tables = new Map<string, TableDraft>()
  readonly #objects: DraftObjects
  /** The collections touched by the current change. */
  readonly #touched = new Set<string>()

  constructor(base: DraftBase) {
    this.#base = base
    this.#data = base.data
    this.#objects = new DraftObjects(base.data)
  }

  get naming(): Naming {
    return this.#base.naming
  }

  /** How texts are made up for ids. */
  get remember(): Remember {
    return this.#base.remember ?? makeAnew
  }

  /** The resources, in the order of the data. */
  names(): readonly string[] {
    return this.#base.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.#base.kindOf(name)
  }

  get isChanged(): boolean {
    return this.#objects.changed.size > 0 || this.#changes().size > 0
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

  /** Rows by a computed key. Undefined if others may change the data. */
  keyed(collection: string, column: KeyColumn): Lookup | Promise<void> | undefined {
    const table = this.#tables.get(collection)
    const base = this.#base.keyed(collection, column)
    return table && typeof base === 'function' ? table.keyed(column, base) : base
  }

  /** The rows that match a query, through the base's indexes if the collection is unchanged. */
  selecting(collection: string, query: ListQuery): Work<Selection> {
    const table = this.#tables.get(collection)
    return this.#base.selecting(collection, query, table?.isChanged ? table.rows : undefined)
  }

  /** What fields there are: without a look at all rows, if the base can tell and the collection is unchanged. */
  fields(collection: string): KnownFields {
    const base = this.#base
    const has = base.hasPath?.bind(base, collection)
    if (!has || this.#tables.get(collection)?.isChanged) {
      return fieldsOfRows(this.rows(collection) ?? [], this.naming)
    }
    return fieldsByPath({ hasRows: (base.table(collection)?.length ?? 0) > 0, has }, this.naming)
  }

  object(name: string): Row | undefined {
    const value = this.#objects.get(name)
    return this.kindOf(name) === 'object' && isRow(value) ? value : undefined
  }

  /** Number of rows before this one in its collection. */
  *placeOf(collection: string, row: Row): Work<number> {
    const table = this.#tables.get(collection)
    if (table) return yield* table.standing.of(row)
    return this.#base.table(collection)?.positionOfRow(row) ?? -1
  }

  /** Inserts all rows or, if an id is taken, none. */
  *insert(collection: string, rows: readonly Row[], making?: RowMaking): Work<readonly Row[]> {
    const table = this.#table(collection)
    return table ? yield* table.insert(rows, collection, making) : []
  }

  /** Inserts rows as they are, ids included, at the given positions, lowest first. */
  restore(collection: string, rows: ReadonlyMap<Row, number>): void {
    this.#table(collection)?.restore(rows)
  }

  /** Moves rows that were appended to the given positions, lowest first. */
  place(collection: string, rows: ReadonlyMap<Row, number>): void {
    this.#table(collection)?.place(rows)
  }

  /** The new row must have the old one's id. */
  replace(collection: string, old: Row, next: Row): void {
    this.#table(collection)?.replace(old, next)
  }

  remove(collection: string, rows: readonly Row[]): void {
    this.#table(collection)?.remove(rows)
  }

  setObject(name: string, value: Row): void {
    this.#objects.set(name, value)
  }

  /** An empty collection, unless there is something of that name. It can be used once it is published. */
  createCollection(name: string): void {
    if (!Object.hasOwn(this.#data, name)) this.#objects.create(name)
  }

  /** The resources changed by the current change. */
  touchedNames(): readonly string[] {
    const tables = [...this.#touched].filter((name) => this.#tables.get(name)?.states.hasDifferences)
    return [...tables, ...this.#objects.touched()]
  }

  /** The effects of the current change. */
  *effects(): Work<readonly Effect[]> {
    const effects: Effect[] = []
    for (const name of this.#touched) {
      const table = this.#tables.get(name)
      const effect = table && (yield* effectOf(table, name))
      if (effect) effects.push(effect)
    }
    return [...effects, ...this.#objects.effects()]
  }

  /** Ends the current change and keeps it. */
  settle(): void {
    for (const name of this.#touched) this.#tables.get(name)?.settle()
    this.#touched.clear()
    this.#objects.settle()
  }

  /** Ends the current change and discards it. */
  rollBack(): void {
    for (const name of this.#touched) this.#tables.get(name)?.rollBack()
    this.#touched.clear()
    this.#objects.rollBack()
  }

  /** The content to write to the file. */
  image(): Data {
    const image = { ...this.#base.data }
    const changes = this.#changes()
    for (const name of this.names()) {
      const table = this.#base.table(name)
      const change = changes.get(name)
      // Media other than ours, such as a user's adapter, understand only plain rows.
      if (table && this.#base.isOwned) image[name] = new RowsImage(table, change)
      else if (change) image[name] = workAtOnce(revealRows(change.rows))
    }
    for (const [name, value] of this.#objects.changed) image[name] = value
    return image
  }

  /** If other data was loaded in the meantime, the change is dropped: it applied to the old data. */
  publish(): void {
    if (this.#base.data !== this.#data) return
    for (const [name, table] of this.#changes()) this.#base.table(name)?.apply(table)
    for (const [name, value] of this.#objects.changed) this.#base.data[name] = value
  }

  #changes(): ReadonlyMap<string, TableDraft> {
    return new Map([...this.#tables].filter(([, table]) => table.isChanged))
  }

  #table(collection: string): TableDraft | undefined {
    this.#touched.add(collection)
    const known = this.#tables.get(collection)
    if (known) return known
    const base = this.#base.table(collection)
    if (!base) return undefined
    const { naming, createId, remember } = this.#base
    const table = new TableDraft(base, { id: naming.id, createId, remember })
    this.#tables.set(collection, table)
    return table
  }
}
