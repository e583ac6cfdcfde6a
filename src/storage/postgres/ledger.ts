import type { Commit } from '../data/commit.ts'
import { type Entry, MOST_BYTES, Timeline, type TimelineStart } from '../engine/history.ts'
import type { Transaction } from './transaction.ts'

/** A commit as the ledger knows it; without bytes, everything was replaced, or too much changed to be kept. */
export type Posting = Omit<Entry, 'bytes'> & { readonly bytes: number | undefined }

/** What is larger than all that may be kept ends the history, as if everything were replaced. */
export function postingOf({ version, top, bytes, effects }: Commit): Posting {
  return { version, top, bytes: effects && bytes <= MOST_BYTES ? bytes : undefined }
}

type Light = { base: string; bottom: string; version: string | null; top: string; bytes: string | null }

/** Which commits the log has to keep. Sizes only: rows are in the table. */
export class Ledger extends Timeline<Entry> {
  readonly #forgotten: number[]

  constructor(start: TimelineStart) {
    const forgotten: number[] = []
    super(start, (version) => forgotten.push(version))
    this.#forgotten = forgotten
  }

  /** As of a transaction that holds the lock. */
  static async read(sql: Transaction): Promise<Ledger> {
    const rows = await sql.query<Light>(
      `SELECT s.base, s.bottom, c.version, c.top, c.bytes
       FROM state s LEFT JOIN commits c ON true ORDER BY c.version`,
    )
    const ledger = new Ledger({ base: Number(rows[0]?.base), bottom: Number(rows[0]?.bottom) })
    for (const { version, top, bytes } of rows) {
      if (version === null) continue
      const size = bytes === null ? undefined : Number(bytes)
      ledger.post({ version: Number(version), top: Number(top), bytes: size })
    }
    // The servers that committed these have deleted what they made superfluous.
    ledger.takeForgotten()
    return ledger
  }

  post({ version, top, bytes }: Posting): void {
    if (bytes === undefined) this.startAt(version)
    else this.add({ version, top, bytes })
  }

  /** Takes over what others committed. Who did so has deleted what it made superfluous. */
  follow(commits: readonly Commit[]): void {
    for (const commit of commits) if (commit.version === this.version + 1) this.post(postingOf(commit))
    this.takeForgotten()
  }

  takeForgotten(): readonly number[] {
    return this.#forgotten.splice(0)
  }
}
