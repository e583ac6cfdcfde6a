import { StorageError } from '../errors.ts'
import { idOf } from './id-index.ts'
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
  /** Made when first asked for: rows that are only added need no copy of all others before the end. */
  #rows: Row[] | undefined
  readonly added: Row[] = []
  readonly replaced = new Map<Row, Row>()
  readonly removed = new Set<Row>()
  readonly #base: Table
  readonly #options: TableDraftOptions
  readonly #changed = new Map<string, Row | undefined>()
  /** A row that this draft put in → the row of the base it stands for. */
  readonly #origins = new Map<Row, Row>()
  #highest: unknown

  constructor(base: Table, options: TableDraftOptions) {
    this.#base = base
    this.#options = options
    this.#highest = base.highestId(options.isOwned)
  }

  get rows(): Row[] {
    this.#rows ??= this.#base.rows.concat(this.added)
    return this.#rows
  }

  get isChanged(): boolean {
    return this.added.length > 0 || this.replaced.size > 0 || this.removed.size > 0
  }

  find(id: string): Row | undefined {
    if (this.#changed.has(id)) return this.#changed.get(id)
    return this.#base.rows[this.#base.positionOf(id, this.#options.isOwned)]
  }

  /** All rows or, when an id is taken, none. A falsy id counts as none given, as in json-server. */
  insert(rows: readonly Row[], collection: string): readonly Row[] {
    const { id: idName } = this.#options
    const taken = new Set<string>()
    let highest = this.#highest
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
    this.#highest = highest
    return inserted
  }

  /** The new row must have the old one's id. */
  replace(old: Row, next: Row): void {
    this.rows[this.#positionOf(old)] = next
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
    this.#rows = this.rows.filter((row) => !gone.has(row))
    this.#highest = this.#rows.reduce<unknown>((highest, row) => higherId(highest, row, idName), undefined)
    for (const row of gone) {
      const id = toText(row[idName])
      const twin = this.#base.hasDuplicates
        ? this.rows.find((other) => idOf(other, idName) === id)
        : undefined
      this.#changed.set(id, twin)
      if (swap(this.added, row)) continue
      const origin = this.#origins.get(row) ?? row
      this.#origins.delete(row)
      this.replaced.delete(origin)
      this.removed.add(origin)
    }
  }

  #createId(highest: unknown, row: Row, before: readonly Row[]): unknown {
    const { createId } = this.#options
    return createId?.(before.length > 0 ? [...this.rows, ...before] : this.rows, row) ?? nextId(highest)
  }

  /** Until something is removed, rows stand where they stand in the base, and its index knows where. */
  #positionOf(row: Row): number {
    const id = idOf(row, this.#options.id)
    const guess = id === undefined ? -1 : this.#base.positionOf(id, true)
    return this.rows[guess] === row ? guess : this.rows.indexOf(row)
  }
}

/** Puts `next` in the place of `old`, or takes `old` out; false when it is not there. */
function swap(rows: Row[], old: Row, next?: Row): boolean {
  const position = rows.indexOf(old)
  if (position < 0) return false
  rows.splice(position, 1, ...(next ? [next] : []))
  return true
}
