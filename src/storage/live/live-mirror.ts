import { deepCopy } from '../../json/values.ts'
import { attempt } from '../../util/attempt.ts'
import { Pace } from '../../util/pace.ts'
import { Database, isCollection, type Part } from '../data/database.ts'
import type { Next } from '../data/store.ts'
import { Table } from '../data/table.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Data, Row } from '../types.ts'
import { isCopyOf, isUnchanged, moved } from './copied-rows.ts'
import { type Changed, type Copied, changeOf, type ListChange, listChange } from './list-change.ts'
import { assign, changeInPlace, merged, mergeList } from './merge.ts'
import { idOf } from './pair.ts'
import { inOneGo, inTurns, type Steps } from './steps.ts'

export interface LiveObject {
  data: Data
}

/** A copy of the object's data, and the rows of the object that it has copies of, in its order. */
export interface Mirrored {
  readonly database: Database
  readonly lists: ReadonlyMap<string, readonly unknown[]>
  /** What its owner had last read from the store by then. */
  readonly loaded: Loaded
}

/** Ids of rows, by collection. */
type Loaded = ReadonlyMap<string, ReadonlySet<unknown>>

/** What an owner does in one go is seen as a whole, unless copying takes longer than this, in milliseconds. */
const LONG = 50

type Written = Pick<Next, 'before' | 'after'>

const NONE: Copied = { table: Table.of([]), list: [] }

const NOTHING: Mirrored = { database: new Database(new Map()), lists: new Map(), loaded: new Map() }

/** Mirrors an object that other code changes in place: holds an immutable copy of it. */
export class LiveMirror {
  readonly object: LiveObject
  readonly #idName: () => string
  mirrored = NOTHING
  readonly #copies = new WeakMap<object, unknown>()
  #loaded = NOTHING.loaded

  constructor(object: LiveObject, idName: () => string) {
    this.object = object
    this.#idName = idName
    this.copyNow()
  }

  /** In one go: what its owner does next is not in it. */
  copyNow(): Database {
    this.mirrored = inOneGo(this.#copy())
    return this.mirrored.database
  }

  /** Copies what changed in the object, at least under these names. What its owner changes in a pause, the next sync copies. */
  async sync(names?: ReadonlySet<string>): Promise<void> {
    const pace = new Pace(LONG)
    for (;;) {
      const before = this.mirrored
      const mirrored = await inTurns(this.#copy(names), pace)
      if (before !== this.mirrored) continue
      this.mirrored = mirrored
      return
    }
  }

  *#copy(names?: ReadonlySet<string>): Steps<Mirrored> {
    const { mirrored } = this
    const before = mirrored.database.parts
    const parts = new Map<string, Part>()
    const lists = new Map(mirrored.lists)
    const { data } = this.object
    for (const name of new Set([...before.keys(), ...Object.keys(data)])) {
      if (!Object.hasOwn(data, name)) continue
      const value = data[name]
      const previous = before.get(name)
      const isSkipped = names && !names.has(name) && before.has(name)
      if (isSkipped) parts.set(name, previous)
      else if (isCollection(name, value)) parts.set(name, yield* this.#tableOf(name, value, previous, lists))
      else parts.set(name, isCopyOf(value, previous) ? previous : deepCopy(value))
    }
    const isSame =
      mirrored.loaded === this.#loaded &&
      before.size === parts.size &&
      [...before].every(([name, part]) => parts.has(name) && parts.get(name) === part)
    return isSame ? mirrored : { database: new Database(parts), lists, loaded: this.#loaded }
  }

  /**
   * Writes a change into the object: into the same lists and rows. What its owner did since `base` stays, for the next sync to
   * copy. Returns what the object would have without that.
   */
  async write(change: Written, base: Mirrored): Promise<Mirrored> {
    const changes = await inTurns(this.#changesOf(change, base), new Pace())
    this.#put(change, base, changes)
    return this.mirrored
  }

  /** Replaces all that the object has by what is stored, in one go: it may be the first that anybody sees of it. */
  fill(stored: Database): Mirrored {
    for (const name of Object.keys(this.object.data)) this.#remove(name)
    const copies = new Map<string, Part>()
    const lists = new Map<string, readonly unknown[]>()
    const loaded = new Map<string, ReadonlySet<unknown>>()
    for (const [name, part] of stored.parts) {
      const table = part instanceof Table ? storedTable(part) : undefined
      const rows = table?.rows.items().map((copy) => this.#make(copy))
      copies.set(name, table ?? part)
      this.#set(name, rows ?? deepCopy(part))
      if (!rows) continue
      lists.set(name, rows.slice())
      loaded.set(name, new Set(rows.map((row) => idOf(row, this.#idName()))))
    }
    this.#loaded = loaded
    this.mirrored = { database: new Database(copies), lists, loaded }
    return this.mirrored
  }

  *#changesOf({ before, after }: Written, base: Mirrored): Steps<ReadonlyMap<string, ListChange>> {
    const changes = new Map<string, ListChange>()
    const options = { id: this.#idName(), make: (copy: Row) => this.#make(copy) }
    for (const [name, part] of after.parts) {
      if (!(part instanceof Table) || before.parts.get(name) === part) continue
      const copied = copiedIn(base, name)
      const old = copied === NONE ? NONE.table : (before.table(name) ?? NONE.table)
      changes.set(name, yield* listChange(copied, old, part, options))
    }
    return changes
  }

  /** In one go: its owner sees all of a change, or nothing. */
  #put({ before, after }: Written, base: Mirrored, changes: ReadonlyMap<string, ListChange>): void {
    const copies = new Map(base.database.parts)
    const lists = new Map(base.lists)
    const loaded = base.loaded === this.#loaded ? NOTHING.loaded : this.#loaded
    for (const name of before.parts.keys()) if (!after.parts.has(name)) this.#remove(name)
    for (const [name, part] of after.parts) {
      if (before.parts.get(name) === part && before.parts.has(name)) continue
      const change = changes.get(name)
      const own = this.#valueOf(name)
      const list = Array.isArray(own) ? own : []
      if (change) {
        const merging = { id: this.#idName(), loaded: loaded.get(name), change: this.#change }
        const made = mergeList(list, copiedIn(base, name), change, merging)
        lists.set(name, made.copied)
        // A list that its owner removed stays away, unless it gets new rows.
        if (list === own || made.rows.length > 0 || !before.table(name)) this.#setRows(name, own, made.rows)
      } else {
        const next = this.#change(own, changeOf(base.database.parts.get(name), part))
        if (next !== own) this.#set(name, next)
      }
      copies.set(name, change ? change.table : part)
    }
    const parts = [...after.parts.keys()].map((name) => [name, copies.get(name)] as const)
    this.mirrored = { database: new Database(new Map(parts)), lists, loaded: base.loaded }
  }

  readonly #change = (own: unknown, change: Changed): unknown => {
    const row = changeInPlace(own, change) ? own : merged(own, change.known, change.copy)
    return this.#keep(row, change.copy)
  }

  #setRows(name: string, own: unknown, rows: readonly unknown[]): void {
    const isPut = Array.isArray(own) && Object.isExtensible(own) && attempt(() => putAll(own, rows))
    if (!isPut) this.#set(name, rows.slice())
  }

  /** An object that is frozen gives way to another, as a frozen list does. */
  #set(name: string, value: unknown): void {
    const { data } = this.object
    if (!assign(data, name, value)) this.object.data = { ...data, [name]: value }
  }

  #remove(name: string): void {
    if (attempt(() => Reflect.deleteProperty(this.object.data, name))) return
    const { [name]: _, ...others } = this.object.data
    this.object.data = others
  }

  #valueOf(name: string): unknown {
    const { data } = this.object
    return Object.hasOwn(data, name) ? data[name] : undefined
  }

  #make(copy: Row): unknown {
    return this.#keep(deepCopy(copy), copy)
  }

  #keep(row: unknown, copy: unknown): unknown {
    if (typeof row === 'object' && row !== null) this.#copies.set(row, copy)
    return row
  }

  /** Unchanged rows keep their ranks, unless rows were moved: then all are numbered again. */
  *#tableOf(
    name: string,
    value: readonly unknown[],
    previous: Part,
    lists: Map<string, readonly unknown[]>,
  ): Steps<Table> {
    const old = previous instanceof Table ? previous : undefined
    if (old && (yield* isUnchanged(value, lists.get(name), old))) return old
    const list = value.slice()
    const rows: Row[] = []
    for (const row of list) yield void rows.push(this.#rowOf(row))
    lists.set(name, list)
    return old ? moved(old, rows) : Table.of(rows)
  }

  #rowOf(row: unknown): Row {
    if (typeof row !== 'object' || row === null) return (row ?? null) as Row
    const previous = this.#copies.get(row)
    const copy = previous !== undefined && isCopyOf(row, previous) ? previous : deepCopy(row)
    this.#copies.set(row, copy)
    return copy as Row
  }
}

function putAll(list: unknown[], rows: readonly unknown[]): boolean {
  for (const [at, row] of rows.entries()) list[at] = row
  list.length = rows.length
  return true
}

function copiedIn({ database, lists }: Mirrored, name: string): Copied {
  const table = database.table(name)
  const list = lists.get(name)
  return table && list ? { table, list } : NONE
}

/** Without what is only served: hidden fields are visible, and computed ones are gone. */
function storedTable(table: Table): Table {
  const rows = table.rows.items()
  const stored = rows.map(asStored)
  return stored.every((row, at) => row === rows[at]) ? table : Table.of(stored, table.rows.ranks())
}
