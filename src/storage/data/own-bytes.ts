import { sizeUpTo } from '../../json/json-size.ts'
import type { Database, Part } from './database.ts'
import { Table } from './table.ts'
import { diff } from './tree.ts'

/** Bytes that some data does not share with the data it began as. Costs what changed since the last count. */
export class OwnBytes {
  readonly #origin: Database
  #counted: Database
  #bytes = 0

  constructor(origin: Database) {
    this.#origin = origin
    this.#counted = origin
  }

  of(database: Database): number {
    const before = this.#counted
    if (database === before) return this.#bytes
    for (const name of new Set([...before.parts.keys(), ...database.parts.keys()])) {
      this.#bytes += this.#growth(name, before.parts.get(name), database.parts.get(name))
    }
    this.#counted = database
    return this.#bytes
  }

  #growth(name: string, before: Part, after: Part): number {
    if (before === after) return 0
    const origin = this.#origin.parts.get(name)
    const sizeOf = (value: unknown, shared: unknown) =>
      value === undefined || value === shared ? 0 : sizeUpTo(Number.POSITIVE_INFINITY, value)
    const sizeOfRows = (table: Table) => this.#growth(name, NOTHING, table)
    if (!(before instanceof Table) || !(after instanceof Table)) {
      const was = before instanceof Table ? sizeOfRows(before) : sizeOf(before, origin)
      return (after instanceof Table ? sizeOfRows(after) : sizeOf(after, origin)) - was
    }
    const shared = origin instanceof Table ? origin : NOTHING
    let growth = 0
    for (const { rank, before: old, after: next } of diff(before.rows, after.rows)) {
      const theirs = shared.row(rank)
      growth += sizeOf(next, theirs) - sizeOf(old, theirs)
    }
    return growth
  }
}

const NOTHING = Table.of([])
