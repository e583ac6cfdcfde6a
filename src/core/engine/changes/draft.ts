import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { toText } from '../../kernel/catalogue/text.ts'
import { getOrMake } from '../../kernel/util/get-or-make.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { Database, Part, TableSource } from '../data/database.ts'
import type { Column } from '../data/index.ts'
import { byId, fieldText, findEntry, lookup, lookupKeys, type RowsByKey } from '../data/lookup.ts'
import { freeId, higherId, highestId, nextId } from '../data/next-id.ts'
import { Table } from '../data/table.ts'
import { idOf } from '../id-of.ts'
import type { NewId } from '../rules/made-rows.ts'
import type { Naming, Row } from '../types.ts'

/** From this many rows on, one scan is faster than a lookup for each. */
const MANY = 64

/** How many rows are replaced without a pause. */
const AT_ONCE = 10_000

export type CreateId = (rows: readonly Row[], row: Row, isTaken: (id: unknown) => boolean) => unknown

export interface InsertOptions {
  readonly newId?: NewId | undefined
  /** Keeps an id of 0, too. @default false */
  readonly keepsIds?: boolean | undefined
  readonly isTaken?: ((id: string) => boolean) | undefined
  readonly complete?: ((row: Row) => Row) | undefined
  readonly place?: number | undefined
}

/** The data as a change leaves it so far. Dropped if the change is refused. */
export class Draft implements TableSource {
  readonly naming: Naming
  readonly pace = new TimeSlice()
  readonly #createId: CreateId | undefined
  readonly #before: Database
  database: Database
  /** New rows whose hooks still run: they are not in the data, but their ids are taken. */
  coming: ReadonlyMap<string, Table> = new Map()

  constructor(database: Database, naming: Naming, createId?: CreateId) {
    this.#before = database
    this.database = database
    this.naming = naming
    this.#createId = createId
  }

  names(): readonly string[] {
    return this.database.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.database.kindOf(name)
  }

  table(name: string): Table | undefined {
    return this.database.table(name)
  }

  object(name: string): Row | undefined {
    return this.database.object(name)
  }

  rows(collection: string): readonly Row[] {
    return this.table(collection)?.rows.items() ?? []
  }

  async find(collection: string, id: unknown): Promise<Row | undefined> {
    const table = this.table(collection)
    return table && (await findEntry(table, idOf(collection, this.naming), id))?.row
  }

  /** Valid until the next change. The index survives if the change is refused. */
  async keyed(collection: string, column: Column): Promise<RowsByKey> {
    const before = this.#before.table(collection)
    if (before) await this.table(collection)?.deriveFrom(before, column)
    return lookupKeys(this, collection, column)
  }

  /** All or, if an id is taken, none. A falsy id counts as missing, as in json-server. */
  async insert(
    collection: string,
    rows: readonly Row[],
    making: InsertOptions = {},
  ): Promise<readonly Row[]> {
    const table = this.database.table(collection) ?? Table.of([])
    const inserted = await this.#withIds(table, collection, rows, making)
    this.database = this.database.with(collection, table.withAt(making.place ?? table.size, inserted))
    return inserted
  }

  /** Runs `work` on new rows with their ids, before they are inserted. Rows that it inserts get others. */
  async reserving<T>(
    collection: string,
    rows: readonly Row[],
    making: InsertOptions,
    work: (rows: readonly Row[]) => Promise<T>,
  ): Promise<T> {
    const { coming } = this
    const table = this.database.table(collection) ?? Table.of([])
    const made = await this.#withIds(table, collection, rows, making)
    this.coming = new Map([...coming, [collection, Table.of([...this.comingIn(collection), ...made])]])
    const outcome = await work(made)
    this.coming = coming
    return outcome
  }

  comingIn(collection: string): readonly Row[] {
    return this.coming.get(collection)?.rows.items() ?? []
  }

  async #withIds(
    table: Table,
    collection: string,
    rows: readonly Row[],
    making: InsertOptions,
  ): Promise<readonly Row[]> {
    const { newId, complete, keepsIds, isTaken } = making
    const idName = idOf(collection, this.naming)
    const coming = this.coming.get(collection)
    const find = await byId(table, idName)
    const findComing = coming && (await byId(coming, idName))
    const taken = new Set<string>()
    let highest = await highestId(table, idName)
    if (coming) highest = higherId(highest, { [idName]: await highestId(coming, idName) }, idName)
    const made: Row[] = []
    // A custom id generator gets all rows, each time.
    const all = this.#createId ? [...table.rows.items(), ...this.comingIn(collection)] : undefined
    const isThere = (text: string) => taken.has(text) || Boolean(find(text) ?? findComing?.(text))
    for (const sent of rows) {
      const usual = () => (all && this.#createId?.(all, sent, (id) => isThere(toText(id)))) ?? nextId(highest)
      let id = keepsIds ? sent[idName] : sent[idName] || undefined
      if (id === undefined || id === null) {
        id = newId ? newId(sent, highest, usual) : usual()
        if (isTaken) id = freeId(id, isTaken)
      }
      const whole = { ...sent, [idName]: id }
      const row = complete ? complete(whole) : whole
      const text = toText(row[idName])
      if (isThere(text)) {
        throw new StorageError('DUPLICATE_ID', `${collection} already has an item with ${idName} ${text}`)
      }
      taken.add(text)
      highest = higherId(highest, row, idName)
      made.push(row)
      all?.push(row)
      if (this.pace.isUsedUp) await this.pace.yieldToEventLoop()
    }
    return made
  }

  /** Replaces each row by the one at the same index of `next`, which has the same id; without one, removes it. */
  async replace(collection: string, rows: readonly Row[], next: readonly Row[]): Promise<void> {
    let table = this.table(collection)
    if (!table) return
    const places = await this.#placesOf(collection, table, rows)
    if (places.length < rows.length) wroteItself(collection)
    for (let start = 0; start < places.length; start += AT_ONCE) {
      const some = places.slice(start, start + AT_ONCE)
      table = table.edit(some.map(({ rank, at }) => ({ rank, after: next[at] })))
      if (this.pace.isUsedUp) await this.pace.yieldToEventLoop()
    }
    this.set(collection, table)
  }

  replaceObject(name: string, old: Row, next: Row): void {
    if (this.object(name) !== old) wroteItself(name)
    this.set(name, next)
  }

  /** The rows as they are now, by their ids if they were replaced. Those that are gone are left out. */
  async current(collection: string, rows: readonly Row[]): Promise<readonly Row[]> {
    const idName = idOf(collection, this.naming)
    const withId = await lookup(this, collection, idName)
    const found = new Set<Row>()
    for (const row of rows) {
      const id = fieldText(row, idName)
      const same = id === undefined ? [row] : withId(id)
      const now = same.includes(row) ? row : same[0]
      if (now) found.add(now)
      if (this.pace.isUsedUp) await this.pace.yieldToEventLoop()
    }
    return [...found]
  }

  remove(collection: string, rows: readonly Row[]): Promise<void> {
    return this.replace(collection, rows, [])
  }

  async positionOf(collection: string, row: Row): Promise<number> {
    const table = this.table(collection) ?? Table.of([])
    const [place] = await this.#placesOf(collection, table, [row])
    return place ? table.rows.positionOf(undefined, place.rank) : -1
  }

  set(name: string, part: Part): void {
    this.database = this.database.with(name, part)
  }

  /** By rank: which of the rows is where. */
  async #placesOf(collection: string, table: Table, rows: readonly Row[]): Promise<readonly Place[]> {
    if (rows.length < MANY && new Set(rows).size === rows.length) {
      const idName = idOf(collection, this.naming)
      const find = await byId(table, idName)
      const places = rows.flatMap((row, at) => {
        const id = fieldText(row, idName)
        const entry = id === undefined ? undefined : find(id)
        return entry?.row === row ? { rank: entry.rank, at } : []
      })
      if (places.length === rows.length) return places.sort((a, b) => a.rank - b.rank)
    }
    // One that code put into its list twice has two.
    const wanted = new Map<unknown, number[]>()
    for (const [at, row] of rows.entries()) {
      getOrMake(wanted, row, (): number[] => []).push(at)
      if (this.pace.isUsedUp) await this.pace.yieldToEventLoop()
    }
    const places: Place[] = []
    for (const leaf of table.rows.leaves()) {
      for (const [index, row] of leaf.items.entries()) {
        const at = wanted.get(row)?.shift()
        if (at !== undefined) places.push({ rank: leaf.ranks[index] ?? 0, at })
      }
      if (this.pace.isUsedUp) await this.pace.yieldToEventLoop()
    }
    return places
  }
}

interface Place {
  readonly rank: number
  readonly at: number
}

/** Nothing else changes the rows of a change meanwhile; the change would replace what the hook wrote. */
function wroteItself(resource: string): never {
  throw new Error(
    `before.update of ${resource}, or a hook it led to, wrote what the change itself is about: return the row instead.`,
  )
}
