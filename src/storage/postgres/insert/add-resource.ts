import { isRow } from '../../is-row.ts'
import { isCollection } from '../../json/incoming.ts'
import type { Resource } from '../layout/catalog.ts'
import { type Encoded, encodeRow } from '../layout/encode-row.ts'
import { Shape } from '../layout/shape.ts'
import { GAP, type Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { RowInserter } from './row-inserter.ts'

interface About {
  readonly rid: number
  readonly name: string
  readonly version: number
  /** The primary key. */
  readonly idName: string
}

/** A collection that is being made. It has to be listed then. */
export class NewCollection {
  readonly #about: About
  readonly #sql: Sql
  readonly #tables: Tables
  readonly #inserter: RowInserter
  readonly #shape = Shape.empty()
  #rows = 0

  constructor(sql: Sql, tables: Tables, about: About) {
    this.#about = about
    this.#sql = sql
    this.#tables = tables
    sql.send(tables.create(about.rid))
    this.#inserter = new RowInserter(sql, tables, about.rid)
  }

  add(rows: readonly unknown[]): Promise<void> {
    return this.#inserter.add(this.#encode(rows))
  }

  async end(): Promise<Resource> {
    await this.#inserter.end()
    const { rid, name, version } = this.#about
    for (const index of this.#tables.index(rid)) this.#sql.send(index)
    const rows = this.#rows
    const rest = { rows, nextPos: rows * GAP, isDense: true, shape: this.#shape, value: undefined }
    return { rid, name, kind: 'collection', version, ...rest }
  }

  *#encode(rows: readonly unknown[]): Generator<Encoded> {
    for (const row of rows) yield encodeRow(row, this.#rows++ * GAP, this.#shape, this.#about.idName)
  }
}

/** What is not a collection. */
export function addValue({ rid, name, version }: About, value: unknown): Resource {
  const kind = name !== '$schema' && isRow(value) ? 'object' : 'other'
  return { rid, name, kind, version, rows: 0, nextPos: 0, isDense: true, shape: Shape.empty(), value }
}

/** Puts a resource into the list of those that there are, at a place that is not taken. */
export function listResource(sql: Sql, tables: Tables, resource: Resource, place: number): void {
  const { rid, name, kind, version, rows, nextPos, shape, value } = resource
  sql.send(
    `INSERT INTO ${tables.resources} (rid, place, name, kind, body, version, rows, next_pos, shape)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[rid, place, JSON.stringify(name), kind, kind === 'collection' ? null : JSON.stringify(value)],
      ...[version, rows, nextPos, shape.toText()],
    ],
  )
}

/** Adds a resource as a whole, after all others. */
export async function addResource(
  sql: Sql,
  tables: Tables,
  { value, ...about }: About & { readonly value: unknown },
): Promise<Resource> {
  let resource = addValue(about, value)
  if (isCollection(about.name, value)) {
    const collection = new NewCollection(sql, tables, about)
    await collection.add(value)
    resource = await collection.end()
  }
  listResource(sql, tables, resource, about.rid)
  return resource
}
