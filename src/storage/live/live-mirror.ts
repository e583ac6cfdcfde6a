import { deepCopy, isObject, isRecord, setField } from '../../json/values.ts'
import type { Pace } from '../../util/pace.ts'
import { Database, type Part } from '../data/database.ts'
import type { Next } from '../data/store.ts'
import { Table } from '../data/table.ts'
import { diff } from '../data/tree.ts'
import { isCollection } from '../formats/incoming.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Data, Row } from '../types.ts'

export interface LiveObject {
  data: Data
}

/** What a change was made on: data, and the rows of the object that it was copied from, in its order. */
export interface Mirrored {
  readonly database: Database
  readonly lists: ReadonlyMap<string, readonly unknown[]>
}

/** Mirrors an object that other code changes in place: holds an immutable copy of it. */
export class LiveMirror {
  readonly #object: LiveObject
  current = new Database(new Map())
  readonly #copies = new WeakMap<object, unknown>()
  /** The object's rows, in the order of the copies, by collection. */
  readonly #lists = new Map<string, readonly unknown[]>()
  readonly #times = new Map<string, number>()
  readonly #made = new WeakMap<Row, { readonly row: unknown; readonly copy: Row }>()

  constructor(object: LiveObject) {
    this.#object = object
  }

  timeOf(names: Iterable<string> = this.#times.keys()): number {
    let time = 0
    for (const name of names) time += this.#times.get(name) ?? 0
    return time
  }

  /** Copies what changed in the object, at least under these names; the same database if nothing did. */
  sync(names?: ReadonlySet<string>): Database {
    const { data } = this.#object
    const parts = new Map<string, Part>()
    for (const [name, value] of Object.entries(data)) {
      const previous = this.current.parts.get(name)
      const isSkipped = names && !names.has(name) && this.current.parts.has(name)
      parts.set(name, isSkipped ? previous : this.#syncPart(name, value, previous))
    }
    const before = [...this.current.parts]
    const isSame =
      before.length === parts.size &&
      before.every(([name, part]) => parts.has(name) && parts.get(name) === part)
    if (!isSame) this.current = new Database(parts)
    return this.current
  }

  get mirrored(): Mirrored {
    return { database: this.current, lists: new Map(this.#lists) }
  }

  #syncPart(name: string, value: unknown, previous: Part): Part {
    const start = performance.now()
    const part = isCollection(name, value)
      ? this.#tableOf(name, value, previous)
      : isCopyOf(value, previous)
        ? previous
        : deepCopy(value)
    this.#times.set(name, performance.now() - start)
    return part
  }

  replaceContent(content: Data): void {
    const { data } = this.#object
    const fresh = Object.getOwnPropertyDescriptors(deepCopy(content))
    for (const name of Object.keys(data)) delete data[name]
    // Defined rather than assigned: a collection may be called `__proto__`.
    Object.defineProperties(data, fresh)
  }

  /** Makes the rows that a change writes into the object, with pauses: for many, that takes longest. */
  async prepare({ before, after }: Next, pace: Pace): Promise<void> {
    for (const [name, part] of after.parts) {
      const old = before.parts.get(name)
      if (!(part instanceof Table && old instanceof Table)) continue
      for (const { after: next } of diff(old.rows, part.rows)) {
        if (next !== undefined && isObject(next)) this.#made.set(next, this.#make(next))
        if (pace.isDue) await pace.turn()
      }
    }
  }

  /** Writes a change into the object: into the same lists, with copies of the rows. Rows that its owner added, moved or replaced since stay. */
  write({ before, after }: Pick<Next, 'before' | 'after'>, made: Mirrored): void {
    const { data } = this.#object
    const gone = [...before.parts.keys()].filter((name) => !after.parts.has(name))
    for (const name of gone) delete data[name]
    let isKnown = gone.length === 0
    for (const [name, part] of after.parts) {
      const old = before.parts.get(name)
      if (old === part) continue
      const list = Object.hasOwn(data, name) ? data[name] : undefined
      if (part instanceof Table && old instanceof Table && Array.isArray(list)) {
        if (!this.#writeRows(name, list, old, part, made)) isKnown = false
      } else {
        setField(data, name, part instanceof Table ? part.rows.items().map(stored) : deepCopy(part))
        isKnown = false
      }
    }
    if (!isKnown) this.sync()
  }

  /** False if the list is not what the engine has: it was changed meanwhile. */
  #writeRows(name: string, list: unknown[], before: Table, after: Table, made: Mirrored): boolean {
    const table = made.database.table(name) ?? Table.of([])
    const ranks = table.rows.ranks()
    const previous = new Map(made.lists.get(name)?.map((row, at) => [ranks[at], row]))
    const positions = new Map(list.map((row, at) => [row, at]))
    const removed = new Set<unknown>()
    const added: Placed[] = []
    const edits: { readonly rank: number; readonly after?: Row }[] = []
    for (const { rank, before: old, after: next } of diff(before.rows, after.rows)) {
      const at = old === undefined ? undefined : positions.get(previous.get(rank))
      if (next === undefined) {
        removed.add(previous.get(rank))
        edits.push({ rank })
      } else if (at !== undefined || !previous.has(rank)) {
        const { row, copy } = this.#made.get(next) ?? this.#make(next)
        this.#made.delete(next)
        edits.push({ rank, after: copy })
        if (at !== undefined) list[at] = row
        else added.push({ position: after.rows.positionOf(undefined, rank), row })
      }
    }
    place(list, removed, added)
    if (list.length !== after.size || this.current.table(name) !== table) return false
    // The copies get the ranks of the engine.
    this.current = this.current.with(name, table.edit(edits))
    this.#lists.set(name, list.slice())
    return true
  }

  #make(next: Row): { readonly row: unknown; readonly copy: Row } {
    const copy = asStored(next)
    const row = deepCopy(copy)
    if (isObject(row)) this.#copies.set(row, copy)
    return { row, copy }
  }

  /** Unchanged rows keep their ranks, unless rows were moved: then all are numbered again. */
  #tableOf(name: string, list: readonly unknown[], previous: Part): Table {
    if (previous instanceof Table && isUnchanged(list, this.#lists.get(name), previous)) return previous
    const rows = list.map((row) => this.#rowOf(row))
    const table = previous instanceof Table ? moved(previous, rows) : Table.of(rows)
    this.#lists.set(name, list.slice())
    return table
  }

  #rowOf(row: unknown): Row {
    if (typeof row !== 'object' || row === null) return (row ?? null) as Row
    const previous = this.#copies.get(row)
    const copy = previous !== undefined && isCopyOf(row, previous) ? previous : deepCopy(row)
    this.#copies.set(row, copy)
    return copy as Row
  }
}

interface Placed {
  readonly position: number
  readonly row: unknown
}

/** In place: the list is the owner's. @param added by ascending position */
function place(list: unknown[], removed: ReadonlySet<unknown>, added: readonly Placed[]): void {
  const isAppended = removed.size === 0 && (added[0]?.position ?? list.length) >= list.length
  const left = isAppended ? [] : list.filter((row) => !removed.has(row))
  if (!isAppended) list.length = 0
  let next = 0
  for (const { position, row } of added) {
    while (list.length < position && next < left.length) list.push(left[next++])
    list.push(row)
  }
  while (next < left.length) list.push(left[next++])
}

/** Runs before each read, so it must be fast. */
function isUnchanged(
  list: readonly unknown[],
  previous: readonly unknown[] | undefined,
  copies: Table,
): boolean {
  if (list.length !== previous?.length || list.length !== copies.size) return false
  let at = 0
  for (const leaf of copies.rows.leaves()) {
    for (const copy of leaf.items) {
      const row = list[at]
      if (row !== previous[at++] || !isCopyOf(row ?? null, copy)) return false
    }
  }
  return true
}

function moved(previous: Table, rows: readonly Row[]): Table {
  const [old, ranks] = [previous.rows.items(), previous.rows.ranks()]
  if (rows.length === old.length) {
    return previous.edit(
      rows.flatMap((after, at) => (after === old[at] ? [] : { rank: ranks[at] ?? 0, after })),
    )
  }
  const rankOf = new Map(old.map((row, at) => [row, ranks[at] ?? 0]))
  const stayed = rows.flatMap((row) => rankOf.get(row) ?? [])
  const isInOrder = stayed.every((rank, at) => at === 0 || rank > (stayed[at - 1] ?? 0))
  // New rows are usually at the end.
  const isAppended = rows.slice(0, stayed.length).every((row) => rankOf.has(row))
  if (!isInOrder || !isAppended) return Table.of(rows)
  const left = new Set(stayed)
  const rest = previous.edit(ranks.flatMap((rank) => (left.has(rank) ? [] : { rank })))
  return rest.withAt(rest.size, rows.slice(stayed.length))
}

function stored(row: Row): unknown {
  return deepCopy(asStored(row))
}

/** Whether a copy is still equal. Dates and the like are shared, all else was copied. */
function isCopyOf(value: unknown, copy: unknown): boolean {
  if (value === copy) return true
  if (typeof value !== 'object') return Object.is(value, copy)
  if (Array.isArray(value)) return Array.isArray(copy) && isCopyOfList(value, copy)
  if (!isRecord(value) || !isRecord(copy)) return false
  const [keys, others] = [Object.keys(value), Object.keys(copy)]
  if (keys.length !== others.length) return false
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? ''
    if (key !== others[at] || !isCopyOf(value[key], copy[key])) return false
  }
  return true
}

/** Extra properties of an array are ignored. */
function isCopyOfList(value: readonly unknown[], copy: readonly unknown[]): boolean {
  if (value.length !== copy.length) return false
  for (let at = 0; at < value.length; at++) if (!isCopyOf(value[at], copy[at])) return false
  return true
}
