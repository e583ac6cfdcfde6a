import { type Work, waitFor, workInSlices } from '../../../work/in-slices.ts'
import type { DraftBase } from '../../draft/draft.ts'
import type { HiddenNames } from '../../hidden/conceal.ts'
import { fieldText } from '../../index/id-index.ts'
import { entryKey, listOf } from '../../index/lookup.ts'
import { isRow } from '../../is-row.ts'
import type { Readable } from '../../local/reading/readable.ts'
import { type Decided, decide } from '../../query/decide/decide.ts'
import { pathsOf } from '../../query/decide/paths-of.ts'
import { keyOf } from '../../query/key-of.ts'
import { arrangeRows, decideFor, select } from '../../query/query.ts'
import { mayNeedEngine, selectByPattern } from '../../query/select-by-pattern.ts'
import { withIgnored } from '../../query/with-ignored.ts'
import { mayUseParents } from '../../relations/parent-fields.ts'
import { decideByParents, selectByParents } from '../../relations/select-by-parents.ts'
import type { Remember } from '../../table/next-id.ts'
import type { Data, KeyColumn, ListQuery, Lookup, Naming, Row, Selection, Trace } from '../../types.ts'
import type { Catalogue } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { ReadSql } from '../link/sql.ts'
import { fetchMissing } from './fetch-missing.ts'
import { FetchedTable } from './fetched-table.ts'
import { hasPathIn } from './has-path-in.ts'
import { type Admit, selectRows } from './select-rows.ts'

/** How many parts of a collection a sample is of, and how many rows of each it has. */
const SAMPLES = 4
const SAMPLED = 25

/** How rows are read. */
export interface Wanted {
  readonly naming: Naming
  /** Fields that questions do not find. */
  readonly hidden: HiddenNames
  /** Told of each query before it is asked. */
  readonly admit?: Admit | undefined
}

/** The data of one transaction, as far as it was fetched. Nobody changes it meanwhile. */
export class FetchedData implements DraftBase, Readable {
  readonly naming: Naming
  readonly catalogue: Catalogue
  readonly isOwned = true
  readonly isFixed = true
  readonly #sql: ReadSql
  readonly #names: Tables
  readonly #hidden: HiddenNames
  readonly #admit: Admit | undefined
  readonly #tables = new Map<string, FetchedTable>()
  /** Texts that were made up for ids, by their kind, and how many of them this pass has used. */
  readonly #madeUp = new Map<string, { readonly texts: string[]; used: number }>()
  #data: Data | undefined

  constructor(sql: ReadSql, tables: Tables, catalogue: Catalogue, { naming, hidden, admit }: Wanted) {
    this.#sql = sql
    this.#names = tables
    this.catalogue = catalogue
    this.naming = naming
    this.#hidden = hidden
    this.#admit = admit
  }

  get version(): number {
    return this.catalogue.version
  }

  /** Everything but collections. */
  get data(): Data {
    this.#data ??= Object.fromEntries(
      [...this.catalogue.resources.values()]
        .filter(({ kind }) => kind !== 'collection')
        .map(({ name, value }) => [name, value]),
    )
    return this.#data
  }

  /** Everything. */
  get shown(): Data {
    const names = [...this.catalogue.resources.keys()]
    return Object.fromEntries(names.map((name) => [name, this.rows(name) ?? this.data[name]]))
  }

  /** Needs no rows. */
  object(name: string): Row | undefined {
    const value = this.kindOf(name) === 'object' ? this.data[name] : undefined
    return isRow(value) ? value : undefined
  }

  names(): readonly string[] {
    return [...this.catalogue.resources.keys()].filter((name) => this.kindOf(name))
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    const kind = this.catalogue.resources.get(name)?.kind
    return kind === 'other' ? undefined : kind
  }

  table(collection: string): FetchedTable | undefined {
    const known = this.#tables.get(collection)
    if (known) return known
    const resource = this.catalogue.resources.get(collection)
    if (resource?.kind !== 'collection') return undefined
    const table = new FetchedTable(resource, this.naming.id, this.#hidden.get(collection))
    this.#tables.set(collection, table)
    return table
  }

  /** The tables that were asked for anything. */
  fetched(): Iterable<FetchedTable> {
    return this.#tables.values()
  }

  sizeOf(collection: string): number | undefined {
    return this.table(collection)?.length
  }

  rows(collection: string): readonly Row[] | undefined {
    return this.table(collection)?.rows
  }

  find(collection: string, id: unknown): Row | undefined {
    const key = id === undefined || id === null ? undefined : keyOf(id)
    return key === undefined ? undefined : this.table(collection)?.find(key)
  }

  lookup(collection: string, field: string): Lookup | undefined {
    return this.table(collection)?.keyed({
      name: `field ${field}`,
      keysOf: (row) => [fieldText(row, field)].filter((text) => text !== undefined),
      whereOf: (values) => ({ path: field, op: 'eq', values, required: true }),
    })
  }

  lookupEntries(collection: string, field: string): Lookup | undefined {
    const keysOf = (row: Row) => (listOf(row, field) ?? []).map(entryKey).filter((key) => key !== undefined)
    return this.table(collection)?.keyed({
      name: `entries ${field}`,
      keysOf,
      areValues: true,
      whereOf: (values) => ({ path: field, op: 'in', values, required: true }),
    })
  }

  keyed(collection: string, column: KeyColumn): Lookup | undefined {
    return this.table(collection)?.keyed(column)
  }

  hasField(collection: string, field: string): Work<boolean> {
    return this.hasPath(collection, field)
  }

  *hasPath(collection: string, path: string): Work<boolean> {
    const table = this.table(collection)
    return table !== undefined && (yield* waitFor(hasPathIn(this.#sql, this.#names, table, path)))
  }

  /** Some rows of a collection, from all over it. */
  *sample(collection: string): Work<readonly Row[]> {
    const size = this.sizeOf(collection) ?? 0
    const rows: Row[] = []
    for (let part = 0; part < SAMPLES && part * SAMPLED < size; part++) {
      const start = Math.max(part * SAMPLED, Math.floor((part * size) / SAMPLES))
      const window = { kind: 'slice', start, end: start + SAMPLED } as const
      const query: ListQuery = { where: [], sort: [], window, embed: [], expand: [] }
      rows.push(...(yield* this.selecting(collection, query)).items)
    }
    return rows
  }

  *selecting(
    collection: string,
    query: ListQuery,
    rows?: readonly Row[],
    isWanted?: () => boolean,
    trace: Trace = { uses: [], examined: 0 },
  ): Work<Selection> {
    if (mayUseParents(query)) return yield* selectByParents(this, collection, query, rows, isWanted, trace)
    if (mayNeedEngine(query)) {
      const decide = (asked: ListQuery) => workInSlices(this.deciding(collection, asked, rows))
      const selectOthers = (others: ListQuery) =>
        workInSlices(this.selecting(collection, others, rows, isWanted, trace))
      const arrange = (found: readonly Row[], asked: ListQuery) => workInSlices(arrangeRows(found, asked))
      return yield* waitFor(
        selectByPattern(query, { decide, select: selectOthers, arrange, isWanted, trace }),
      )
    }
    const table = this.table(collection)
    if (rows || !table) return yield* select(rows ?? [], query, this.naming, trace)
    const { query: decided, ignored } = yield* this.deciding(collection, query)
    const search = { trace, isWanted, admit: this.#admit }
    const found = yield* waitFor(selectRows(this.#sql, this.#names, table, decided, search))
    return withIgnored(found, ignored)
  }

  *deciding(collection: string, query: ListQuery, rows?: readonly Row[]): Work<Decided> {
    if (mayUseParents(query)) return yield* decideByParents(this, collection, query, rows)
    if (rows) return yield* decideFor(rows, query, this.naming)
    const known = new Set<string>()
    for (const path of pathsOf(query, this.naming)) {
      if (yield* this.hasField(collection, path)) known.add(path)
    }
    const hasRows = (this.sizeOf(collection) ?? 0) > 0
    return decide(query, { has: (path) => known.has(path), hasRows }, this.naming)
  }

  /** The same texts in each pass: another id would have to be looked for each time. */
  readonly remember: Remember = (kind, make) => {
    const known = this.#madeUp.get(kind) ?? { texts: [], used: 0 }
    this.#madeUp.set(kind, known)
    const text = known.texts[known.used] ?? make()
    known.texts[known.used++] = text
    return text
  }

  /** Does work that may ask for more than was fetched, until nothing is missing. */
  async complete<T>(work: () => Work<T>): Promise<T> {
    for (;;) {
      for (const known of this.#madeUp.values()) known.used = 0
      const result = await settled(work())
      if (!(await this.#fetchMissing())) {
        if ('error' in result) throw result.error
        return result.value
      }
    }
  }

  async #fetchMissing(): Promise<boolean> {
    let isAny = false
    for (const table of this.#tables.values()) {
      if (!table.missing.isAny) continue
      isAny = true
      await fetchMissing(this.#sql, this.#names, table, this.naming.id)
    }
    return isAny
  }
}

type Settled<T> = { readonly value: T } | { readonly error: unknown }

async function settled<T>(work: Work<T>): Promise<Settled<T>> {
  try {
    return { value: await workInSlices(work) }
  } catch (error) {
    return { error }
  }
}
