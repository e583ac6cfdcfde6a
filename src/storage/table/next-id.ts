import { nanoid } from 'nanoid'
import type { Row } from '../types.ts'

/** The id for a new row: one past the highest number, or seven random characters where ids are no numbers. */
export function nextId(highest: unknown): number | string {
  if (highest === undefined) return 1
  const next = typeof highest === 'number' && Number.isFinite(highest) ? highest + 1 : undefined
  // Past 2^53 adding one changes nothing, and would give out an id twice.
  return next !== undefined && next !== highest ? next : nanoid(7)
}

/** The highest id of some rows, remembered from one look to the next. */
export class HighestId {
  readonly #rows: readonly Row[]
  readonly #id: string
  #highest: unknown
  #covered = 0
  #isNumbersOnly = true

  constructor(rows: readonly Row[], id: string) {
    this.#rows = rows
    this.#id = id
  }

  /** Whether all ids that it has seen are numbers. */
  get isNumbersOnly(): boolean {
    return this.#isNumbersOnly
  }

  /** Rows seen once get no second look. */
  value(): unknown {
    if (this.#rows.length < this.#covered) this.reset()
    for (; this.#covered < this.#rows.length; this.#covered++) {
      const row = this.#rows[this.#covered]
      this.#highest = higherId(this.#highest, row, this.#id)
      this.#isNumbersOnly &&= isNumberOrNothing(higherId(undefined, row, this.#id))
    }
    return this.#highest
  }

  /** To be told when a row was taken out by the engine. */
  noteRemoval(row: Row): void {
    const id = row[this.#id]
    const isBelow = typeof id === 'number' && typeof this.#highest === 'number' && id < this.#highest
    if (isBelow) this.#covered--
    else this.reset()
  }

  /** Forgets everything; the next look builds it anew. */
  reset(): void {
    this.#highest = undefined
    this.#covered = 0
    this.#isNumbersOnly = true
  }
}

function isNumberOrNothing(id: unknown): boolean {
  return id === undefined || typeof id === 'number'
}

/** Compares as JavaScript's `>` does, so with mixed ids the first kind seen stays, as in json-server. */
export function higherId(highest: unknown, row: unknown, idName: string): unknown {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, idName)) return highest
  const id: unknown = (row as Row)[idName]
  // A list or an object has no place in an order, and may not even have a text.
  if (id === undefined || typeof id === 'object' || Number.isNaN(id)) return highest
  // Whatever the two are, `>` decides; the types only claim what TypeScript needs for that.
  return highest === undefined || (id as number) > (highest as number) ? id : highest
}
