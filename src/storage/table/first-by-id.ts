import { fieldText } from '../index/id-index.ts'
import type { Row } from '../types.ts'
import type { BaseRows } from './collection.ts'
import type { DraftOrder } from './draft-order.ts'
import type { RowStates } from './row-states.ts'

/** Finds the rows of a draft by id: the first one, if several share it. Call each method after the change is made. */
export class FirstById {
  readonly #base: BaseRows
  readonly #id: string
  readonly #states: RowStates
  readonly #order: DraftOrder
  /** Overrides of the base. */
  readonly #known = new Map<string, Row | undefined>()
  /** The overrides before the current change; null if there was none. */
  #before = new Map<string, Row | undefined | null>()
  /** Whether a row was inserted with an id that was taken. */
  #hasNewTwins = false

  constructor(base: BaseRows, id: string, states: RowStates, order: DraftOrder) {
    this.#base = base
    this.#id = id
    this.#states = states
    this.#order = order
  }

  find(id: string): Row | undefined {
    if (this.#known.has(id)) return this.#known.get(id)
    return this.#base.find(id)
  }

  get hasNewTwins(): boolean {
    return this.#hasNewTwins
  }

  /** Whether another row has the same id, or had it in the base. All rows without an id count as twins. */
  hasTwin(row: Row): boolean {
    const id = fieldText(row, this.#id)
    return id === undefined || this.#hasNewTwins || this.#base.twinsOf(id).length > 0
  }

  noteAddition(row: Row): void {
    const id = fieldText(row, this.#id)
    if (id === undefined) return
    if (this.find(id) === undefined) this.#set(id, row)
    else this.#hasNewTwins = true
  }

  /** A twin that is not at the end may now be the first with its id. */
  notePlace(row: Row): void {
    const id = fieldText(row, this.#id)
    if (id !== undefined && this.#hasNewTwins) this.#set(id, this.#firstOf(id))
  }

  noteReplacement(old: Row, next: Row): void {
    const id = fieldText(next, this.#id)
    if (id !== undefined && this.find(id) === old) this.#set(id, next)
  }

  noteRemovals(gone: ReadonlySet<Row>): void {
    const hasTwins = this.#hasNewTwins || this.#base.hasDuplicates
    for (const row of gone) {
      const id = fieldText(row, this.#id)
      if (id !== undefined && this.find(id) === row) this.#set(id, hasTwins ? this.#firstOf(id) : undefined)
    }
  }

  settle(): void {
    this.#before = new Map()
  }

  rollBack(): void {
    for (const [id, row] of this.#before) {
      if (row === null) this.#known.delete(id)
      else this.#known.set(id, row)
    }
    this.settle()
  }

  #set(id: string, row: Row | undefined): void {
    if (!this.#before.has(id)) this.#before.set(id, this.#known.has(id) ? this.#known.get(id) : null)
    this.#known.set(id, row)
  }

  #firstOf(id: string): Row | undefined {
    if (this.#hasNewTwins) return this.#order.rows.find((row) => fieldText(row, this.#id) === id)
    const twin = this.#base.twinsOf(id).find((row) => !this.#states.removed.has(row))
    return twin && (this.#states.replaced.get(twin) ?? twin)
  }
}
