import { deepCopy, isObject, setField } from '../../json/values.ts'
import { Pace } from '../../util/pace.ts'
import { Database, type Part } from '../data/database.ts'
import type { Next } from '../data/store.ts'
import { Table } from '../data/table.ts'
import { diff } from '../data/tree.ts'
import { isCollection } from '../formats/incoming.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Data, Row } from '../types.ts'
import { idsBesides, isCopyOf, isUnchanged, moved, type Placed, place } from './copied-rows.ts'
import { inTurns, type Steps } from './steps.ts'

export interface LiveObject {
  data: Data
}

/** What a change was made on: data, and the rows of the object that it was copied from, in its order. */
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
  /** The object's rows, in the order of the copies, by collection. */
  #lists: ReadonlyMap<string, readonly unknown[]> = new Map()

  constructor(object: LiveObject, idName: () => string) {
    this.#object = object
    this.#idName = idName
    const steps = this.#copy()
    let step = steps.next()
    while (!step.done) step = steps.next()
    this.#use(step.value)
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
    for (const name of Object.keys(data)) delete data[name]
    // Defined rather than assigned: a collection may be called `__proto__`.
    Object.defineProperties(data, fresh)
  }

  /**
   * Writes a change into the object: into the same lists, with copies of the rows. Rows that its owner added, moved or
   * replaced since stay. False if there may be such: then only a sync knows what the object has.
   */
  async write(change: Written, made: Mirrored): Promise<boolean> {
    const plan = (pace?: Pace) => inTurns(this.#newParts(change, made), pace)
    let parts = await plan(new Pace())
    // Its owner may have changed it in a pause.
    for (let round = 2; !parts.every((part) => this.#isAsSeen(part)); round++) {
      parts = await plan(round < MOST_ROUNDS ? new Pace() : undefined)
    }
    const { data } = this.#object
    const gone = [...change.before.parts.keys()].filter((name) => !change.after.parts.has(name))
    for (const name of gone) delete data[name]
    for (const { name, rows, list, seen, next } of parts) {
      for (const [at, row] of rows.entries()) list[at] = row
      list.length = rows.length
      if (next !== seen) setField(data, name, next)
    }
    const { current } = this
    const known = parts.filter(
      ({ name, copy }) => copy !== undefined && current.parts.get(name) === made.database.parts.get(name),
    )
    const copies = new Map(current.parts)
    for (const name of gone) copies.delete(name)
    for (const { name, copy } of known) copies.set(name, copy)
    const lists = new Map([...this.#lists, ...known.map(({ name, rows }) => [name, rows] as const)])
    this.#use({ database: new Database(copies), lists })
    return current === made.database && known.length === parts.length
  }

  *#newParts({ before, after }: Written, made: Mirrored): Steps<readonly NewPart[]> {
    const parts: NewPart[] = []
    for (const [name, part] of after.parts) {
      const old = before.parts.get(name)
      if (old === part) continue
      const seen = this.#valueOf(name)
      if (!(part instanceof Table)) {
        parts.push({ name, seen, next: deepCopy(part), list: [], seenRows: [], rows: [], copy: part })
      } else if (old instanceof Table && Array.isArray(seen)) {
        const rows = yield* this.#newRows(name, seen, [old, part], made)
        parts.push({ name, seen, next: seen, list: seen, ...rows })
      } else {
        const list: unknown[] = []
        const rows = yield* this.#newRows(name, list, [Table.of([]), part])
        parts.push({ name, seen, next: list, list, ...rows })
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

  *#newRows(
    name: string,
    list: readonly unknown[],
    [before, after]: readonly [Table, Table],
    made?: Mirrored,
  ): Steps<NewRows> {
    const table = made?.database.table(name) ?? Table.of([])
    const ranks = table.rows.ranks()
    const previous = new Map<number | undefined, unknown>()
    for (const [at, row] of made?.lists.get(name)?.entries() ?? []) yield void previous.set(ranks[at], row)
    const seenRows = list.slice()
    const positions = new Map<unknown, number>()
    for (const [at, row] of seenRows.entries()) yield void positions.set(row, at)
    const rows = seenRows.slice()
    const removed = new Set<unknown>()
    const added: Placed[] = []
    const edits: { readonly rank: number; readonly after?: Row }[] = []
    const id = this.#idName()
    // What the owner copied is not added again when a change moves it.
    const copied = idsBesides(previous.values(), seenRows, id)
    const present = copied.size > 0 ? idsBesides([], before.rows.items(), id) : copied
    let isWhole = true
    for (const { rank, before: old, after: next } of diff(before.rows, after.rows)) {
      const at = old === undefined ? undefined : positions.get(previous.get(rank))
      const copy = next && asStored(next)
      // The rank may have gone to another row.
      const isOther = old !== undefined && next !== undefined && old[id] !== next[id]
      const isNew = isOther || !previous.has(rank)
      const isOwn = next !== undefined && isNew && copied.has(next[id]) && present.has(next[id])
      // Nothing but hidden and computed fields may differ.
      const isSame = copy !== undefined && old !== undefined && isCopyOf(copy, asStored(old))
      if (copy === undefined || isOwn) {
        removed.add(previous.get(rank))
        edits.push({ rank })
        if (isOwn) isWhole = false
      } else if (!isSame && (at !== undefined || isNew)) {
        const row = deepCopy(copy)
        if (isObject(row)) this.#copies.set(row, copy)
        edits.push({ rank, after: copy })
        if (at !== undefined) rows[at] = row
        else added.push({ position: after.rows.positionOf(undefined, rank), row })
      } else if (!isSame) isWhole = false
      yield
    }
    const placed = place(rows, removed, added)
    // The copies get the ranks of the engine.
    const copy = isWhole && placed.length === after.size ? table.edit(edits) : undefined
    return { seenRows, rows: placed, copy }
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

type Written = Pick<Next, 'before' | 'after'>

interface NewRows {
  /** Those that the owner's list had, and those that it gets. */
  readonly seenRows: readonly unknown[]
  readonly rows: readonly unknown[]
  /** Of what the object gets; undefined if it is not what the engine has. */
  readonly copy: Part
}

interface NewPart extends NewRows {
  readonly name: string
  /** What the object had under this name, and what it gets: the same list, if it had one. */
  readonly seen: unknown
  readonly next: unknown
  readonly list: unknown[]
}
