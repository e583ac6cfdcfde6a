import { StorageError } from '../../errors.ts'
import type { Catalogue } from './layout/catalog.ts'
import { FEW_ROWS, type Tables } from './layout/tables.ts'
import type { Sql } from './link/sql.ts'
import type { FetchedData } from './view/fetched-data.ts'

/** Whether the database may be able to later. */
const isAway = (error: unknown) => error instanceof StorageError && error.code === 'SOURCE_UNAVAILABLE'

/** Each makes writes slower. */
const MOST_INDEXES = 12

/** Makes indexes of what is asked for, one after the other, while everything else goes on. */
export class IndexMaker {
  readonly #ask: Sql['query']
  readonly #tables: Tables
  /** By table and slot: whether it is there. */
  readonly #made = new Map<number, Map<string, boolean>>()
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(ask: Sql['query'], tables: Tables) {
    this.#ask = ask
    this.#tables = tables
  }

  /** Whether there is one, as far as was found out. */
  has(rid: number, slot: string): boolean {
    return this.#made.get(rid)?.get(slot) === true
  }

  /** Takes note of the slots that questions used. */
  note(data: FetchedData): void {
    for (const { resource, slots } of data.fetched()) {
      if (slots.size === 0 || resource.rows < FEW_ROWS) continue
      const made = this.#made.get(resource.rid) ?? this.#start(resource.rid, data.catalogue)
      for (const slot of slots) {
        if (made.has(slot) || made.size >= MOST_INDEXES) continue
        made.set(slot, false)
        this.#turn = this.#turn.then(() => this.#make(resource.rid, slot))
      }
    }
  }

  /** Forgets tables that are gone: there may be any number of them in time. */
  #start(rid: number, { resources }: Catalogue): Map<string, boolean> {
    const listed = new Set([...resources.values()].map((resource) => resource.rid))
    for (const known of this.#made.keys()) if (!listed.has(known)) this.#made.delete(known)
    const made = new Map<string, boolean>()
    this.#made.set(rid, made)
    return made
  }

  /** Makes no more; they are made when they are asked for again. The statement in progress is ended elsewhere. */
  close(): Promise<unknown> {
    this.#isClosed = true
    return this.#turn
  }

  /** Without it everything is as right, if slower; and the table may be gone by now. */
  async #make(rid: number, slot: string): Promise<void> {
    if (this.#isClosed) return
    try {
      await this.#dropHalf(rid, slot)
      await (slot === 'words' ? this.#indexWords(rid) : this.#ask(this.#tables.indexSlot(rid, slot)))
      await this.#learn(rid, slot)
    } catch (error) {
      // Else the next instance tries again.
      if (isAway(error)) this.#made.get(rid)?.delete(slot)
    }
  }

  /** Another instance may be making it: then one asks again later. */
  async #learn(rid: number, slot: string): Promise<void> {
    const [index] = await this.#ask<{ indisvalid: boolean }>(
      'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [this.#tables.slotIndex(rid, slot)],
    )
    const made = this.#made.get(rid)
    if (index?.indisvalid) made?.set(slot, true)
    else if (index) made?.delete(slot)
  }

  /** Drops an index that is of no use: the database stopped while it was being made. */
  async #dropHalf(rid: number, slot: string): Promise<void> {
    const index = this.#tables.slotIndex(rid, slot)
    const [half] = await this.#ask(
      `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid
       AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_create_index WHERE index_relid = indexrelid)`,
      [index],
    )
    if (half) await this.#ask(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
  }

  /** Needs an extension, which is one for the whole database, and which not everybody may add. */
  async #indexWords(rid: number): Promise<void> {
    let trigrams = await this.#findTrigrams()
    if (trigrams === undefined) {
      // Another instance may be doing the same.
      await this.#ask('CREATE EXTENSION IF NOT EXISTS pg_trgm').catch(() => {})
      trigrams = await this.#findTrigrams()
    }
    if (trigrams !== undefined) await this.#ask(this.#tables.indexWords(rid, trigrams))
  }

  /** The schema that has it, quoted. */
  async #findTrigrams(): Promise<string | undefined> {
    const [found] = await this.#ask<{ schema: string }>(
      "SELECT quote_ident(nspname) AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'pg_trgm'",
    )
    return found?.schema
  }
}
