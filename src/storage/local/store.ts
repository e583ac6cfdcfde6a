import { workAtOnce, workInSlices } from '../../work/in-slices.ts'
import { prettyPieces } from '../json/pretty-json.ts'
import { decideIndexed, lookupIndexed, selectIndexed } from '../plan/plan.ts'
import type { Decided } from '../query/decide/decide.ts'
import { keyOf } from '../query/key-of.ts'
import { arrangeRows, decideFor, select } from '../query/query.ts'
import { mayNeedEngine, selectByPattern } from '../query/select-by-pattern.ts'
import { higherId, nextId } from '../table/next-id.ts'
import { Table } from '../table/table.ts'
import type { CreateId } from '../table/table-draft.ts'
import type { Data, ListQuery, Lookup, Naming, Row, Selection } from '../types.ts'
import { Draft, type DraftBase } from './draft.ts'
import { Keeper, type Medium } from './keeper.ts'
import { type Apply, applying, WriteQueue } from './write-queue.ts'

/** Has the data in its keeping, and may put another object in its place. */
export interface Holder {
  data: Data
}

export interface StoreOptions extends Naming {
  /** Without one the data lives in memory, and belongs to whoever handed it in. */
  readonly medium?: Medium | undefined
  /** Somebody else who keeps the data. */
  readonly holder?: Holder | undefined
}

/**
 * The data, and the one way to change it. Writes queue up; those that arrive while a save is under way
 * share the next one (group commit). A write resolves once the medium holds it, and not before.
 */
export class Store implements DraftBase {
  readonly #holder: Holder
  readonly #keeper: Keeper
  readonly #writes: WriteQueue
  readonly #tables = new Map<string, Table>()
  #naming: Naming
  #isOwned: boolean
  #version = 0
  createId: CreateId | undefined
  /** Hears which resources changed, once the change is to be read. */
  onChange: ((names: readonly string[]) => void) | undefined

  constructor(data: Data, { id, foreignKeySuffix, medium, holder }: StoreOptions) {
    this.#holder = holder ?? { data }
    this.#naming = { id, foreignKeySuffix }
    this.#keeper = new Keeper(medium, data)
    this.#writes = new WriteQueue({
      base: this,
      keeper: this.#keeper,
      refresh: () => this.#refresh(),
      onPublish: () => {
        this.#version++
      },
      onChange: (names) => this.onChange?.(names),
    })
    this.#isOwned = medium !== undefined && holder === undefined
  }

  /** The same object until `setState` puts another in its place, and its arrays with it: others may hold on to them. */
  get data(): Data {
    return this.#holder.data
  }

  /** Another one after every change that the store knows of. */
  get version(): number {
    return this.#version
  }

  get naming(): Naming {
    return this.#naming
  }

  get isOwned(): boolean {
    return this.#isOwned
  }

  /** Tells the store that others hold the data too and may change it: from now on indexes are only hints. */
  share(): Data {
    if (this.#isOwned) {
      this.#tables.clear()
      this.#version++
    }
    this.#isOwned = false
    this.#keeper.share()
    return this.data
  }

  useId(id: string): void {
    this.#naming = { ...this.#naming, id }
    this.#tables.clear()
  }

  /** The id that a row added to these would get. */
  nextId(rows: readonly Row[]): unknown {
    return nextId(rows.reduce<unknown>((highest, row) => higherId(highest, row, this.#naming.id), undefined))
  }

  /** Whether a name is a collection, a singular object, or nothing that is served. */
  kindOf(name: string): 'collection' | 'object' | undefined {
    if (name === '$schema' || !Object.hasOwn(this.data, name)) return undefined
    const value = this.data[name]
    if (Array.isArray(value)) return 'collection'
    return typeof value === 'object' && value !== null ? 'object' : undefined
  }

  names(): readonly string[] {
    return Object.keys(this.data).filter((name) => this.kindOf(name))
  }

  table(collection: string): Table | undefined {
    if (this.kindOf(collection) !== 'collection') return undefined
    const rows = this.data[collection] as Row[]
    const known = this.#tables.get(collection)
    if (known?.rows === rows) return known
    const table = new Table(rows, this.#naming.id)
    this.#tables.set(collection, table)
    return table
  }

  rows(collection: string): readonly Row[] | undefined {
    return this.table(collection)?.rows
  }

  find(collection: string, id: unknown): Row | undefined {
    const table = this.table(collection)
    const key = id === undefined || id === null ? undefined : keyOf(id)
    return table && key !== undefined ? table.rows[table.positionOf(key, this.#isOwned)] : undefined
  }

  lookup(collection: string, field: string): Lookup | Promise<void> | undefined {
    const table = this.table(collection)
    return table && this.#isOwned ? lookupIndexed(table, field) : undefined
  }

  /**
   * What a query finds: through indexes, where nobody but the store changes the data.
   * @param isWanted whether somebody still waits for it; asked where others wait for the same thread
   */
  select(collection: string, query: ListQuery, isWanted?: () => boolean): Selection | Promise<Selection> {
    if (mayNeedEngine(query)) {
      const decide = (asked: ListQuery) => this.decide(collection, asked)
      const selectOthers = (others: ListQuery) => this.select(collection, others)
      const arrange = (rows: readonly Row[], asked: ListQuery) => workInSlices(arrangeRows(rows, asked))
      return selectByPattern(query, { decide, select: selectOthers, arrange, isWanted })
    }
    const table = this.table(collection)
    if (!table || !this.#isOwned) return workInSlices(select(table?.rows ?? [], query, this.#naming))
    const found = selectIndexed(table, query, this.#naming)
    if (!(found instanceof Promise)) return found
    // A table that is no longer ours, or not the same, does not hear of changes any more: what it finds may be wrong.
    return found.then((late) => (this.table(collection) === table ? late : this.select(collection, query)))
  }

  /** What a query means with the rows as they are now, and which of its parameters mean nothing. */
  decide(collection: string, query: ListQuery): Decided | Promise<Decided> {
    const table = this.table(collection)
    if (table && this.#isOwned) return workInSlices(decideIndexed(table, query, this.#naming))
    return workInSlices(decideFor(table?.rows.slice() ?? [], query, this.#naming))
  }

  /** Prepares a change, saves it with whatever else is waiting, and resolves with what `apply` returned. */
  write<T>(apply: Apply<T>): Promise<T> {
    return this.#writes.write(apply)
  }

  /** What a write would answer, without doing it. */
  pretend<T>(apply: Apply<T>): T | Promise<T> {
    return workInSlices(applying(apply, new Draft(this)))
  }

  /** Puts other data in the place of all there is, and saves it. */
  replaceAll(data: Data): Promise<void> {
    return this.#keeper.inTurn(async () => {
      await this.#keeper.exclusively(() => this.#keeper.save(data))
      this.#adopt(data)
    })
  }

  /**
   * Serves another object from now on, not saved yet. The one before stays as it was, for tests that keep
   * it to set it again.
   */
  setState(data: Data): void {
    const before = this.names()
    this.#holder.data = data
    this.#tables.clear()
    this.#announce([...new Set([...before, ...this.names()])])
  }

  /** Saves the data as it is: for those who changed it in place. */
  async save(): Promise<void> {
    const saveNow = () => this.#keeper.save(this.data)
    await this.#keeper.inTurn(() => this.#keeper.exclusively(saveNow))
    this.#announce(this.names())
  }

  /**
   * All data as JSON, in slices. It is that of the moment in which it was asked for; where somebody else was given the
   * data meanwhile, and may have changed rows in place, that of the moment in which it is written out at once.
   */
  async writeOut(): Promise<readonly Uint8Array[]> {
    if (this.#isOwned) {
      const pieces = await workInSlices(prettyPieces(this.data))
      if (this.#isOwned) return pieces
    }
    return workAtOnce(prettyPieces(this.data))
  }

  /** Takes over what somebody else wrote into the medium; false when there is nothing new. */
  reload(): Promise<boolean> {
    return this.#keeper.inTurn(() => this.#refresh())
  }

  /** Takes over what the medium holds, at once. While saves are under way, they see to that themselves. */
  reloadSync(): void {
    const data = this.#keeper.readSync()
    if (data) this.#adopt(data)
  }

  /** Resolves when everything asked for so far is saved, or was refused. */
  flush(): Promise<void> {
    return this.#keeper.idle()
  }

  #announce(names: readonly string[]): void {
    this.#version++
    this.onChange?.(names)
  }

  async #refresh(): Promise<boolean> {
    const news = await this.#keeper.news()
    if (news) this.#adopt(news)
    return news !== undefined
  }

  #adopt(fresh: Data): void {
    const content = Object.getOwnPropertyDescriptors(fresh)
    const before = this.names()
    for (const name of Object.keys(this.data)) delete this.data[name]
    // Defined rather than assigned: a collection may be called `__proto__`.
    Object.defineProperties(this.data, content)
    this.#tables.clear()
    this.#announce([...new Set([...before, ...this.names()])])
  }
}
