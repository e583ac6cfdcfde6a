import { Pace } from '../../util/pace.ts'
import { withHidden } from '../access/hidden-fields.ts'
import type { Row } from '../types.ts'
import type { Transaction } from './transaction.ts'

const MOST_ROWS = 2000
const MOST_CHARACTERS = 512 * 1024
/** Statements that may be in flight: not everything waits in memory to be sent. */
const AHEAD = 2

/** A row as its table has it: what is hidden is in it, and JSON escapes what PostgreSQL cannot store. */
export function textOf(row: unknown): string {
  return JSON.stringify(withHidden(row as Row)) ?? 'null'
}

export class RowWriter {
  readonly #sql: Transaction
  readonly #part: number
  readonly #pace = new Pace()
  #ranks: number[] = []
  #texts: string[] = []
  #characters = 0
  #removed: number[] = []

  constructor(sql: Transaction, part: number) {
    this.#sql = sql
    this.#part = part
  }

  async put(rank: number, row: unknown): Promise<void> {
    const text = textOf(row)
    this.#ranks.push(rank)
    this.#texts.push(text)
    this.#characters += text.length
    await this.#goOn()
  }

  async remove(rank: number): Promise<void> {
    this.#removed.push(rank)
    await this.#goOn()
  }

  /** Sends what is left, without waiting for it. */
  end(): void {
    if (this.#ranks.length > 0) {
      // JSON has no line breaks. As one text, rows are neither escaped here nor parsed there.
      this.#sql.send(
        `INSERT INTO rows (part, rank, row)
         SELECT $1, * FROM unnest($2::float8[], string_to_array($3, E'\\n'))
         ON CONFLICT (part, rank) DO UPDATE SET row = excluded.row`,
        [this.#part, this.#ranks, this.#texts.join('\n')],
      )
    }
    if (this.#removed.length > 0) {
      const text = 'DELETE FROM rows WHERE part = $1 AND rank = ANY($2::float8[])'
      this.#sql.send(text, [this.#part, this.#removed])
    }
    this.#ranks = []
    this.#texts = []
    this.#characters = 0
    this.#removed = []
  }

  async #goOn(): Promise<void> {
    if (this.#ranks.length + this.#removed.length >= MOST_ROWS || this.#characters >= MOST_CHARACTERS) {
      this.end()
      await this.#sql.flush(AHEAD)
    } else if (this.#pace.isDue) await this.#pace.turn()
  }
}
