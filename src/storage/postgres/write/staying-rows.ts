import { GAP, type Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { fetchMissing } from '../view/fetch-missing.ts'
import type { FetchedTable } from '../view/fetched-table.ts'
import type { Staying } from './order.ts'

/** The rows of a changed collection that were there before, and are not removed. */
export class StayingRows implements Staying {
  readonly #sql: Sql
  readonly #tables: Tables
  readonly #table: FetchedTable
  readonly #idName: string

  constructor(sql: Sql, tables: Tables, table: FetchedTable, idName: string) {
    this.#sql = sql
    this.#tables = tables
    this.#table = table
    this.#idName = idName
  }

  async positionsOf(places: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const { resource, isWhole } = this.#table
    const gone = this.#gone()
    if (places.length === 0 || (resource.isDense && gone.size === 0)) {
      return new Map(places.map((place) => [place, place * GAP]))
    }
    if (isWhole) {
      const all = await this.allPositions()
      return new Map(places.map((place) => [place, all[place] ?? 0]))
    }
    // One pass over the positions counts for all, as far as the last of them.
    const found = await this.#sql.query<{ pos: string; place: string }>(
      `SELECT pos, place FROM (
         SELECT pos, row_number() OVER (ORDER BY pos) - 1 AS place FROM ${this.#tables.of(resource.rid)}
         WHERE NOT (pos = ANY($1::bigint[])) ORDER BY pos LIMIT $2) numbered
       WHERE place = ANY($3::bigint[])`,
      [[...gone], 1 + places.reduce((most, place) => Math.max(most, place)), places],
    )
    return new Map(found.map(({ pos, place }) => [Number(place), Number(pos)]))
  }

  async allPositions(): Promise<readonly number[]> {
    const table = this.#table
    if (!table.isWhole) {
      table.missing.all = true
      await fetchMissing(this.#sql, this.#tables, table, this.#idName)
    }
    const gone = this.#gone()
    return table.positions.filter((pos) => !gone.has(pos))
  }

  #gone(): ReadonlySet<number> {
    const removed = [...(this.#table.change?.removed ?? [])]
    return new Set(removed.map((row) => this.#table.posOf(row) ?? 0))
  }
}
