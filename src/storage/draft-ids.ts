import { higherId } from './next-id.ts'
import type { Table } from './table.ts'
import type { Row } from './types.ts'

export interface DraftIdsOptions {
  readonly id: string
  readonly isOwned: boolean
}

const MIXED = 'mixed'

/** The highest id of a collection as a draft leaves it, found without a look at all rows after each that goes. */
export class DraftIds {
  readonly #base: Table
  readonly #options: DraftIdsOptions
  /** The rows of the draft, for when there is no other way. */
  readonly #rows: () => readonly Row[]
  #known: { readonly highest: unknown } | undefined
  readonly #inserted = new Set<unknown>()
  /** How often each id was removed from the base, as far as it is not left out of `#ascending` yet. */
  readonly #removed = new Map<unknown, number>()
  /** The ids of the base that may still be there, where all of them are numbers. */
  #ascending: number[] | typeof MIXED | undefined

  constructor(base: Table, options: DraftIdsOptions, rows: () => readonly Row[]) {
    this.#base = base
    this.#options = options
    this.#rows = rows
  }

  highest(): unknown {
    this.#known ??= { highest: this.#find() }
    return this.#known.highest
  }

  /** @param highest the highest id with these rows */
  noteInsertion(rows: readonly Row[], highest: unknown): void {
    for (const row of rows) this.#inserted.add(row[this.#options.id])
    this.#known = { highest }
  }

  noteRemoval(row: Row): void {
    const id = row[this.#options.id]
    if (!this.#inserted.delete(id)) this.#removed.set(id, (this.#removed.get(id) ?? 0) + 1)
    this.#known = undefined
  }

  #find(): unknown {
    const { id, isOwned } = this.#options
    if (this.#removed.size === 0 && this.#ascending === undefined) {
      return this.#withInserted(this.#base.highestId(isOwned))
    }
    this.#ascending ??= ascendingIds(this.#base.rows, id)
    if (this.#ascending !== MIXED) return this.#withInserted(this.#top(this.#ascending))
    return this.#rows().reduce<unknown>((highest, row) => higherId(highest, row, id), undefined)
  }

  #withInserted(base: unknown): unknown {
    const { id: name } = this.#options
    let highest = base
    for (const id of this.#inserted) highest = higherId(highest, { [name]: id }, name)
    return highest
  }

  #top(ids: number[]): number | undefined {
    for (let id = ids.at(-1); id !== undefined; id = ids.at(-1)) {
      const removed = this.#removed.get(id) ?? 0
      if (removed === 0) return id
      this.#removed.set(id, removed - 1)
      ids.pop()
    }
    return undefined
  }
}

function ascendingIds(rows: readonly Row[], name: string): number[] | typeof MIXED {
  const ids: number[] = []
  for (const row of rows) {
    // What has no place in an order does not count.
    const id = higherId(undefined, row, name)
    if (typeof id === 'number') ids.push(id)
    else if (id !== undefined) return MIXED
  }
  return Array.from(Float64Array.from(ids).sort())
}
