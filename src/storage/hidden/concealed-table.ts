import type { Collection, TableChange } from '../table/collection.ts'
import { LiveTable } from '../table/live-table.ts'
import type { Row } from '../types.ts'
import { hiddenNames, hiddenValue, hideFields, withHidden } from './hidden-fields.ts'

/** A collection that others hold, without these fields. */
export function liveTable(rows: Row[], id: string, hidden: readonly string[] = []): Collection {
  return hidden.length > 0 ? new ConcealedTable(rows, id, hidden) : new LiveTable(rows, id)
}

/** The row of the owner's that one was made of. */
const sources = new WeakMap<Row, Row>()
const shown = new WeakMap<Row, Row>()

/**
 * Some fields of a collection that others hold, hidden. Their rows stay as they are: each is served as a copy, made again
 * when somebody has changed it in place.
 */
export class ConcealedTable implements Collection {
  readonly #held: LiveTable
  readonly #names: readonly string[]

  constructor(rows: Row[], id: string, names: readonly string[]) {
    this.#held = new LiveTable(rows, id)
    this.#names = names
  }

  /** The list that others hold. */
  get held(): readonly Row[] {
    return this.#held.rows
  }

  get rows(): readonly Row[] {
    return this.#held.rows.map((row) => this.#show(row))
  }

  get length(): number {
    return this.#held.length
  }

  get version(): number {
    return this.#held.version
  }

  get lastChange(): TableChange | undefined {
    return this.#held.lastChange
  }

  find(id: string): Row | undefined {
    const row = this.#held.find(id)
    return row && this.#show(row)
  }

  positionOfRow(row: Row): number {
    return this.#held.positionOfRow(sourceOf(row))
  }

  get hasDuplicates(): boolean {
    return this.#held.hasDuplicates
  }

  twinsOf(id: string): readonly Row[] {
    return this.#held.twinsOf(id).map((row) => this.#show(row))
  }

  highestId(): unknown {
    return this.#held.highestId()
  }

  get hasNumbersOnly(): boolean {
    return this.#held.hasNumbersOnly
  }

  /** Others get new rows whole. */
  apply({ added, replaced, removed, places }: TableChange): void {
    const whole = new Map([...added, ...replaced.values()].map((row) => [row, withHidden(row)]))
    const wholeOf = (row: Row) => whole.get(row) ?? row
    this.#held.apply({
      added: added.map(wholeOf),
      replaced: new Map([...replaced].map(([old, next]) => [sourceOf(old), wholeOf(next)])),
      removed: new Set([...removed].map(sourceOf)),
      places: new Map([...places].map(([row, place]) => [wholeOf(row), place])),
    })
  }

  #show(row: Row): Row {
    if (typeof row !== 'object' || row === null) return row
    const known = shown.get(row)
    if (known && this.#isStill(row, known)) return known
    const made = hideFields(row, this.#names)
    if (made === row) return row
    sources.set(made, row)
    shown.set(row, made)
    return made
  }

  /** Whether the copy has the same fields, by identity: what changed inside one has changed in both. */
  #isStill(row: Row, copy: Row): boolean {
    const names = Object.keys(row)
    if (names.length !== Object.keys(copy).length + hiddenNames(copy).length) return false
    return names.every((name) =>
      this.#names.includes(name)
        ? hiddenValue(copy, name) === row[name]
        : Object.hasOwn(copy, name) && copy[name] === row[name],
    )
  }
}

function sourceOf(row: Row): Row {
  return sources.get(row) ?? row
}
