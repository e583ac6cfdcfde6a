import { type Work, workAtOnce } from '../../work/in-slices.ts'
import type { Catalog } from '../engine.ts'
import { copyOf, type DataOrigin, originOfData } from '../fork/data-origin.ts'
import { ForkedTable } from '../fork/forked-table.ts'
import { lookupEntriesForked, lookupForked, lookupKeyedForked } from '../fork/lookup-forked.ts'
import { hasPathForked } from '../fork/select-forked.ts'
import { conceal, type HiddenNames, hidesSame, reveal } from '../hidden/conceal.ts'
import { ConcealedTable, liveTable } from '../hidden/concealed-table.ts'
import { lookupEntries } from '../plan/lookup-entries.ts'
import { lookupIndexed, lookupKeyed } from '../plan/plan.ts'
import type { Decided } from '../query/decide/decide.ts'
import { keyOf } from '../query/key-of.ts'
import { someHas } from '../query/query.ts'
import type { Collection } from '../table/collection.ts'
import { Table } from '../table/table.ts'
import type { CreateId } from '../table/table-draft.ts'
import type { Data, KeyColumn, ListQuery, Lookup, Naming, Reader, Row, Selection, Trace } from '../types.ts'
import { decideIn, selectIn } from './select-in.ts'

/** Owns the data, and may replace it with another object. */
export interface Holder {
  data: Data
}

export interface LocalDataOptions extends Naming {
  /** Whether nobody else holds the data: only then are indexes and caches kept. */
  readonly isOwned: boolean
  /** The external owner of the data, if any. */
  readonly holder?: Holder | undefined
  /** What the rows hide already. */
  readonly hidden?: HiddenNames | undefined
}

const NONE: HiddenNames = new Map()

/** The committed data of one process, as all requests read it, and its indexes. */
export class LocalData implements Reader, Catalog {
  readonly #holder: Holder
  readonly #tables = new Map<string, Collection>()
  #naming: Naming
  #isOwned: boolean
  #isForked = false
  #version = 0
  #hidden: HiddenNames
  createId: CreateId | undefined

  constructor(data: Data, { id, foreignKeySuffix, isOwned, holder, hidden = NONE }: LocalDataOptions) {
    this.#holder = holder ?? { data }
    this.#naming = { id, foreignKeySuffix }
    this.#isOwned = isOwned
    this.#hidden = hidden
  }

  /** The same object until `setState` replaces it, and the same arrays: others may hold references to them. */
  get data(): Data {
    return this.#holder.data
  }

  /** The data as questions find it. */
  get shown(): Data {
    if (this.#isOwned || this.#hidden.size === 0) return this.data
    const shown = { ...this.data }
    for (const name of this.#hidden.keys()) {
      const rows = this.rows(name)
      if (rows) shown[name] = rows
    }
    return shown
  }

  /** The fields that questions do not find. */
  get hidden(): HiddenNames {
    return this.#hidden
  }

  /** Hides these fields from now on, and none else. Returns the names of before and after if that makes a difference. */
  hide(hidden: HiddenNames): readonly string[] {
    if (hidesSame(hidden, this.#hidden)) return []
    const noMore = [...this.#hidden.keys()].map((name) => [name, []] as const)
    this.#hidden = new Map<string, readonly string[]>([...noMore, ...hidden])
    // What others hold stays as it is.
    return this.#isOwned ? this.adopt(this.data) : this.#replace(() => {})
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
    // Forks keep the rows, which nobody may change in place, and others get a copy of them: whole, with what is hidden.
    if (this.#isOwned && this.#isForked) this.#adopt(copyOf(this.data))
    if (this.#isOwned && this.#hidden.size > 0) this.#adopt(workAtOnce(reveal(this.data, this.#hidden)))
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
    if (known && (known instanceof ConcealedTable ? known.held : known.rows) === rows) return known
    const { id } = this.#naming
    const table = this.#isOwned ? new Table(rows, id) : liveTable(rows, id, this.#hidden.get(collection))
    this.#tables.set(collection, table)
    return table
  }

  sizeOf(collection: string): number | undefined {
    return this.table(collection)?.length
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
    return yield* selectIn(this, collection, query, { rows, isWanted, trace })
  }

  /** How a query is read against the current rows, and which of its parameters are ignored. */
  deciding(collection: string, query: ListQuery, rows?: readonly Row[]): Work<Decided> {
    return decideIn(this, collection, query, rows)
  }

  noteChange(): void {
    this.#version++
  }

  /** Content as `adopt` takes it over. Done before in slices, it takes no time there. */
  *prepared(fresh: Data): Work<Data> {
    if (this.#hidden.size === 0) return fresh
    return yield* this.#isOwned ? conceal(fresh, this.#hidden) : reveal(fresh, this.#hidden)
  }

  /** Loads other content into the same object. Returns the names from before and after. */
  adopt(fresh: Data): readonly string[] {
    return this.take(workAtOnce(this.prepared(fresh)))
  }

  /** The same for content that hides what is to be hidden. */
  protected take(content: Data): readonly string[] {
    return this.#adopt(content)
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
