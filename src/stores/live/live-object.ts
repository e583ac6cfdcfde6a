import { Database, isCollection, type Part } from '../../core/engine/data/database.ts'
import { Table } from '../../core/engine/data/table.ts'
import type { Data } from '../../core/engine/types.ts'
import { deepCopy } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { changedList, copyList } from './live-list.ts'
import { assign, changedRow, isCopyOf } from './live-row.ts'

export interface DataHolder {
  data: Data
}

/** An object that other code changes in place, with an immutable copy of it. All its methods are synchronous. */
export class LiveObject {
  readonly holder: DataHolder
  readonly #idName: (name: string) => string
  /** The content of the object at the last `copy` or `put`. */
  copied = new Database(new Map())
  /** The owner's rows that it has copies of. */
  readonly #rows = new Map<string, readonly unknown[]>()

  constructor(holder: DataHolder, idName: (name: string) => string) {
    this.holder = holder
    this.#idName = idName
    this.copy()
  }

  /** Copies what its owner changed. The same database if that is nothing. */
  copy(): Database {
    const before = this.copied.parts
    const { data } = this.holder
    const parts = new Map<string, Part>()
    for (const name of new Set([...before.keys(), ...Object.keys(data)])) {
      if (Object.hasOwn(data, name)) parts.set(name, this.#copyOf(name, data[name], before.get(name)))
    }
    this.copied = shared(this.copied, parts)
    return this.copied
  }

  /**
   * Puts a change into the object, right after `copy`: into the same lists and rows, which others may hold, too. What its
   * owner did since `before` stays.
   */
  put(before: Database, after: Database): void {
    const { parts: copies } = this.copied
    const parts = new Map<string, Part>()
    for (const name of before.parts.keys()) if (!after.parts.has(name)) this.#remove(name)
    for (const [name, part] of after.parts) {
      const old = before.parts.get(name)
      const isChanged = old !== part || !before.parts.has(name)
      if (isChanged && this.#putPart(name, old, part)) parts.set(name, part)
      else if (copies.has(name)) parts.set(name, copies.get(name))
    }
    for (const [name, copy] of copies) if (!before.parts.has(name) && !parts.has(name)) parts.set(name, copy)
    this.copied = shared(after, parts)
  }

  /** Whether the object has exactly this part now: not if its owner has changed what was there before. */
  #putPart(name: string, old: Part, part: Part): boolean {
    const { data } = this.holder
    const own = Object.hasOwn(data, name) ? data[name] : undefined
    const isUntouched = this.copied.parts.get(name) === old
    if (!(part instanceof Table)) {
      const next = changedRow(own, old, part)
      if (next !== own) this.#set(name, next)
      return isUntouched
    }
    const list = Array.isArray(own) ? own : []
    const before = old instanceof Table ? old : Table.EMPTY
    const rows = changedList(list, { before, after: part, isUntouched, id: this.#idName(name) })
    const isSet = list === own && Object.isExtensible(own) && attempt(() => setRows(list, rows))
    if (!isSet) this.#set(name, rows.slice())
    if (isUntouched) this.#rows.set(name, rows)
    return isUntouched
  }

  #copyOf(name: string, value: unknown, old: Part): Part {
    if (!isCollection(name, value)) return isCopyOf(value, old) ? old : deepCopy(value)
    const before = old instanceof Table ? { rows: this.#rows.get(name) ?? [], table: old } : undefined
    const { rows, table } = copyList(value, before)
    this.#rows.set(name, rows)
    return table
  }

  /** An object that is frozen gives way to another, as a frozen list does. */
  #set(name: string, value: unknown): void {
    const { data } = this.holder
    if (!assign(data, name, value)) this.holder.data = { ...data, [name]: value }
  }

  #remove(name: string): void {
    if (attempt(() => Reflect.deleteProperty(this.holder.data, name))) return
    const { [name]: _, ...others } = this.holder.data
    this.holder.data = others
  }
}

/** The database itself if it has these parts. */
function shared(database: Database, parts: ReadonlyMap<string, Part>): Database {
  const isSame =
    parts.size === database.parts.size &&
    [...parts].every(([name, part]) => database.parts.has(name) && database.parts.get(name) === part)
  return isSame ? database : new Database(parts)
}

function setRows(list: unknown[], rows: readonly unknown[]): boolean {
  for (const [at, row] of rows.entries()) if (list[at] !== row) list[at] = row
  list.length = rows.length
  return true
}
