import { type Work, workInSlices } from '../../../work/in-slices.ts'
import { CopyRows } from '../layout/copy-rows.ts'
import type { Encoded } from '../layout/encode-row.ts'
import { COLUMNS, type Tables } from '../layout/tables.ts'
import type { RowStream, Sql } from '../link/sql.ts'

/** Up to this many rows, or characters, go in with one statement that nobody waits for; more are copied. */
const FEW_ROWS = 500
const FEW_CHARACTERS = 1024 * 1024

/** Puts rows into a table: however many there are, few of them are in memory. */
export class RowInserter {
  readonly #sql: Sql
  readonly #tables: Tables
  readonly #rid: number
  #few: Encoded[] = []
  #characters = 0
  #copy: { readonly rows: CopyRows; readonly stream: RowStream } | undefined

  constructor(sql: Sql, tables: Tables, rid: number) {
    this.#sql = sql
    this.#tables = tables
    this.#rid = rid
  }

  /** Nothing else may be sent between the first row and the end. */
  async add(rows: Iterable<Encoded>): Promise<void> {
    await workInSlices(this.#add(rows))
  }

  async end(): Promise<void> {
    if (this.#copy) {
      await this.#copy.stream.write(this.#copy.rows.takeLast())
      await this.#copy.stream.end()
    } else if (this.#few.length > 0) {
      this.#sql.send(this.#tables.insert(this.#rid), [JSON.stringify(this.#few)])
    }
  }

  *#add(rows: Iterable<Encoded>): Work<void> {
    for (const row of rows) {
      if (!this.#copy) {
        this.#few.push(row)
        this.#characters += sizeOf(row)
        if (this.#few.length > FEW_ROWS || this.#characters > FEW_CHARACTERS) yield this.#startCopy()
      } else {
        this.#copy.rows.add(row)
        if (this.#copy.rows.isFull) yield this.#copy.stream.write(this.#copy.rows.take())
      }
      yield
    }
  }

  async #startCopy(): Promise<void> {
    const stream = await this.#sql.copy(this.#tables.copy(this.#rid))
    const rows = new CopyRows(COLUMNS)
    this.#copy = { rows, stream }
    for (const row of this.#few) {
      rows.add(row)
      if (rows.isFull) await stream.write(rows.take())
    }
    this.#few = []
  }
}

function sizeOf({ body, words }: Encoded): number {
  return String(body).length + String(words).length
}
