import type { Row } from '../types.ts'
import type { BaseRows } from './collection.ts'
import { higherId } from './next-id.ts'

/** The fallback: a scan of all rows. */
export interface DraftedRows {
  readonly rows: readonly Row[]
  /** Whether any inserted row is not at the end. */
  readonly isOrdered: boolean
}

/** The highest id of a draft's collection, without a full scan after every removal. */
export class DraftIds {
  readonly #base: BaseRows
  readonly #id: string
  readonly #draft: DraftedRows
  #known: { readonly highest: unknown } | undefined
  /** In insertion order. */
  readonly #inserted = new Set<unknown>()
  /** The highest inserted id, if all of them are numbers. */
  #highestInserted: number | undefined
  #others = 0
  /** How often each id was removed from the base, until `#ascending` drops it. */
  readonly #removed = new Map<unknown, number>()
  /** Ids of the base that may still be present. */
  #ascending: number[] | undefined

  constructor(base: BaseRows, id: string, draft: DraftedRows) {
    this.#base = base
    this.#id = id
    this.#draft = draft
  }

  highest(): unknown {
    this.#known ??= { highest: this.#find() }
    return this.#known.highest
  }

  get addsNumbersOnly(): boolean {
    return this.#others === 0
  }

  /** @param known the highest id including these rows, if known */
  noteInsertion(rows: readonly Row[], known?: { readonly highest: unknown }): void {
    for (const row of rows) {
      const id = row[this.#id]
      this.#inserted.add(id)
      if (typeof id !== 'number') this.#others++
      else if (this.#highestInserted === undefined || id > this.#highestInserted) this.#highestInserted = id
    }
    this.#known = known
  }

  noteRemoval(row: Row): void {
    const id = row[this.#id]
    this.#known = undefined
    if (!this.#inserted.delete(id)) this.#removed.set(id, (this.#removed.get(id) ?? 0) + 1)
    else if (typeof id !== 'number') this.#others--
    else if (id === this.#highestInserted) this.#highestInserted = highestOf(this.#inserted)
  }

  #find(): unknown {
    const highest = this.#base.highestId()
    const { isOrdered } = this.#draft
    const isInOrder = !isOrdered || this.#others === 0
    if (!isOrdered && this.#removed.size === 0) return this.#withInserted(highest)
    if (isInOrder && this.#base.hasNumbersOnly) return this.#withInserted(this.#highestLeft(highest))
    // With non-numeric ids, the order of the rows matters.
    return this.#draft.rows.reduce<unknown>((best, row) => higherId(best, row, this.#id), undefined)
  }

  #withInserted(base: unknown): unknown {
    const name = this.#id
    const ids = this.#others > 0 ? this.#inserted : [this.#highestInserted]
    let highest = base
    for (const id of ids) highest = higherId(highest, { [name]: id }, name)
    return highest
  }

  #highestLeft(highest: unknown): unknown {
    if (!this.#ascending && !this.#removed.has(highest)) return highest
    this.#ascending ??= ascendingIds(this.#base.rows, this.#id)
    for (let id = this.#ascending.at(-1); id !== undefined; id = this.#ascending.at(-1)) {
      const removed = this.#removed.get(id) ?? 0
      if (removed === 0) return id
      this.#removed.set(id, removed - 1)
      this.#ascending.pop()
    }
    return undefined
  }
}

function highestOf(ids: Iterable<unknown>): number | undefined {
  let highest: number | undefined
  for (const id of ids) if (typeof id === 'number' && (highest === undefined || id > highest)) highest = id
  return highest
}

function ascendingIds(rows: readonly Row[], name: string): number[] {
  const ids: number[] = []
  let isAscending = true
  for (const row of rows) {
    const id = higherId(undefined, row, name)
    if (typeof id !== 'number') continue
    isAscending &&= ids.length === 0 || id >= (ids.at(-1) ?? 0)
    ids.push(id)
  }
  return isAscending ? ids : Array.from(Float64Array.from(ids).sort())
}
