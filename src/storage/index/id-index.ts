import { keyOf } from '../query/key-of.ts'
import { rowsAt } from '../query/rows-at.ts'
import type { Row } from '../types.ts'

/** After this many removals the positions are too far off, and the index is rebuilt. */
const MOST_REMOVALS = 512

/** No position: an id of the shared ones that is no longer there. */
const GONE = -1

/**
 * The position of each id in an array of rows. Positions are hints, verified before use: rows that were appended, moved
 * or removed without the index knowing are still found.
 */
export class IdIndex {
  readonly #rows: readonly Row[]
  readonly #id: string
  #positions = new Map<string, number>()
  /** Positions as of the last copy, which has them too. Never changed: newer ones are in `#positions`. */
  #shared: ReadonlyMap<string, number> | undefined
  /** All positions of ids that several rows share. */
  #twins = new Map<string, number[]>()
  #covered = 0
  #removals = 0
  #hasLists = false

  constructor(rows: readonly Row[], id: string) {
    this.#rows = rows
    this.#id = id
  }

  /** Whether several rows share an id; then the first one counts. */
  get hasDuplicates(): boolean {
    this.#catchUp()
    return this.#twins.size > 0
  }

  /** Whether any row has an array as its id: some operators look at its entries. */
  get hasLists(): boolean {
    this.#catchUp()
    return this.#hasLists
  }

  /** The rows that share this id, in order; empty if it is unique. */
  twinsOf(id: string): readonly Row[] {
    this.#catchUp()
    const positions = this.#twins.get(id) ?? []
    return rowsAt(this.#rows, positions).filter((row) => fieldText(row, this.#id) === id)
  }

  /** The position of the first row with this id, as far as the index knows, or -1. */
  positionOf(id: string): number {
    this.#catchUp()
    const hint = this.#known(id)
    if (hint === undefined) return -1
    const lowest = Math.max(0, hint - this.#removals)
    for (let position = Math.min(hint, this.#rows.length - 1); position >= lowest; position--) {
      if (fieldText(this.#rows[position], this.#id) === id) return position
    }
    return this.search(id)
  }

  /** The same by a full scan, without the index. */
  search(id: string): number {
    const position = this.#rows.findIndex((row) => fieldText(row, this.#id) === id)
    if (position >= 0) this.reset()
    return position
  }

  /** Call after the engine removed rows. */
  noteRemovals(rows: Iterable<Row>, count: number): void {
    this.#removals += count
    const isCurrent = this.#covered === this.#rows.length + count
    if (!isCurrent || this.#twins.size > 0 || this.#removals > MOST_REMOVALS) {
      this.reset()
      return
    }
    this.#covered -= count
    for (const row of rows) {
      const id = fieldText(row, this.#id)
      if (id !== undefined) this.#forget(id)
    }
  }

  /** The index of a copy of the rows. Built already, as far as this one is: they share what is known so far. */
  copyFor(rows: readonly Row[]): IdIndex {
    const copy = new IdIndex(rows, this.#id)
    if (!this.#shared?.size) {
      this.#shared = this.#positions
      this.#positions = new Map()
    }
    copy.#shared = this.#shared
    copy.#positions = new Map(this.#positions)
    copy.#twins = new Map([...this.#twins].map(([id, positions]) => [id, positions.slice()]))
    copy.#covered = this.#covered
    copy.#removals = this.#removals
    copy.#hasLists = this.#hasLists
    return copy
  }

  #known(id: string): number | undefined {
    const position = this.#positions.get(id) ?? this.#shared?.get(id)
    return position === GONE ? undefined : position
  }

  #forget(id: string): void {
    if (this.#shared?.has(id)) this.#positions.set(id, GONE)
    else this.#positions.delete(id)
  }

  #catchUp(): void {
    if (this.#rows.length < this.#covered) this.reset()
    for (; this.#covered < this.#rows.length; this.#covered++) {
      const row = this.#rows[this.#covered]
      const id = fieldText(row, this.#id)
      if (Array.isArray(Object(row)[this.#id])) this.#hasLists = true
      if (id === undefined) continue
      const first = this.#known(id)
      if (first === undefined) this.#positions.set(id, this.#covered)
      else this.#noteTwin(id, first, this.#covered)
    }
  }

  #noteTwin(id: string, first: number, next: number): void {
    const known = this.#twins.get(id)
    if (known) known.push(next)
    else this.#twins.set(id, [first, next])
  }

  /** Forgets everything; rebuilt on the next read. */
  reset(): void {
    this.#positions = new Map()
    this.#shared = undefined
    this.#covered = 0
    this.#removals = 0
    this.#hasLists = false
    this.#twins = new Map()
  }
}

/** A field of a row as text, the way ids are compared; undefined if it is missing or cannot be a key. */
export function fieldText(row: unknown, field: string): string | undefined {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, field)) return undefined
  const value: unknown = (row as Row)[field]
  return value === undefined || value === null ? undefined : keyOf(value)
}
