import { nanoid } from 'nanoid'
import { toText } from '../query/value/text.ts'
import type { Row } from '../types.ts'

/** The id for a new row: the highest number plus one, or seven random characters if ids are not numbers. */
export function nextId(highest: unknown, remember: Remember = makeAnew): number | string {
  if (highest === undefined) return 1
  const next = typeof highest === 'number' && Number.isFinite(highest) ? highest + 1 : undefined
  // Above 2^53 adding one changes nothing, and the id would be assigned twice.
  return next !== undefined && next !== highest ? next : remember('short', () => nanoid(7))
}

/**
 * The id or, if that is taken, another: a number further on, in ever longer steps, since each that is looked at may have to
 * be fetched.
 */
export function freeId(
  id: unknown,
  isTaken: (id: string) => boolean,
  remember: Remember = makeAnew,
): unknown {
  let free = id
  for (let step = 1; isTaken(toText(free)); step *= 2) {
    free = typeof free === 'number' ? free + step : remember('short', () => nanoid(7))
  }
  return free
}

/**
 * Makes up a text or, where the same change is applied again because an engine had to fetch more rows, repeats the one
 * that it made up then: else each time it would have to look for another one.
 */
export type Remember = (kind: string, make: () => string) => string

export function makeAnew(_kind: string, make: () => string): string {
  return make()
}

/** The highest id of some rows, computed incrementally. */
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

  /** Whether all ids seen so far are numbers. */
  get isNumbersOnly(): boolean {
    return this.#isNumbersOnly
  }

  /** Each row is read only once. */
  value(): unknown {
    if (this.#rows.length < this.#covered) this.reset()
    for (; this.#covered < this.#rows.length; this.#covered++) {
      const row = this.#rows[this.#covered]
      this.#highest = higherId(this.#highest, row, this.#id)
      this.#isNumbersOnly &&= isNumberOrNothing(higherId(undefined, row, this.#id))
    }
    return this.#highest
  }

  /** The same for a copy of the rows. */
  copyFor(rows: readonly Row[]): HighestId {
    const copy = new HighestId(rows, this.#id)
    copy.#highest = this.#highest
    copy.#covered = this.#covered
    copy.#isNumbersOnly = this.#isNumbersOnly
    return copy
  }

  /** Call when the engine removed a row. */
  noteRemoval(row: Row): void {
    const id = row[this.#id]
    const isBelow = typeof id === 'number' && typeof this.#highest === 'number' && id < this.#highest
    if (isBelow) this.#covered--
    else this.reset()
  }

  /** Forgets everything; rebuilt on the next read. */
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
  // Arrays and objects have no order, and may not even convert to a string.
  if (id === undefined || typeof id === 'object' || Number.isNaN(id)) return highest
  // `>` compares any two values; the casts are only for TypeScript.
  return highest === undefined || (id as number) > (highest as number) ? id : highest
}
