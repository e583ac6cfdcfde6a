import { StorageError } from '../../errors.ts'
import { type Work, workAtOnce } from '../../work/in-slices.ts'
import { idOf } from '../index/id-index.ts'
import { groupRows } from '../index/lookup.ts'
import { toText } from '../query/value/text.ts'
import type { Lookup, Row } from '../types.ts'
import { DraftIds } from './draft-ids.ts'
import { moveToPlaces } from './move-to-places.ts'
import { higherId, nextId } from './next-id.ts'
import type { Table, TableChange } from './table.ts'

export type CreateId = (rows: readonly Row[], row: Row) => unknown

export interface TableDraftOptions {
  readonly id: string
  readonly isOwned: boolean
  readonly createId?: CreateId | undefined
}

/** One collection as a batch of writes would leave it, and the difference that takes it there. */
export class TableDraft implements TableChange {
  readonly replaced = new Map<Row, Row>()
  readonly removed = new Set<Row>()
  places: ReadonlyMap<string, number> = new Map()
  readonly #base: Table
  readonly #options: TableDraftOptions
  /** What was found out about all of it, until something changes. */
  #rows: Row[] | undefined
  #added: readonly Row[] | undefined
  /** A row as it was put in → as it is now, in the order in which they came. */
  readonly #insertions = new Map<Row, Row>()
  /** A row that stands in the place of another → that one: of the base, or as it was put in. */
  readonly #origins = new Map<Row, Row>()
  readonly #changed = new Map<string, Row | undefined>()
  readonly #ids: DraftIds

  constructor(base: Table, options: TableDraftOptions) {
    this.#base = base
    this.#options = options
    this.#ids = new DraftIds(base, options, () => this.rows)
  }

  /** Made when asked for: most batches are saved without a look at the rows that stay. */
  get rows(): readonly Row[] {
    this.#rows ??= this.#makeRows()
    return this.#rows
  }

  get added(): readonly Row[] {
    this.#added ??= [...this.#insertions.values()]
    return this.#added
  }

  get isChanged(): boolean {
    return this.#insertions.size > 0 || this.replaced.size > 0 || this.removed.size > 0
  }

  /** Whether what was there stays, and stays where it is. */
  get onlyAdds(): boolean {
    return this.replaced.size === 0 && this.removed.size === 0 && this.places.size === 0
  }

  find(id: string): Row | undefined {
    if (this.#changed.has(id)) return this.#changed.get(id)
    return this.#base.rows[this.#base.positionOf(id, this.#options.isOwned)]
  }

  /** Rows by a field, given those of the base. In no certain order, and right until something changes. */
  lookup(field: string, base: Lookup): Lookup {
    const own = workAtOnce(groupRows([...this.replaced.values(), ...this.added], field))
    return (text) => [
      ...base(text).filter((row) => !this.removed.has(row) && !this.replaced.has(row)),
      ...own(text),
    ]
  }

  /** All rows or, when an id is taken, none. A falsy id counts as none given, as in json-server. */
  *insert(rows: readonly Row[], collection: string): Work<readonly Row[]> {
    const { id: idName, createId } = this.#options
    const taken = new Set<string>()
    let highest = this.#ids.highest()
    const inserted: Row[] = []
    // Who makes ids by himself is shown all rows, each time.
    const all = createId ? this.rows.slice() : undefined
    for (const given of rows) {
      // Each may have thousands of fields.
      if (inserted.length > 0) yield
      const makeId = () => (all && createId?.(all, given)) ?? nextId(highest)
      const row = { ...given, [idName]: given[idName] || makeId() }
      const id = toText(row[idName])
      if (taken.has(id) || this.find(id)) {
        throw new StorageError('DUPLICATE_ID', `${collection} already has an item with ${idName} ${id}`)
      }
      taken.add(id)
      highest = higherId(highest, row, idName)
      inserted.push(row)
      all?.push(row)
    }

    this.#added = undefined
    for (const row of inserted) {
      this.#rows?.push(row)
      this.#insertions.set(row, row)
      this.#changed.set(toText(row[idName]), row)
    }
    this.#ids.noteInsertion(inserted, highest)
    return inserted
  }

  /** Lets a row that was inserted here stand at this place instead of the end, as when its removal is undone. */
  place(row: Row, place: number): void {
    const others = this.rows.filter((other) => other !== row)
    this.#settle(others.toSpliced(place, 0, row), [...this.places.keys(), toText(row[this.#options.id])])
  }

  /** The new row must have the old one's id. */
  replace(old: Row, next: Row): void {
    this.#rows = undefined
    this.#added = undefined
    this.#changed.set(toText(next[this.#options.id]), next)
    const origin = this.#originOf(old)
    this.#origins.set(next, origin)
    if (this.#insertions.has(origin)) this.#insertions.set(origin, next)
    else this.replaced.set(origin, next)
  }

  remove(rows: readonly Row[]): void {
    const gone = this.places.size > 0 ? new Set(rows) : undefined
    const left = gone && this.rows.filter((row) => !gone.has(row))
    this.#rows = undefined
    this.#added = undefined
    for (const row of new Set(rows)) {
      const origin = this.#originOf(row)
      if (!this.#insertions.delete(origin)) {
        this.replaced.delete(origin)
        this.removed.add(origin)
      }
      this.#ids.noteRemoval(row)
      this.#changed.set(toText(row[this.#options.id]), undefined)
    }
    if (left) this.#settle(left, this.places.keys())
    if (!this.#base.hasDuplicates) return
    for (const row of rows) {
      const id = toText(row[this.#options.id])
      this.#changed.set(id, this.#firstWith(id))
    }
  }

  /** Notes down where rows stand, in their order: so each is at its place when it is moved there. */
  #settle(rows: Row[], ids: Iterable<string>): void {
    const placed = new Set<string | undefined>(ids)
    const { id } = this.#options
    this.#rows = rows
    this.places = new Map(
      rows.flatMap((row, place) => {
        const text = idOf(row, id)
        return text !== undefined && placed.has(text) ? [[text, place] as const] : []
      }),
    )
  }

  /** What the row stands for, which it then no longer does. */
  #originOf(row: Row): Row {
    const origin = this.#origins.get(row) ?? row
    this.#origins.delete(row)
    return origin
  }

  #makeRows(): Row[] {
    const rows = this.#base.rows.concat(this.added)
    for (const [old, next] of this.replaced) {
      const position = this.#base.positionOfRow(old)
      if (position >= 0) rows[position] = next
    }
    const left = this.removed.size > 0 ? rows.filter((row) => !this.removed.has(row)) : rows
    return moveToPlaces(left, this.places, this.#options.id)
  }

  /** Rows that are put in have ids that no other row has. */
  #firstWith(id: string): Row | undefined {
    const twin = this.#base.twinsOf(id).find((row) => !this.removed.has(row))
    return twin && (this.replaced.get(twin) ?? twin)
  }
}
