import type { Sql } from '../link/sql.ts'
import { Shape } from './shape.ts'
import type { Tables } from './tables.ts'

/** A resource as of one moment. */
export interface Resource {
  readonly rid: number
  readonly name: string
  /** `other` is in the data, but not served: a `$schema`, for one. */
  readonly kind: 'collection' | 'object' | 'other'
  /** The commit that changed it last. */
  readonly version: number
  readonly rows: number
  readonly nextPos: number
  /** Whether the place of every row follows from its position. */
  readonly isDense: boolean
  readonly shape: Shape
  /** What it is, unless it is a collection. */
  readonly value: unknown
}

/** What is there at one moment, in order. */
export interface Catalogue {
  readonly version: number
  /** Another one when everything was replaced. */
  readonly generation: number
  /** The number of the next table: none is ever used again, so that nobody takes one for another. */
  readonly nextRid: number
  readonly resources: ReadonlyMap<string, Resource>
}

/** Reads the catalogue. What did not change since it was last read is not read again. */
export class CatalogueReader {
  readonly #tables: Tables
  #last: Catalogue | undefined
  #secret = ''

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** The newest there is. */
  get last(): Catalogue | undefined {
    return this.#last
  }

  /** Another one once the schema was dropped and made again. */
  get secret(): string {
    return this.#secret
  }

  /** Takes over what a commit of ours left. */
  keep(catalogue: Catalogue): void {
    const { version, nextRid } = catalogue
    const last = this.#last
    // A collection that is new and empty makes no version.
    const isAsNew = version === last?.version && nextRid >= last.nextRid
    if (!last || version > last.version || isAsNew) this.#last = catalogue
  }

  /** As of the transaction, which sees what others may see. */
  async read(sql: Sql): Promise<Catalogue> {
    const catalogue = await this.look(sql)
    this.keep(catalogue)
    return catalogue
  }

  /** As of a transaction that may have changed it, and may fail. */
  async look(sql: Sql): Promise<Catalogue> {
    const { state, resources } = this.#tables
    const heads = await sql.query<Head>(
      `SELECT s.version AS now, s.catalog, s.next_rid, s.secret, r.rid, r.name, r.kind, r.version, r.rows, r.next_pos, r.dense
       FROM ${state} s LEFT JOIN ${resources} r ON true ORDER BY r.place`,
    )
    this.#secret = heads[0]?.secret ?? this.#secret
    const known = new Map([...(this.#last?.resources.values() ?? [])].map((one) => [one.rid, one]))
    const listed = heads.filter(({ rid }) => rid !== null)
    const changed = listed.filter(({ rid, version }) => known.get(rid)?.version !== Number(version))
    const bodies = new Map<number, Body>()
    if (changed.length > 0) {
      const rids = changed.map(({ rid }) => rid)
      const read = `SELECT rid, shape, body FROM ${resources} WHERE rid = ANY($1)`
      for (const body of await sql.query<Body>(read, [rids])) bodies.set(body.rid, body)
    }
    const all = listed.map((head) => toResource(head, bodies.get(head.rid), known.get(head.rid)))
    return {
      version: Number(heads[0]?.now),
      generation: Number(heads[0]?.catalog),
      nextRid: Number(heads[0]?.next_rid),
      resources: new Map(all.map((resource) => [resource.name, resource])),
    }
  }
}

type Head = {
  now: string
  catalog: string
  next_rid: number
  secret: string
  rid: number
  name: string
  kind: Resource['kind']
  version: string
  rows: string
  next_pos: string
  dense: boolean
}

type Body = { rid: number; shape: string | null; body: string | null }

function toResource(head: Head, body: Body | undefined, known: Resource | undefined): Resource {
  const { rid, kind, dense } = head
  if (known && !body) return known
  return {
    rid,
    name: JSON.parse(head.name),
    kind,
    version: Number(head.version),
    rows: Number(head.rows),
    nextPos: Number(head.next_pos),
    isDense: dense,
    shape: body?.shape ? Shape.of(body.shape) : Shape.empty(),
    value: body?.body ? JSON.parse(body.body) : undefined,
  }
}
