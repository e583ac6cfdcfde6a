import type { Row } from '../types.ts'
import { type Difference, diff, type Tree } from './tree.ts'

/** A value computed from the rows of a table, and updated by their changes. */
export interface Derivation<T> {
  readonly name: string
  build(rows: Tree<Row>): T | Promise<T>
  /** Undefined if it must be rebuilt. Does not mutate the old value. */
  update(value: T, changes: readonly Difference<Row>[]): T | undefined
}

interface Entry {
  readonly rows: Tree<Row>
  value: unknown
  readonly age: number
}

/** With more changes, and with more than this part of the rows, rebuilding takes no longer, and yields meanwhile. */
const MOST_CHANGES = 2048
const MOST_OF_ROWS = 1 / 128
const MOST_ENTRIES = 48
/** Older entries are dropped: they keep old rows in memory. */
const OLDEST = 1024

/** Rows and values derived from them, initially from an earlier version. */
export class Derived {
  readonly rows: Tree<Row>
  /** By name, the last used at the end. */
  #entries: Map<string, Entry> | undefined
  #earlier: ReadonlyMap<string, Entry> | undefined

  constructor(rows: Tree<Row>, before?: Derived) {
    this.rows = rows
    if (before) this.#earlier = before.#entries ?? before.#earlier
  }

  /** Cached and updated; a promise while it is being built. */
  derive<T>(derivation: Derivation<T>): T | Promise<T> {
    const entries = this.#entries ?? this.#inherit()
    const { name } = derivation
    const cached = entries.get(name)
    // If it throws, the next call builds it.
    entries.delete(name)
    if (cached?.rows === this.rows) {
      entries.set(name, cached)
      return cached.value as T | Promise<T>
    }
    const value = this.#make(derivation, cached)
    const entry = { rows: this.rows, value, age: 0 }
    entries.set(name, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= MOST_ENTRIES) break
      entries.delete(oldest)
    }
    if (value instanceof Promise) this.#settle(name, entry, value)
    return value
  }

  /** Updates the value of an earlier version, which is cached there even if this version is dropped. */
  async deriveFrom<T>(earlier: Derived, derivation: Derivation<T>): Promise<T> {
    const entries = this.#entries ?? this.#inherit()
    if (earlier !== this && !entries.has(derivation.name)) {
      const value = await earlier.derive(derivation)
      entries.set(derivation.name, { rows: earlier.rows, value, age: 0 })
    }
    return this.derive(derivation)
  }

  #make<T>(derivation: Derivation<T>, cached: Entry | undefined): T | Promise<T> {
    if (!cached) return derivation.build(this.rows)
    const { value } = cached
    if (value instanceof Promise) {
      const build = () => derivation.build(this.rows)
      return value.then((done: T) => this.#update(derivation, cached.rows, done), build)
    }
    return this.#update(derivation, cached.rows, value as T)
  }

  #update<T>(derivation: Derivation<T>, before: Tree<Row>, value: T): T | Promise<T> {
    const changes: Difference<Row>[] = []
    const most = Math.max(MOST_CHANGES, this.rows.size * MOST_OF_ROWS)
    for (const change of diff(before, this.rows)) {
      if (changes.push(change) > most) return derivation.build(this.rows)
    }
    return derivation.update(value, changes) ?? derivation.build(this.rows)
  }

  /** Replaces the promise by its value; if it rejects, the next call tries again. */
  #settle(name: string, entry: Entry, building: Promise<unknown>): void {
    building.then(
      (value) => {
        entry.value = value
      },
      () => {
        if (this.#entries?.get(name) === entry) this.#entries.delete(name)
      },
    )
  }

  #inherit(): Map<string, Entry> {
    const entries = new Map<string, Entry>()
    for (const [name, { rows, value, age }] of this.#earlier ?? []) {
      if (age < OLDEST) entries.set(name, { rows, value, age: age + 1 })
    }
    this.#entries = entries
    this.#earlier = undefined
    return entries
  }
}
