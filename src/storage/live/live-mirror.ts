import { deepCopy, setField } from '../../json/values.ts'
import { Pace } from '../../util/pace.ts'
import { Database, type Part } from '../data/database.ts'
import { Table } from '../data/table.ts'
import { isCollection } from '../formats/incoming.ts'
import type { Data, Row } from '../types.ts'
import { isCopyOf, isUnchanged, moved } from './copied-rows.ts'
import { merged, mergeList, type Placed, place } from './merge.ts'
import { type Copied, type Edited, editsOf, isAsCopied, isSmall, NONE, type Written } from './row-edits.ts'
import { inOneGo, inTurns, type Steps } from './steps.ts'

export interface LiveObject {
  data: Data
}

/** A copy of the object's data, and the rows of the object that it has copies of, in its order. */
export interface Mirrored {
  readonly database: Database
  readonly lists: ReadonlyMap<string, readonly unknown[]>
}

/** What an owner does in one go is seen as a whole, unless copying takes longer than this, in milliseconds. */
const LONG = 50

const MOST_ROUNDS = 8

/** Mirrors an object that other code changes in place: holds an immutable copy of it. */
export class LiveMirror {
  readonly #object: LiveObject
  readonly #idName: () => string
  current = new Database(new Map())
  readonly #copies = new WeakMap<object, unknown>()
  /** Rows of the object that were read from the store. */
  readonly #loaded = new WeakSet<object>()
  /** The object's rows, in the order of the copies, by collection. */
  #lists: ReadonlyMap<string, readonly unknown[]> = new Map()

  constructor(object: LiveObject, idName: () => string) {
    this.#object = object
    this.#idName = idName
    this.#use(inOneGo(this.#copy()))
  }

  /** Copies what changed in the object, at least under these names. What its owner changes in a pause, the next sync copies. */
  async sync(names?: ReadonlySet<string>): Promise<void> {
    const pace = new Pace(LONG)
    for (;;) {
      const before = this.current
      const mirrored = await inTurns(this.#copy(names), pace)
      if (before === this.current) return this.#use(mirrored)
    }
  }

  get mirrored(): Mirrored {
    return { database: this.current, lists: this.#lists }
  }

  #use({ database, lists }: Mirrored): void {
    this.current = database
    this.#lists = lists
  }

  *#copy(names?: ReadonlySet<string>): Steps<Mirrored> {
    const parts = new Map<string, Part>()
    const lists = new Map(this.#lists)
    for (const [name, value] of Object.entries(this.#object.data)) {
      const previous = this.current.parts.get(name)
      const isSkipped = names && !names.has(name) && this.current.parts.has(name)
      if (isSkipped) parts.set(name, previous)
      else if (isCollection(name, value)) parts.set(name, yield* this.#tableOf(name, value, previous, lists))
      else parts.set(name, isCopyOf(value, previous) ? previous : deepCopy(value))
    }
    const before = [...this.current.parts]
    const isSame =
      before.length === parts.size &&
      before.every(([name, part]) => parts.has(name) && parts.get(name) === part)
    return isSame ? this.mirrored : { database: new Database(parts), lists }
  }

  replaceContent(content: Data): void {
    const { data } = this.#object
    const fresh = Object.getOwnPropertyDescriptors(deepCopy(content))
    for (const row of Object.values(fresh).flatMap(({ value }) => value)) this.#loaded.add(Object(row))
    for (const name of Object.keys(data)) delete data[name]
    // Defined rather than assigned: a collection may be called `__proto__`.
    Object.defineProperties(data, fresh)
  }

  /**
   * Writes a change into the object: into the same lists, with copies of the rows. What its owner did since `base` stays,
   * for the next sync to copy. Returns what the object would have without that.
   */
  async write(change: Written, base: Mirrored): Promise<Mirrored> {
    if (isSmall(change)) return this.writeInOneGo(change, base)
    const plan = (pace?: Pace) => inTurns(this.#newParts(change, base), pace)
    let parts = await plan(new Pace())
    // Its owner may have changed it in a pause.
    for (let round = 2; !parts.every((part) => this.#isAsSeen(part)); round++) {
      parts = await plan(round < MOST_ROUNDS ? new Pace() : undefined)
    }
    return this.#put(change, base, parts)
  }

  writeInOneGo(change: Written, base = this.mirrored): Mirrored {
    return this.#put(change, base, inOneGo(this.#newParts(change, base)))
  }

  #put({ before, after }: Written, base: Mirrored, parts: readonly NewPart[]): Mirrored {
    const { data } = this.#object
    for (const name of before.parts.keys()) if (!after.parts.has(name)) delete data[name]
    for (const { name, rows, list, seen, next } of parts) {
      for (const [at, row] of rows.entries()) list[at] = row
      list.length = rows.length
      if (next !== seen) setField(data, name, next)
    }
    const made = new Map(parts.map((part) => [part.name, part]))
    const copies = new Map<string, Part>()
    const lists = new Map<string, readonly unknown[]>()
    for (const name of after.parts.keys()) {
      const { copy, copied } = made.get(name) ?? {
        copy: base.database.parts.get(name),
        copied: base.lists.get(name),
      }
      copies.set(name, copy)
      if (copied) lists.set(name, copied)
    }
    this.#use({ database: new Database(copies), lists })
    return this.mirrored
  }

  *#newParts({ before, after }: Written, base: Mirrored): Steps<readonly NewPart[]> {
    const parts: NewPart[] = []
    for (const [name, part] of after.parts) {
      if (before.parts.get(name) === part && before.parts.has(name)) continue
      const seen = this.#valueOf(name)
      const known = base.database.parts.get(name)
      if (part instanceof Table) {
        const list: unknown[] = Array.isArray(seen) ? seen : []
        const old = list === seen ? before.table(name) : undefined
        const copied =
          old && known instanceof Table ? { table: known, list: base.lists.get(name) ?? [] } : NONE
        const rows = yield* this.#newRows(list, copied, yield* editsOf(copied.table, old, part))
        parts.push({ name, seen, next: list, list, ...rows })
      } else {
        const next = merged(seen, known, part)
        parts.push({ name, seen, next, list: [], seenRows: [], rows: [], copied: undefined, copy: part })
      }
    }
    return parts
  }

  #isAsSeen({ name, seen, list, seenRows }: NewPart): boolean {
    if (this.#valueOf(name) !== seen || list.length !== seenRows.length) return false
    return seenRows.every((row, at) => row === list[at])
  }

  #valueOf(name: string): unknown {
    const { data } = this.#object
    return Object.hasOwn(data, name) ? data[name] : undefined
  }

  *#newRows(list: readonly unknown[], base: Copied, edited: Edited): Steps<NewRows> {
    const { table, edits } = edited
    const seenRows = list.slice()
    const isUntouched = yield* isAsCopied(list, base, edits)
    const isLoaded = (row: unknown) => this.#loaded.has(Object(row))
    const found = { id: this.#idName(), isLoaded }
    const own = isUntouched ? undefined : yield* mergeList(seenRows, base, edited, found)
    const replaced = base.list.slice()
    const removed = new Set<number>()
    const added: Placed[] = []
    for (const edit of edits) {
      const { rank, known, after } = edit
      const position = (known === undefined ? table : base.table).rows.positionOf(undefined, rank)
      const row = own ? own.made.get(edit) : deepCopy(after)
      if (typeof row === 'object' && row !== null) this.#copies.set(row, after)
      if (after === undefined) removed.add(position)
      else if (known === undefined) added.push({ position, row })
      else replaced[position] = row
      yield
    }
    const copied = place(replaced, removed, added)
    return { seenRows, rows: own?.rows ?? copied, copied, copy: base.table.edit(edits) }
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

interface NewRows {
  /** Those that the owner's list had, and those that it gets. */
  readonly seenRows: readonly unknown[]
  readonly rows: readonly unknown[]
  /** What it would have if its owner had done nothing, and which of its rows that is. */
  readonly copy: Part
  readonly copied: readonly unknown[] | undefined
}

interface NewPart extends NewRows {
  readonly name: string
  /** What the object had under this name, and what it gets: the same list, if it had one. */
  readonly seen: unknown
  readonly next: unknown
  readonly list: unknown[]
}
