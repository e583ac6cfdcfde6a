import type { Row } from '../types.ts'

/** What a change did to one row; both sides are undefined if it was inserted and removed again. */
export interface RowDifference {
  /** The row as it is in the base, or as inserted. */
  readonly origin: Row
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/**
 * The rows that a draft inserts, replaces and removes, each keyed by its origin: the row as it is in the base, or as
 * inserted. Remembers each row as of the last checkpoint (before the current change), for rollback and effects.
 */
export class RowStates {
  readonly replaced = new Map<Row, Row>()
  readonly removed = new Set<Row>()
  /** In insertion order; undefined if removed again, so that a rollback keeps the order. */
  readonly #insertions = new Map<Row, Row | undefined>()
  readonly #origins = new Map<Row, Row>()
  #before = new Map<Row, Row | undefined>()
  #addedCount = 0
  #added: readonly Row[] | undefined

  /** The inserted rows in their current state. */
  get added(): readonly Row[] {
    this.#added ??= [...this.#insertions.values()].filter((row) => row !== undefined)
    return this.#added
  }

  /** Number of rows that are not as in the base. */
  get size(): number {
    return this.#addedCount + this.replaced.size + this.removed.size
  }

  get addedCount(): number {
    return this.#addedCount
  }

  get isChanged(): boolean {
    return this.#addedCount > 0 || this.replaced.size > 0 || this.removed.size > 0
  }

  /** Undefined if it was removed. */
  now(origin: Row): Row | undefined {
    if (this.#insertions.has(origin)) return this.#insertions.get(origin)
    return this.removed.has(origin) ? undefined : (this.replaced.get(origin) ?? origin)
  }

  originOf(row: Row): Row {
    return this.#origins.get(row) ?? row
  }

  isInsertion(origin: Row): boolean {
    return this.#insertions.has(origin)
  }

  insert(row: Row): void {
    this.#before.set(row, undefined)
    this.#insertions.set(row, undefined)
    this.#set(row, row)
  }

  replace(old: Row, next: Row): void {
    const origin = this.originOf(old)
    this.#touch(origin)
    // A rollback leads to the row before the change, never to one in between.
    if (old !== this.#before.get(origin)) this.#origins.delete(old)
    this.#origins.set(next, origin)
    this.#set(origin, next)
  }

  remove(row: Row): void {
    const origin = this.originOf(row)
    this.#touch(origin)
    this.#set(origin, undefined)
  }

  /** Whether the current change has a lasting effect. */
  get hasDifferences(): boolean {
    for (const { before, after } of this.differences()) if (before !== after) return true
    return false
  }

  /** What the current change did so far. */
  *differences(): Generator<RowDifference, void> {
    for (const [origin, before] of this.#before) yield { origin, before, after: this.now(origin) }
  }

  /** Insertions from before the current change, in order. */
  *insertedBefore(): Generator<Row, void> {
    for (const [origin, now] of this.#insertions) {
      const before = this.#before.has(origin) ? this.#before.get(origin) : now
      if (before !== undefined) yield origin
    }
  }

  /** Ends the current change and keeps it. */
  settle(): void {
    for (const [origin, before] of this.#before) {
      // A fork keeps its draft for hours, and must not keep every row there ever was.
      if (before !== undefined && before !== this.now(origin)) this.#origins.delete(before)
      if (this.#insertions.has(origin) && this.#insertions.get(origin) === undefined) {
        this.#insertions.delete(origin)
      }
    }
    this.#before = new Map()
  }

  /** Ends the current change and discards it. */
  rollBack(): void {
    for (const [origin, before] of this.#before) {
      this.#set(origin, before)
      if (before === undefined) this.#insertions.delete(origin)
    }
    this.#before = new Map()
  }

  #touch(origin: Row): void {
    if (!this.#before.has(origin)) this.#before.set(origin, this.now(origin))
  }

  #set(origin: Row, row: Row | undefined): void {
    this.#added = undefined
    if (this.#insertions.has(origin)) {
      const was = this.#insertions.get(origin)
      this.#addedCount += Number(row !== undefined) - Number(was !== undefined)
      this.#insertions.set(origin, row)
    } else if (row === undefined) {
      this.replaced.delete(origin)
      this.removed.add(origin)
    } else {
      this.removed.delete(origin)
      if (row === origin) this.replaced.delete(origin)
      else this.replaced.set(origin, row)
    }
  }
}
