import { keyOf } from '../query/key-of.ts'
import { rowsAt } from '../query/rows-at.ts'
import type { Row } from '../types.ts'

/** After this many removals the guesses drift too far, and the index is built anew. */
const MOST_REMOVALS = 512

/**
 * Where each id stands in an array of rows. Positions are hints: looked at before they are believed,
 * so that rows appended, moved or taken out behind the index are found all the same.
 */
export class IdIndex {
  readonly #rows: readonly Row[]
  readonly #id: string
  #positions = new Map<string, number>()
  /** All positions of the ids that stand in several rows. */
  #twins = new Map<string, number[]>()
  #covered = 0
  #removals = 0
  #hasLists = false

  constructor(rows: readonly Row[], id: string) {
    this.#rows = rows
    this.#id = id
  }

  /** Whether an id stands in several rows; the first one counts then. */
  get hasDuplicates(): boolean {
    this.#catchUp()
    return this.#twins.size > 0
  }

  /** Whether a row has a list in the place of an id: some operators look at its entries. */
  get hasLists(): boolean {
    this.#catchUp()
    return this.#hasLists
  }

  /** The rows with this id, in their order, where it stands in several. */
  twinsOf(id: string): readonly Row[] {
    this.#catchUp()
    const positions = this.#twins.get(id) ?? []
    return rowsAt(this.#rows, positions).filter((row) => idOf(row, this.#id) === id)
  }

  /** The position of the first row with this id as far as the index knows it, or -1. */
  positionOf(id: string): number {
    this.#catchUp()
    const hint = this.#positions.get(id)
    if (hint === undefined) return -1
    const lowest = Math.max(0, hint - this.#removals)
    for (let position = Math.min(hint, this.#rows.length - 1); position >= lowest; position--) {
      if (idOf(this.#rows[position], this.#id) === id) return position
    }
    return this.search(id)
  }

  /** The same, whatever the index knows: a look at all rows. */
  search(id: string): number {
    const position = this.#rows.findIndex((row) => idOf(row, this.#id) === id)
    if (position >= 0) this.reset()
    return position
  }

  /** To be told of the rows that the engine took out. */
  noteRemovals(rows: Iterable<Row>, count: number): void {
    this.#removals += count
    const isCurrent = this.#covered === this.#rows.length + count
    if (!isCurrent || this.#twins.size > 0 || this.#removals > MOST_REMOVALS) {
      this.reset()
      return
    }
    this.#covered -= count
    for (const row of rows) {
      const id = idOf(row, this.#id)
      if (id !== undefined) this.#positions.delete(id)
    }
  }

  #catchUp(): void {
    if (this.#rows.length < this.#covered) this.reset()
    for (; this.#covered < this.#rows.length; this.#covered++) {
      const row = this.#rows[this.#covered]
      const id = idOf(row, this.#id)
      if (Array.isArray(Object(row)[this.#id])) this.#hasLists = true
      if (id === undefined) continue
      const first = this.#positions.get(id)
      if (first === undefined) this.#positions.set(id, this.#covered)
      else this.#noteTwin(id, first, this.#covered)
    }
  }

  #noteTwin(id: string, first: number, next: number): void {
    const known = this.#twins.get(id)
    if (known) known.push(next)
    else this.#twins.set(id, [first, next])
  }

  /** Forgets everything; the next look builds it anew. */
  reset(): void {
    this.#positions = new Map()
    this.#covered = 0
    this.#removals = 0
    this.#hasLists = false
    this.#twins = new Map()
  }
}

/** A row's id as text, the way ids are compared; undefined for a row without one, or with one that is no key. */
export function idOf(row: unknown, id: string): string | undefined {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, id)) return undefined
  const value: unknown = (row as Row)[id]
  return value === undefined || value === null ? undefined : keyOf(value)
}
