import type { Direction } from '../../commit.ts'
import type { Entry } from '../../past/kept.ts'
import { Timeline, type TimelineStart } from '../../past/timeline.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'

/** A commit as the ledger knows it; without bytes, everything was replaced, or too much changed to be kept. */
export type Posting = Omit<Entry, 'bytes'> & { readonly bytes: number | undefined }

/** An undo or redo that is being committed. */
export interface Move {
  readonly direction: Direction
  /** In the order they are undone or redone. */
  readonly changes: readonly Entry[]
}

/**
 * Which commits are kept, as of a transaction that holds the lock: who commits decides what the commit is, and what is
 * forgotten for it. Sizes only: rows are in the table.
 */
export class Ledger {
  readonly #tables: Tables
  #page: Page | undefined

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** Up to this version, which is that of the transaction. Asks for nothing if nobody else has committed since. */
  async open(sql: Pick<Sql, 'query'>, version: number): Promise<Page> {
    const page = this.#page
    if (page && page.version < version) {
      const rows = await sql.query<Light>(
        `SELECT version, top, bytes FROM ${this.#tables.commits} WHERE version > $1 ORDER BY version`,
        [page.version],
      )
      const postings = rows.map(toPosting)
      const isComplete = postings.every((posting, at) => posting.version === page.version + at + 1)
      if (isComplete) for (const posting of postings) page.add(posting)
    }
    const current = page?.version === version ? page : await this.#read(sql)
    this.#page = current
    // Who committed it has deleted what it made superfluous.
    current.takeForgotten()
    return current
  }

  /** Takes a page out to write on it: unless it is put back, because it was committed, it is read again. */
  takeOut(): void {
    this.#page = undefined
  }

  putBack(page: Page): void {
    this.#page = page
  }

  async #read(sql: Pick<Sql, 'query'>): Promise<Page> {
    const { state, commits } = this.#tables
    const rows = await sql.query<Light & { base: string; bottom: string }>(
      `SELECT s.base, s.bottom, c.version, c.top, c.bytes
       FROM ${state} s LEFT JOIN ${commits} c ON true ORDER BY c.version`,
    )
    const page = new Page({ base: Number(rows[0]?.base), bottom: Number(rows[0]?.bottom) })
    for (const row of rows) if (row.version !== null) page.add(toPosting(row))
    return page
  }
}

type Light = { version: string; top: string; bytes: string | null }

function toPosting({ version, top, bytes }: Light): Posting {
  return {
    version: Number(version),
    top: Number(top),
    bytes: bytes === null ? undefined : Number(bytes),
  }
}

/** The ledger as of one commit. */
export class Page {
  readonly #timeline: Timeline<Entry>
  readonly #forgotten: number[] = []
  /** The commit that ended what was before it: others have to hear of it, though there is nothing to undo. */
  #end: number | undefined

  constructor(start: TimelineStart) {
    this.#timeline = new Timeline(start, (version) => this.#forgotten.push(version))
  }

  get version(): number {
    return this.#timeline.version
  }

  get start(): TimelineStart {
    return { base: this.#timeline.log.base, bottom: this.#timeline.stack.base }
  }

  wayTo(to: number | undefined, direction: Direction): readonly Entry[] {
    return this.#timeline.wayTo(to, direction)
  }

  /** Where a commit leads. */
  topAfter(version: number, move: Move | undefined): number {
    if (move) this.#timeline.stack[move.direction](move.changes)
    return move ? this.#timeline.stack.top : version
  }

  add({ version, top, bytes }: Posting): void {
    const end = this.#end
    if (bytes === undefined) {
      this.#timeline.startAt(version)
      this.#end = version
    } else this.#timeline.add({ version, top, bytes })
    if (end === undefined || end >= this.#timeline.log.base) return
    this.#forgotten.push(end)
    if (this.#end === end) this.#end = undefined
  }

  /** The commits that are kept no longer since this was asked last. */
  takeForgotten(): readonly number[] {
    return this.#forgotten.splice(0)
  }
}
