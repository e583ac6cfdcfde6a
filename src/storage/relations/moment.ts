import type { Work } from '../../work/in-slices.ts'
import { groupEntries, groupRows, lookupIn, waitForLookup } from '../index/lookup.ts'
import type { Lookup, Row } from '../types.ts'
import type { Found } from './relation.ts'
import type { Schema } from './resolve-relations.ts'

/** Where the relations of many rows are looked up. */
export interface Source extends Schema {
  /** Changes with every write. */
  readonly version: number
  /** Whether only the engine changes the data. */
  readonly isOwned: boolean
  /** Whether nobody changes it at all: it is that of one moment. */
  readonly isFixed?: boolean
  /** As `lookup`, by the entries of lists that rows have in a field of their own. */
  lookupEntries(collection: string, field: string): Lookup | Promise<void> | undefined
}

/** A way to look up rows of a collection. */
export interface Need {
  /** `field` and `entries` find lists, `id` finds one row. */
  readonly by: 'id' | 'field' | 'entries'
  readonly collection: string
  readonly field: string
}

export type Find = (key: string) => Found

/** From this many rows on, one pass over all parents beats an unindexed lookup of each. */
const MANY = 16

/** Others may write faster than indexes are built. */
const MOST_TRIES = 3

/** Lookups in a consistent snapshot, whatever others write meanwhile. */
export class Moment {
  readonly #source: Source
  readonly #needs: readonly Need[]
  readonly #version: number
  readonly #end: number
  #finds: readonly (Find | undefined)[]
  #kept: readonly (readonly Row[])[] | undefined
  #isApart = false

  private constructor(
    source: Source,
    needs: readonly Need[],
    finds: readonly (Find | undefined)[],
    end: number,
  ) {
    this.#source = source
    this.#needs = needs
    this.#finds = finds
    this.#version = source.version
    this.#end = end
  }

  /**
   * Indexes are built along the way, while others may write: what was found first must still be right at the end.
   * @param count how many rows lookups are made for
   * @param briefly milliseconds to work before taking a copy of what is needed, so that others can write meanwhile
   */
  static *of(source: Source, needs: readonly Need[], count: number, briefly: number): Work<Moment> {
    const different = needs.filter((need, at) => needs.findIndex((other) => isSame(need, other)) === at)
    for (let tries = 1; ; tries++) {
      const { version } = source
      const finds: (Find | undefined)[] = []
      for (const need of different) finds.push(yield* findBy(source, need, count))
      const moment = new Moment(source, different, finds, performance.now() + briefly)
      if (source.version === version) return moment
      if (tries < MOST_TRIES) continue
      yield* moment.#goApart()
      return moment
    }
  }

  /** Finds rows by their id or by a field. */
  by(need: Need): Find {
    const at = this.#numberOf(need)
    return (key) => this.#finds[at]?.(key)
  }

  /** Finds the rows that list any of these keys. */
  *byEntries(need: Need, keys: ReadonlySet<string>): Work<Lookup> {
    const at = this.#numberOf(need)
    const known = new Map<string, readonly Row[]>()
    for (const key of keys) {
      const find = this.#finds[at]
      if (!find) return yield* this.#group(at, keys)
      known.set(key, toList(find(key)))
      if (this.isTime) yield* this.pause()
    }
    return (key) => known.get(key) ?? []
  }

  /** Whether it is time to let other requests run before the next lookup. */
  get isTime(): boolean {
    return performance.now() >= this.#end
  }

  /** Lets other requests run. Work between two lookups must yield by this and not otherwise. */
  *pause(): Work<void> {
    if (!this.#source.isFixed) this.#keep()
    yield
    yield* this.#goOn()
  }

  #keep(): readonly (readonly Row[])[] {
    this.#kept ??= this.#needs.map(({ collection }) => this.#source.rows(collection)?.slice() ?? [])
    return this.#kept
  }

  /** Once something has changed, indexes are no longer those of the snapshot. */
  *#goOn(): Work<void> {
    if (this.#source.version !== this.#version) yield* this.#goApart()
  }

  *#goApart(): Work<void> {
    if (this.#isApart) return
    this.#isApart = true
    const kept = this.#keep()
    const finds: (Find | undefined)[] = []
    for (const [at, { by, field }] of this.#needs.entries()) {
      const lookup = by === 'entries' ? undefined : yield* groupRows(kept[at] ?? [], field)
      finds.push(by === 'id' && lookup ? firstOf(lookup) : lookup)
    }
    this.#finds = finds
  }

  *#group(at: number, keys: ReadonlySet<string>): Work<Lookup> {
    const rows = this.#keep()[at] ?? []
    const lookup = yield* groupEntries(rows, this.#needs[at]?.field ?? '', keys)
    yield* this.#goOn()
    return lookup
  }

  #numberOf(need: Need): number {
    return this.#needs.findIndex((other) => isSame(need, other))
  }
}

function* findBy(source: Source, { by, collection, field }: Need, count: number): Work<Find | undefined> {
  if (by === 'entries') {
    const lookup = yield* waitForLookup(() => source.lookupEntries(collection, field))
    return lookup && sharing(lookup)
  }
  if (by === 'field') return sharing(yield* lookupIn(source, collection, field))
  if (source.isOwned || count <= MANY) return (key) => source.find(collection, key)
  return firstOf(yield* lookupIn(source, collection, field))
}

function isSame(one: Need, other: Need): boolean {
  return one.collection === other.collection && one.by === other.by && one.field === other.field
}

function firstOf(lookup: Lookup): Find {
  return (key) => lookup(key)[0]
}

function toList(found: Found): readonly Row[] {
  return Array.isArray(found) ? found : []
}

/** Rows with the same id share one list, instead of thousands of copies. */
function sharing(lookup: Lookup): Lookup {
  const known = new Map<string, readonly Row[]>()
  return (key) => {
    const shared = known.get(key)
    if (shared) return shared
    const found = lookup(key)
    if (found.length > MANY) known.set(key, found)
    return found
  }
}
