import { inStretches, type Work } from '../../../work/in-slices.ts'
import { waitForLookup } from '../../index/lookup.ts'
import type { Decided } from '../../query/decide/decide.ts'
import { decideFor, someHas } from '../../query/query.ts'
import { withIgnored } from '../../query/with-ignored.ts'
import { mayUseParents } from '../../relations/parent-fields.ts'
import { decideByParents, selectByParents } from '../../relations/select-by-parents.ts'
import type { Data, KeyColumn, ListQuery, Lookup, Naming, Row, Selection, Trace } from '../../types.ts'
import { isOwn, ownCondition, sees } from '../../view/sees.ts'
import { type Rights, rightsIn, type View } from '../../view.ts'
import { objectIn, type Readable } from './readable.ts'

/** The rows of a collection that the user owns, at one version of it. */
interface Owned {
  readonly version: number | undefined
  readonly rows: readonly Row[]
}

/**
 * The data as if only the rows were there that a client may read: what fields there are, what relations mean and how many
 * rows match is told from those alone.
 */
export class SeenData implements Readable {
  readonly whole: Readable
  readonly #view: View
  readonly #owned = new Map<string, Owned>()

  constructor(whole: Readable, view: View) {
    this.whole = whole
    this.#view = view
  }

  get version(): number {
    return this.whole.version
  }

  get naming(): Naming {
    return this.whole.naming
  }

  get isOwned(): boolean {
    return this.whole.isOwned
  }

  get isFixed(): boolean {
    return this.whole.isFixed === true
  }

  names(): readonly string[] {
    return this.whole.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.whole.kindOf(name)
  }

  table(collection: string): ReturnType<Readable['table']> {
    return this.whole.table(collection)
  }

  /** Waits for the indexes by which the user's rows are found, or finds them in slices. */
  *prepare(collection: string, hasRelations: boolean): Work<void> {
    for (const name of hasRelations ? this.names() : [collection]) {
      const rights = rightsIn(this.#view, name)
      if (rights.read.reach !== 'own' || this.kindOf(name) !== 'collection') continue
      const lookup = yield* waitForLookup(() => this.whole.lookup(name, rights.owner))
      if (!lookup) yield* this.#findOwned(name, rights)
    }
  }

  rows(collection: string): readonly Row[] | undefined {
    const rights = rightsIn(this.#view, collection)
    if (rights.read.reach === 'all' || this.kindOf(collection) !== 'collection')
      return this.whole.rows(collection)
    return rights.read.reach === 'own' ? this.#rowsOwned(collection, rights) : []
  }

  sizeOf(collection: string): number | undefined {
    return this.#reachOf(collection) === 'all' ? this.whole.sizeOf(collection) : this.rows(collection)?.length
  }

  find(collection: string, id: unknown): Row | undefined {
    const row = this.whole.find(collection, id)
    return row && sees(this.#view, collection, row) ? row : undefined
  }

  lookup(collection: string, field: string): Lookup | Promise<void> | undefined {
    return this.#seenOnly(collection, this.whole.lookup(collection, field))
  }

  lookupEntries(collection: string, field: string): Lookup | Promise<void> | undefined {
    return this.#seenOnly(collection, this.whole.lookupEntries(collection, field))
  }

  keyed(collection: string, column: KeyColumn): Lookup | Promise<void> | undefined {
    return this.#seenOnly(collection, this.whole.keyed(collection, column))
  }

  hasField(collection: string, field: string): Work<boolean> {
    if (this.#reachOf(collection) === 'all') return this.whole.hasField(collection, field)
    return someHas(this.rows(collection) ?? [], field)
  }

  /** The user's rows are one more condition, so that the plan finds them by their owner or by what is more selective. */
  *selecting(
    collection: string,
    query: ListQuery,
    rows?: readonly Row[],
    isWanted?: () => boolean,
    trace?: Trace,
  ): Work<Selection> {
    if (mayUseParents(query)) return yield* selectByParents(this, collection, query, rows, isWanted, trace)
    const reach = this.#reachOf(collection)
    if (reach !== 'own') {
      const searched = reach === 'none' ? [] : rows
      return yield* this.whole.selecting(collection, query, searched, isWanted, trace)
    }
    const { query: decided, ignored } = yield* this.deciding(collection, query, rows)
    const own = ownCondition(this.#view, rightsIn(this.#view, collection))
    const owned = { ...decided, where: [...decided.where, own] }
    return withIgnored(yield* this.whole.selecting(collection, owned, rows, isWanted, trace), ignored)
  }

  deciding(collection: string, query: ListQuery, rows?: readonly Row[]): Work<Decided> {
    if (mayUseParents(query)) return decideByParents(this, collection, query, rows)
    if (this.#reachOf(collection) === 'all') return this.whole.deciding(collection, query, rows)
    return decideFor(rows ?? this.rows(collection) ?? [], query, this.naming)
  }

  object(name: string): Row | undefined {
    const object = objectIn(this.whole, name)
    return object && sees(this.#view, name, object) ? object : undefined
  }

  /** Without the resources of which the client may read nothing at all. */
  get shown(): Data {
    const shown = Object.entries(this.whole.shown).filter(([name]) => this.#isShown(name))
    return Object.fromEntries(
      shown.map(([name, part]) => [name, Array.isArray(part) ? (this.rows(name) ?? part) : part]),
    )
  }

  #isShown(name: string): boolean {
    const kind = this.kindOf(name)
    if (kind === 'object') return this.object(name) !== undefined
    return kind === undefined || this.#reachOf(name) !== 'none'
  }

  #reachOf(collection: string): Rights['read']['reach'] {
    return rightsIn(this.#view, collection).read.reach
  }

  #seenOnly(
    collection: string,
    lookup: Lookup | Promise<void> | undefined,
  ): Lookup | Promise<void> | undefined {
    if (typeof lookup !== 'function' || this.#reachOf(collection) === 'all') return lookup
    return (text) => lookup(text).filter((row) => sees(this.#view, collection, row))
  }

  #rowsOwned(collection: string, rights: Rights): readonly Row[] {
    const version = this.whole.table(collection)?.version
    const known = this.#owned.get(collection)
    if (known && known.version === version) return known.rows
    const lookup = this.whole.lookup(collection, rights.owner)
    const { user } = this.#view
    const rows =
      typeof lookup === 'function' && user !== undefined
        ? lookup(user)
        : (this.whole.rows(collection) ?? []).filter((row) => isOwn(this.#view, rights, row))
    this.#owned.set(collection, { version, rows })
    return rows
  }

  *#findOwned(collection: string, rights: Rights): Work<void> {
    const version = this.whole.table(collection)?.version
    const all = this.whole.rows(collection)?.slice() ?? []
    const rows: Row[] = []
    yield* inStretches(all.length, (at) => {
      const row = all[at]
      if (row && isOwn(this.#view, rights, row)) rows.push(row)
    })
    this.#owned.set(collection, { version, rows })
  }
}
