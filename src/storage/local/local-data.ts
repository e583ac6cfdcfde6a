import { type Work, waitFor, workInSlices } from '../../work/in-slices.ts'
import type { Catalog } from '../engine.ts'
import { copyOf, type DataOrigin, originOfData } from '../fork/data-origin.ts'
import { ForkedTable } from '../fork/forked-table.ts'
import { lookupEntriesForked, lookupForked, lookupKeyedForked } from '../fork/lookup-forked.ts'
import { decideForked, hasPathForked, selectForked } from '../fork/select-forked.ts'
import { lookupEntries } from '../plan/lookup-entries.ts'
import { decideIndexed, lookupIndexed, lookupKeyed, selectIndexed } from '../plan/plan.ts'
import type { Decided } from '../query/decide/decide.ts'
import { keyOf } from '../query/key-of.ts'
import { arrangeRows, decideFor, select, someHas } from '../query/query.ts'
import { mayNeedEngine, selectByPattern } from '../query/select-by-pattern.ts'
import { mayUseParents } from '../relations/parent-fields.ts'
import { decideByParents, selectByParents } from '../relations/select-by-parents.ts'
import type { Collection } from '../table/collection.ts'
import { LiveTable } from '../table/live-table.ts'
import { Table } from '../table/table.ts'
import type { CreateId } from '../table/table-draft.ts'
import type { Data, KeyColumn, ListQuery, Lookup, Naming, Reader, Row, Selection, Trace } from '../types.ts'

/** Owns the data, and may replace it with another object. */
export interface Holder {
  data: Data
}

export interface LocalDataOptions extends Naming {
  /** Whether nobody else holds the data: only then are indexes and caches kept. */
  readonly isOwned: boolean
  /** The external owner of the data, if any. */
  readonly holder?: Holder | undefined
}

/** The committed data of one process, as all requests read it, and its indexes. */
export class LocalData implements Reader, Catalog {
  readonly #holder: Holder
  readonly #tables = new Map<string, Collection>()
  #naming: Naming
  #isOwned: boolean
  #isForked = false
  #version = 0
  createId: CreateId | undefined

  constructor(data: Data, { id, foreignKeySuffix, isOwned, holder }: LocalDataOptions) {
    this.#holder = holder ?? { data }
    this.#naming = { id, foreignKeySuffix }
    this.#isOwned = isOwned
  }

  /** The same object until `setState` replaces it, and the same arrays: others may hold references to them. */
  get data(): Data {
    return this.#holder.data
  }

  /** Changes with every change the engine knows of. */
  get version(): number {
    return this.#version
  }

  get naming(): Naming {
    return this.#naming
  }

  get isOwned(): boolean {
    return this.#isOwned
  }

  /** Where forks start that are made now; only while nobody else holds the data. */
  origin(): DataOrigin {
    this.#isForked = true
    return originOfData(this.data, this.#naming.id, (name) => this.table(name))
  }

  /** From now on others hold the data too and may change it: indexes can no longer be trusted. */
  share(): void {
    // Forks keep the rows, which nobody may change in place, and others get a copy of them.
    if (this.#isOwned && this.#isForked) this.#adopt(copyOf(this.data))
    if (this.#isOwned) this.noteChange()
    this.#isOwned = false
    this.#tables.clear()
  }

  useId(id: string): void {
    this.#naming = { ...this.#naming, id }
    this.#tables.clear()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    if (name === '$schema' || !Object.hasOwn(this.data, name)) return undefined
    const value = this.data[name]
    if (Array.isArray(value)) return 'collection'
    return typeof value === 'object' && value !== null ? 'object' : undefined
  }

  names(): readonly string[] {
    return Object.keys(this.data).filter((name) => this.kindOf(name))
  }

  table(collection: string): Collection | undefined {
    if (this.kindOf(collection) !== 'collection') return undefined
    const rows = this.data[collection] as Row[]
    const known = this.#tables.get(collection)
    if (known?.rows === rows) return known
    const { id } = this.#naming
    const table = this.#isOwned ? new Table(rows, id) : new LiveTable(rows, id)
    this.#tables.set(collection, table)
    return table
  }

  rows(collection: string): readonly Row[] | undefined {
    return this.table(collection)?.rows
  }

  find(collection: string, id: unknown): Row | undefined {
    const table = this.table(collection)
    const key = id === undefined || id === null ? undefined : keyOf(id)
    return table && key !== undefined ? table.find(key) : undefined
  }

  lookup(collection: string, field: string): Lookup | Promise<void> | undefined {
    const table = this.table(collection)
    if (table instanceof Table) return lookupIndexed(table, field)
    return table instanceof ForkedTable ? lookupForked(table, field) : undefined
  }

  lookupEntries(collection: string, field: string): Lookup | Promise<void> | undefined {
    const table = this.table(collection)
    if (table instanceof Table) return lookupEntries(table, field)
    return table instanceof ForkedTable ? lookupEntriesForked(table, field) : undefined
  }

  /** Rows by a computed key. Undefined if others may change them. */
  keyed(collection: string, column: KeyColumn): Lookup | Promise<void> | undefined {
    const table = this.table(collection)
    if (table instanceof Table) return lookupKeyed(table, column)
    return table instanceof ForkedTable ? lookupKeyedForked(table, column) : undefined
  }

  /** Whether any row of a collection has this field. */
  hasField(collection: string, field: string): Work<boolean> {
    const table = this.table(collection)
    if (table instanceof ForkedTable) return hasPathForked(table, field)
    return table instanceof Table ? table.indexes.hasPath(field) : someHas(table?.rows ?? [], field)
  }

  /**
   * The rows that match a query, through indexes if only the engine changes the data.
   * @param rows search these instead of the collection's
   * @param isWanted whether the client is still waiting; checked when the job's turn in the thread comes
   * @param trace filled in with how the query was answered
   */
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
    if (!rows && table instanceof ForkedTable) return yield* selectForked(table, query, this.#naming, trace)
    if (rows || !(table instanceof Table))
      return yield* select(rows ?? table?.rows ?? [], query, this.#naming, trace)
    const found = yield* waitFor(selectIndexed(table, query, this.#naming, undefined, trace))
    // If the table was replaced or shared in the meantime, it missed changes, and its result may be wrong.
    return this.table(collection) === table
      ? found
      : yield* this.selecting(collection, query, rows, isWanted, trace)
  }

  /** How a query is read against the current rows, and which of its parameters are ignored. */
  deciding(collection: string, query: ListQuery, rows?: readonly Row[]): Work<Decided> {
    if (mayUseParents(query)) return decideByParents(this, collection, query, rows)
    const table = this.table(collection)
    if (!rows && table instanceof ForkedTable) return decideForked(table, query, this.#naming)
    if (!rows && table instanceof Table) return decideIndexed(table, query, this.#naming)
    return decideFor(rows ?? table?.rows.slice() ?? [], query, this.#naming)
  }

  noteChange(): void {
    this.#version++
  }

  /** Loads other content into the same object. Returns the names from before and after. */
  adopt(fresh: Data): readonly string[] {
    return this.#adopt(fresh)
  }

  #adopt(fresh: Data): readonly string[] {
    return this.#replace(() => {
      const content = Object.getOwnPropertyDescriptors(fresh)
      for (const name of Object.keys(this.data)) delete this.data[name]
      // Defined rather than assigned: a collection may be called `__proto__`.
      Object.defineProperties(this.data, content)
    })
  }

  /** Serves another object from now on. The previous one is left intact, for tests that keep it and set it again. */
  setState(data: Data): readonly string[] {
    return this.#replace(() => {
      this.#holder.data = data
    })
  }

  #replace(put: () => void): readonly string[] {
    const before = this.names()
    put()
    this.#tables.clear()
    this.noteChange()
    return [...new Set([...before, ...this.names()])]
  }
}
