import { StorageError } from '../errors.ts'
import { idOf } from './id-index.ts'
import { moveToPlaces } from './move-to-places.ts'
import { higherId, nextId } from './next-id.ts'
import type { Table, TableChange } from './table.ts'
import { toText } from './text.ts'
import type { Row } from './types.ts'

export type CreateId = (rows: readonly Row[], row: Row) => unknown

export interface TableDraftOptions {
  readonly id: string
  readonly isOwned: boolean
  readonly createId?: CreateId | undefined
}

/** One collection as a batch of writes would leave it, and the difference that takes it there. */
export class TableDraft implements TableChange {
  /** Made when asked for: most batches are saved without a look at the rows that stay. */
  #rows: Row[] | undefined
  readonly added: Row[] = []
  readonly replaced = new Map<Row, Row>()
  readonly removed = new Set<Row>()
  places: ReadonlyMap<string, number> = new Map()
  readonly #base: Table
  readonly #options: TableDraftOptions
  readonly #changed = new Map<string, Row | undefined>()
  /** A row that this draft put in → the row of the base it stands for. */
  readonly #origins = new Map<Row, Row>()
  /** Unknown until a row wants an id, and when a row was removed that may have had it. */
  #highest: { readonly id: unknown } | undefined

  constructor(base: Table, options: TableDraftOptions) {
    this.#base = base
    this.#options = options
  }

  get rows(): readonly Row[] {
    this.#rows ??= this.#makeRows()
    return this.#rows
  }

  get isChanged(): boolean {
    return this.added.length > 0 || this.replaced.size > 0 || this.removed.size > 0
  }

  /** Whether what was there stays, and stays where it is. */
  get onlyAdds(): boolean {
    return this.replaced.size === 0 && this.removed.size === 0 && this.places.size === 0
  }

  find(id: string): Row | undefined {
    if (this.#changed.has(id)) return this.#changed.get(id)
    return this.#base.rows[this.#base.positionOf(id, this.#options.isOwned)]
  }

  /** All rows or, when an id is taken, none. A falsy id counts as none given, as in json-server. */
  insert(rows: readonly Row[], collection: string): readonly Row[] {
    const { id: idName } = this.#options
    const taken = new Set<string>()
    let highest = this.#highestId()
    const inserted: Row[] = []
    for (const given of rows) {
      const row = { ...given, [idName]: given[idName] || this.#createId(highest, given, inserted) }
      const id = toText(row[idName])
      if (taken.has(id) || this.find(id)) {
        throw new StorageError('DUPLICATE_ID', `${collection} already has an item with ${idName} ${id}`)
      }
      taken.add(id)
      highest = higherId(highest, row, idName)
      inserted.push(row)
    }

    for (const row of inserted) {
      this.#rows?.push(row)
      this.added.push(row)
      this.#changed.set(toText(row[idName]), row)
    }
    this.#highest = { id: highest }
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
    this.#changed.set(toText(next[this.#options.id]), next)
    if (swap(this.added, old, next)) return
    const origin = this.#origins.get(old) ?? old
    this.#origins.delete(old)
    this.#origins.set(next, origin)
    this.replaced.set(origin, next)
  }

  remove(rows: readonly Row[]): void {
    const { id: idName } = this.#options
    const gone = new Set(rows)
    const left = this.places.size > 0 ? this.rows.filter((row) => !gone.has(row)) : undefined
    for (const row of gone) {
      if (swap(this.added, row)) continue
      const origin = this.#origins.get(row) ?? row
      this.#origins.delete(row)
      this.replaced.delete(origin)
      this.removed.add(origin)
    }
    this.#rows = undefined
    this.#highest = undefined
    for (const row of gone) {
      const id = toText(row[idName])
      this.#changed.set(id, this.#base.hasDuplicates ? this.#firstWith(id) : undefined)
    }
    if (left) this.#settle(left, this.places.keys())
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

  #createId(highest: unknown, row: Row, before: readonly Row[]): unknown {
    const { createId } = this.#options
    return createId?.(before.length > 0 ? [...this.rows, ...before] : this.rows, row) ?? nextId(highest)
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

  #highestId(): unknown {
    const { id: idName, isOwned } = this.#options
    if (this.#highest) return this.#highest.id
    if (this.added.length === 0 && this.removed.size === 0) return this.#base.highestId(isOwned)
    return this.rows.reduce<unknown>((highest, row) => higherId(highest, row, idName), undefined)
  }

  #firstWith(id: string): Row | undefined {
    return this.rows.find((row) => idOf(row, this.#options.id) === id)
  }
}

/** Puts `next` in the place of `old`, or takes `old` out; false when it is not there. */
function swap(rows: Row[], old: Row, next?: Row): boolean {
  const position = rows.indexOf(old)
  if (position < 0) return false
  rows.splice(position, 1, ...(next ? [next] : []))
  return true
}
