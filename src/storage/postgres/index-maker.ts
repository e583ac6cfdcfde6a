import type { Tables } from './layout/tables.ts'
import type { FetchedData } from './view/fetched-data.ts'

/** A table with fewer rows is read as fast as an index. */
const FEW_ROWS = 2000
/** Each makes writes slower. */
const MOST_INDEXES = 12

/** Makes indexes of what is asked for, one after the other, while everything else goes on. */
export class IndexMaker {
  readonly #run: (statement: string) => Promise<unknown>
  readonly #tables: Tables
  /** By table. */
  readonly #made = new Map<number, Set<string>>()
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(run: (statement: string) => Promise<unknown>, tables: Tables) {
    this.#run = run
    this.#tables = tables
  }

  /** Takes note of the slots that questions used. */
  note(data: FetchedData): void {
    for (const { resource, slots } of data.fetched()) {
      if (slots.size === 0 || resource.rows < FEW_ROWS) continue
      const made = this.#made.get(resource.rid) ?? new Set<string>()
      this.#made.set(resource.rid, made)
      for (const slot of slots) {
        if (made.has(slot) || made.size >= MOST_INDEXES) continue
        made.add(slot)
        this.#turn = this.#turn.then(() => this.#make(this.#tables.indexSlot(resource.rid, slot)))
      }
    }
  }

  /** Waits for the one that is being made; the others are made when they are asked for again. */
  close(): Promise<unknown> {
    this.#isClosed = true
    return this.#turn
  }

  /** Without it everything is as right, if slower; and the table may be gone by now. */
  async #make(statement: string): Promise<void> {
    if (!this.#isClosed) await this.#run(statement).catch(() => {})
  }
}
