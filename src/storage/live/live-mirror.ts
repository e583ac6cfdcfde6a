import { deepCopy, isRecord, setField } from '../../json/values.ts'
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

/** Mirrors an object that other code changes in place: holds an immutable copy of it. */
export class LiveMirror {
  readonly object: LiveObject
  current = new Database(new Map())
  readonly #copies = new WeakMap<object, unknown>()
  readonly #times = new Map<string, number>()

  constructor(object: LiveObject) {
    this.object = object
  }

  timeOf(names: Iterable<string> = this.#times.keys()): number {
    let time = 0
    for (const name of names) time += this.#times.get(name) ?? 0
    return time
  }

  /** Copies what changed in the object, at least under these names; the same database if nothing did. */
  sync(names?: ReadonlySet<string>): Database {
    const { data } = this.object
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

  #syncPart(name: string, value: unknown, previous: Part): Part {
    const start = performance.now()
    const part = isCollection(name, value)
      ? this.#tableOf(value, previous)
      : isCopyOf(value, previous)
        ? previous
        : deepCopy(value)
    this.#times.set(name, performance.now() - start)
    return part
  }

  replaceContent(content: Data): void {
    const { data } = this.object
    for (const name of Object.keys(data)) delete data[name]
    for (const [name, part] of Object.entries(content)) setField(data, name, deepCopy(part))
  }

  /** Writes a change into the object: into the same lists, with copies of the rows. */
  write({ before, after }: Next): void {
    const { data } = this.object
    const gone = [...before.parts.keys()].filter((name) => !after.parts.has(name))
    for (const name of gone) delete data[name]
    let isKnown = gone.length === 0
    for (const [name, part] of after.parts) {
      const old = before.parts.get(name)
      if (old === part) continue
      const list = Object.hasOwn(data, name) ? data[name] : undefined
      if (part instanceof Table && old instanceof Table && Array.isArray(list)) {
        if (!this.#writeRows(name, list, old, part)) isKnown = false
      } else {
        setField(data, name, copyOfPart(part))
        isKnown = false
      }
    }
    if (!isKnown) this.sync()
  }

  /** False if the list is not what the engine has: it was changed meanwhile. */
  #writeRows(name: string, list: unknown[], before: Table, after: Table): boolean {
    const table = this.current.table(name) ?? Table.of([])
    const removed = new Set<number>()
    const added: { readonly position: number; readonly row: unknown }[] = []
    const changes = [...diff(before.rows, after.rows)]
    for (const { rank, before: old, after: next } of changes) {
      const isThere = old !== undefined && table.row(rank) !== undefined
      const at = table.rows.positionOf(undefined, rank)
      if (next !== undefined && isThere) list[at] = stored(next)
      else if (next !== undefined)
        added.push({ position: after.rows.positionOf(undefined, rank), row: stored(next) })
      else if (isThere) removed.add(at)
    }
    if (removed.size > 0) {
      const left = list.filter((_, at) => !removed.has(at))
      list.length = 0
      for (const row of left) list.push(row)
    }
    for (const { position, row } of added) {
      if (position >= list.length) list.push(row)
      else list.splice(position, 0, row)
    }
    if (list.length !== after.size) return false
    // The copies get the ranks of the engine.
    const edits = changes.map(({ rank, after: next }) => ({
      rank,
      after: next && this.#rowOf(list[after.rows.positionOf(undefined, rank)]),
    }))
    this.current = this.current.with(name, table.edit(edits))
    return true
  }

  /** Unchanged rows keep their ranks, unless rows were moved: then all are numbered again. */
  #tableOf(list: readonly unknown[], previous: Part): Table {
    if (previous instanceof Table && isUnchanged(list, previous)) return previous
    const rows = list.map((row) => this.#rowOf(row))
    return previous instanceof Table ? moved(previous, rows) : Table.of(rows)
  }

  #rowOf(row: unknown): Row {
    if (typeof row !== 'object' || row === null) return (row ?? null) as Row
    const previous = this.#copies.get(row)
    const copy = previous !== undefined && isCopyOf(row, previous) ? previous : deepCopy(row)
    this.#copies.set(row, copy)
    return copy as Row
  }
}

/** Runs before each read, so it must be fast. */
function isUnchanged(list: readonly unknown[], copies: Table): boolean {
  if (list.length !== copies.size) return false
  let at = 0
  for (const leaf of copies.rows.leaves()) {
    for (const copy of leaf.items) if (!isCopyOf(list[at++] ?? null, copy)) return false
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

/** As it is in the object. */
export function copyOfPart(part: Part): unknown {
  return part instanceof Table ? part.rows.items().map(stored) : deepCopy(part)
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
