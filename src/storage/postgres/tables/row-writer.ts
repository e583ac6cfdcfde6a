import { Pace } from '../../../work/pace.ts'
import { withHidden } from '../../hidden/hidden-fields.ts'
import type { Row } from '../../types.ts'
import type { RowStream, Sql } from '../link/sql.ts'
import type { Tables } from './tables.ts'

/** Rows, and characters, that are sent together. */
const MOST_ROWS = 2000
const MOST_CHARACTERS = 512 * 1024

/** A row as its table has it: what is hidden is in it, and JSON escapes what PostgreSQL cannot store. */
export function textOf(row: unknown): string {
  return JSON.stringify(withHidden(row as Row)) ?? 'null'
}

/** Adds rows to a collection that has none, however many: few of them are in memory as text. */
export class RowCopier {
  readonly #sql: Sql
  readonly #tables: Tables
  readonly #part: number
  readonly #pace = new Pace()
  #stream: RowStream | undefined
  #text = ''

  constructor(sql: Sql, tables: Tables, part: number) {
    this.#sql = sql
    this.#tables = tables
    this.#part = part
  }

  /** Nothing else may be sent between the first row and the end. */
  async add(rank: number, row: unknown): Promise<void> {
    // JSON has no character that ends a field or a line.
    this.#text += `${this.#part}\t${rank}\t${textOf(row).replaceAll('\\', '\\\\')}\n`
    if (this.#text.length >= MOST_CHARACTERS) await this.#flush()
    else if (this.#pace.isDue) await this.#pace.turn()
  }

  async end(): Promise<void> {
    if (this.#text !== '') await this.#flush()
    await this.#stream?.end()
  }

  async #flush(): Promise<void> {
    this.#stream ??= await this.#sql.copy(`COPY ${this.#tables.rows} (part, rank, row) FROM STDIN`)
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    await this.#stream.write(bytes)
  }
}

/** Adds, replaces and removes single rows of a collection. */
export class RowChanger {
  readonly #sql: Sql
  readonly #tables: Tables
  readonly #part: number
  readonly #pace = new Pace()
  #ranks: number[] = []
  #texts: string[] = []
  #characters = 0
  #removed: number[] = []
  #batches = 0

  constructor(sql: Sql, tables: Tables, part: number) {
    this.#sql = sql
    this.#tables = tables
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
    const { rows } = this.#tables
    if (this.#ranks.length > 0) {
      this.#sql.send(
        `INSERT INTO ${rows} (part, rank, row) SELECT $1, * FROM unnest($2::float8[], $3::text[])
         ON CONFLICT (part, rank) DO UPDATE SET row = excluded.row`,
        [this.#part, this.#ranks, this.#texts],
      )
    }
    if (this.#removed.length > 0) {
      this.#sql.send(`DELETE FROM ${rows} WHERE part = $1 AND rank = ANY($2::float8[])`, [
        this.#part,
        this.#removed,
      ])
    }
    this.#ranks = []
    this.#texts = []
    this.#characters = 0
    this.#removed = []
  }

  async #goOn(): Promise<void> {
    const count = this.#ranks.length + this.#removed.length
    if (count >= MOST_ROWS || this.#characters >= MOST_CHARACTERS) {
      this.end()
      // Not all of it waits in memory to be sent.
      if (++this.#batches > 1) await this.#sql.flush()
    } else if (this.#pace.isDue) await this.#pace.turn()
  }
}
