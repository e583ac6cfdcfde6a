import { StorageError } from '../../errors.ts'
import type { Work } from '../../work/in-slices.ts'
import { fieldText } from '../index/id-index.ts'
import { toText } from '../query/value/text.ts'
import type { KeyColumn, Lookup, Row } from '../types.ts'
import type { BaseRows, TableChange } from './collection.ts'
import { DraftColumns } from './draft-columns.ts'
import { DraftIds } from './draft-ids.ts'
import { DraftOrder } from './draft-order.ts'
import { DraftPlaces } from './draft-places.ts'
import { FirstById } from './first-by-id.ts'
import { freeId, higherId, nextId, type Remember } from './next-id.ts'
import { RowStates } from './row-states.ts'

export type CreateId = (rows: readonly Row[], row: Row) => unknown

/** How rows are made of those that are inserted. */
export interface RowMaking {
  /** Keeps an id of 0, too. @default false */
  readonly keepsIds?: boolean | undefined
  /** Makes an id, given the row, the highest there is, and what makes the usual one. */
  readonly newId?: ((row: Row, highest: unknown, usual: () => unknown) => unknown) | undefined
  /** Whether an id must not be given to a new row, though no row has it. */
  readonly isTaken?: ((id: string) => boolean) | undefined
  /** Called with each row, once it has its id. */
  readonly complete?: ((row: Row) => Row) | undefined
}

export interface TableDraftOptions {
  readonly id: string
  readonly createId?: CreateId | undefined
  readonly remember?: Remember | undefined
}

/**
 * One collection as a group of changes would leave it, and the difference to its base. Each change ends with `settle`,
 * or with `rollBack`, which discards it.
 */
export class TableDraft implements TableChange {
  readonly states = new RowStates()
  readonly standing: DraftPlaces
  readonly #base: BaseRows
  readonly #options: TableDraftOptions
  readonly #order: DraftOrder
  readonly #firsts: FirstById
  readonly #columns: DraftColumns
  #ids: DraftIds

  constructor(base: BaseRows, options: TableDraftOptions) {
    this.#base = base
    this.#options = options
    this.#order = new DraftOrder(base, this.states)
    this.standing = new DraftPlaces(base, this.states, this.#order)
    this.#firsts = new FirstById(base, options.id, this.states, this.#order)
    this.#columns = new DraftColumns(this.states)
    this.#ids = new DraftIds(base, options.id, this.#order)
  }

  get length(): number {
    return this.#order.length
  }

  /** The highest id, as defined by `nextId`. */
  highestId(): unknown {
    return this.#ids.highest()
  }

  /** Whether no inserted row has another id than a number. */
  get addsNumbersOnly(): boolean {
    return this.#ids.addsNumbersOnly
  }

  /** Whether a row was inserted with an id that was taken. */
  get hasNewTwins(): boolean {
    return this.#firsts.hasNewTwins
  }

  /** Built on demand: most changes are saved without reading the other rows. */
  get rows(): readonly Row[] {
    return this.#order.rows
  }

  get added(): readonly Row[] {
    return this.states.added
  }

  get replaced(): ReadonlyMap<Row, Row> {
    return this.states.replaced
  }

  get removed(): ReadonlySet<Row> {
    return this.states.removed
  }

  get places(): ReadonlyMap<Row, number> {
    return this.#order.places
  }

  get isChanged(): boolean {
    return this.states.isChanged
  }

  /** Whether existing rows are all unchanged and in place. */
  get onlyAdds(): boolean {
    return this.replaced.size === 0 && this.removed.size === 0 && !this.#order.isOrdered
  }

  find(id: string): Row | undefined {
    return this.#firsts.find(id)
  }

  /** Rows by a field, given the base's lookup. Unordered, and valid until the next change. */
  lookup(field: string, base: Lookup): Lookup {
    return this.keyed({ name: `field ${field}`, keysOf: (row) => textsOf(row, field) }, base)
  }

  /** The same by a computed key. */
  keyed(column: KeyColumn, base: Lookup): Lookup {
    return this.#columns.lookup(column, base)
  }

  /** Inserts all rows or, if an id is taken, none. A falsy id counts as missing, as in json-server, unless it is kept. */
  *insert(
    rows: readonly Row[],
    collection: string,
    { newId, keepsIds, isTaken = () => false, complete }: RowMaking = {},
  ): Work<readonly Row[]> {
    const { id: idName, createId, remember } = this.#options
    const taken = new Set<string>()
    let highest = this.#ids.highest()
    const inserted: Row[] = []
    // A custom id generator gets all rows, each time.
    const all = createId ? this.rows.slice() : undefined
    for (const given of rows) {
      // A row may have thousands of fields.
      if (inserted.length > 0) yield
      const usual = () => (all && createId?.(all, given)) ?? nextId(highest, remember)
      const makeId = () => freeId(newId ? newId(given, highest, usual) : usual(), isTaken, remember)
      const id = given[idName]
      const made = { ...given, [idName]: (keepsIds ? id : id || undefined) ?? makeId() }
      const row = complete ? complete(made) : made
      const text = toText(row[idName])
      if (taken.has(text) || this.find(text)) {
        throw new StorageError('DUPLICATE_ID', `${collection} already has an item with ${idName} ${text}`)
      }
      taken.add(text)
      highest = higherId(highest, row, idName)
      inserted.push(row)
      all?.push(row)
    }
    for (const row of inserted) this.#add(row)
    this.#ids.noteInsertion(inserted, { highest })
    return inserted
  }

  /** Inserts rows as they are, ids included, at the given positions, lowest first. */
  restore(rows: ReadonlyMap<Row, number>): void {
    this.append([...rows.keys()])
    this.place(rows)
  }

  /** Inserts rows as they are, ids included, at the end. */
  append(rows: readonly Row[]): void {
    for (const row of rows) this.#add(row)
    this.#ids.noteInsertion(rows)
  }

  /** Moves rows that were appended to the given positions, lowest first. */
  place(rows: ReadonlyMap<Row, number>): void {
    this.#order.place(rows)
    for (const row of rows.keys()) this.#firsts.notePlace(row)
    this.#ids.noteInsertion([])
  }

  /** The new row must have the old one's id. */
  replace(old: Row, next: Row): void {
    this.#order.noteReplacement(old, next)
    this.states.replace(old, next)
    this.#columns.delete(old)
    this.#columns.add(next)
    this.#firsts.noteReplacement(old, next)
  }

  remove(rows: readonly Row[]): void {
    const gone = new Set(rows)
    this.#order.noteRemovals(gone)
    for (const row of gone) {
      this.standing.noteRemoval(row)
      this.states.remove(row)
      this.#columns.delete(row)
      this.#ids.noteRemoval(row)
    }
    this.#firsts.noteRemovals(gone)
  }

  /** Ends the current change and keeps it. */
  settle(): void {
    this.states.settle()
    this.#order.settle()
    this.#firsts.settle()
  }

  /** Ends the current change and discards it. */
  rollBack(): void {
    this.#columns.rollBack()
    this.states.rollBack()
    this.#order.rollBack()
    this.standing.rollBack()
    this.#firsts.rollBack()
    this.#ids = new DraftIds(this.#base, this.#options.id, this.#order)
    for (const row of this.removed) this.#ids.noteRemoval(row)
    this.#ids.noteInsertion(this.added)
  }

  /** Whether another row has the same id, or may have had it before the changes. */
  hasTwin(row: Row): boolean {
    return this.#firsts.hasTwin(row)
  }

  #add(row: Row): void {
    this.#order.noteAddition(row)
    this.states.insert(row)
    this.#columns.add(row)
    this.#firsts.noteAddition(row)
  }
}

function textsOf(row: Row, field: string): readonly string[] {
  const text = fieldText(row, field)
  return text === undefined ? [] : [text]
}
