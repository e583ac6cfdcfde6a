import { StorageError } from '../../catalogue/error-classes.ts'
import type { Direction } from '../change.ts'
import type { Commit, Past } from '../data/store.ts'

const MOST_CHANGES = 1000

export const MOST_BYTES = 16 * 1024 * 1024

export type Entry = Pick<Commit, 'version' | 'bytes' | 'top'>

export type TimelineStart = Omit<Past, 'commits'>

class BoundedLog<E extends Entry> {
  readonly entries: E[] = []
  bytes = 0

  /** Returns the entries that it evicts. */
  push(entry: E): readonly E[] {
    const { entries } = this
    entries.push(entry)
    this.bytes += entry.bytes
    const evicted: E[] = []
    while (entries.length > MOST_CHANGES || this.bytes > MOST_BYTES) {
      // Unlike `splice`, it does not move the others.
      const oldest = entries.shift()
      if (!oldest) break
      this.bytes -= oldest.bytes
      evicted.push(oldest)
    }
    return evicted
  }

  pop(): readonly E[] {
    this.bytes -= this.entries.at(-1)?.bytes ?? 0
    return this.entries.splice(-1)
  }
}

/**
 * The newest changes, and those that can be undone or redone, which may be older. A state is named by its newest
 * change that is not undone. Derived from the changes alone, so it is the same in every process.
 */
export class Timeline<E extends Entry> {
  #log = new BoundedLog<E>()
  #done = new BoundedLog<E>()
  /** The next one to redo is the last. */
  #undone: E[] = []
  #base: number
  #bottom: number
  version: number
  readonly #forget: ((version: number) => void) | undefined

  /** @param forget called with each evicted change */
  constructor({ base, bottom }: TimelineStart, forget?: (version: number) => void) {
    this.#base = base
    this.#bottom = bottom
    this.version = base
    this.#forget = forget
  }

  get start(): TimelineStart {
    return { base: this.#base, bottom: this.#bottom }
  }

  get log(): readonly E[] {
    return this.#log.entries
  }

  get bytes(): number {
    return this.#log.bytes
  }

  get top(): number {
    return this.#done.entries.at(-1)?.version ?? this.#bottom
  }

  get entries(): readonly E[] {
    const all = [...this.#done.entries, ...this.#undone, ...this.#log.entries]
    const distinct = new Map(all.map((entry) => [entry.version, entry]))
    return [...distinct.values()].sort((a, b) => a.version - b.version)
  }

  /** Undone, even if it can no longer be redone. */
  isUndone(version: number): boolean {
    return version > this.#bottom && !this.#done.entries.some((entry) => entry.version === version)
  }

  /** A change, or an undo or redo, which leads to an earlier state. */
  add(entry: E): void {
    const dropped: E[] = []
    // Entries older than the log can still be undone.
    if (entry.version > this.#base) {
      const old = this.#log.push(entry)
      this.#base = old.at(-1)?.version ?? this.#base
      this.version = entry.version
      dropped.push(...old)
    }
    if (entry.top === entry.version) {
      dropped.push(...this.#undone.splice(0))
      const old = this.#done.push(entry)
      this.#bottom = old.at(-1)?.version ?? this.#bottom
      dropped.push(...old)
    } else this.#moveTo(entry.top)
    if (this.#forget) this.#drop(dropped, this.#forget)
  }

  startAt(version: number): void {
    const dropped = this.entries
    this.#log = new BoundedLog()
    this.#done = new BoundedLog()
    this.#undone = []
    this.#base = version
    this.#bottom = version
    this.version = version
    if (this.#forget) this.#drop(dropped, this.#forget)
  }

  /** In the order to apply them: one step, or all up to the state right after version `to`. */
  wayTo(direction: Direction, to?: number): { readonly changes: readonly E[]; readonly top: number } {
    const changes = this.#changesTo(direction, to)
    const undone = this.#done.entries.at(-changes.length - 1)?.version ?? this.#bottom
    return { changes, top: direction === 'undo' ? undone : (changes.at(-1)?.version ?? this.top) }
  }

  #changesTo(direction: Direction, to?: number): readonly E[] {
    if (to === undefined) {
      const next = (direction === 'undo' ? this.#done.entries : this.#undone).at(-1)
      if (next) return [next]
      throw nothingTo(direction, `There is nothing to ${direction}.`)
    }
    // After an undo, the state is named by an earlier change.
    const state = this.#log.entries.find(({ version }) => version === to)?.top ?? to
    const isState = ({ version }: E) => version === state
    const done = this.#done.entries.findIndex(isState)
    const undone = this.#undone.findIndex(isState)
    const isBehind = state === this.#bottom || done !== -1
    const isAhead = state === this.top || undone !== -1
    if (direction === 'undo' && isBehind) return this.#done.entries.slice(done + 1).reverse()
    if (direction === 'redo' && isAhead) return undone === -1 ? [] : this.#undone.slice(undone).reverse()
    if (isBehind) throw nothingTo(direction, `Version ${to} is behind: undo leads there.`)
    if (isAhead) throw nothingTo(direction, `Version ${to} is ahead: redo leads there.`)
    throw new StorageError('HISTORY_GONE', `There is no way to version ${to}: it is not kept, or never was.`)
  }

  #moveTo(state: number): void {
    while (this.top > state && this.top > this.#bottom) this.#undone.push(...this.#done.pop())
    while ((this.#undone.at(-1)?.version ?? Number.POSITIVE_INFINITY) <= state) {
      for (const entry of this.#undone.splice(-1)) this.#done.push(entry)
    }
  }

  #drop(entries: readonly E[], forget: (version: number) => void): void {
    for (const entry of new Set(entries)) {
      const isRecorded =
        entry.version > this.#base || this.#done.entries.includes(entry) || this.#undone.includes(entry)
      if (!isRecorded) forget(entry.version)
    }
  }
}

function nothingTo(direction: Direction, message: string): StorageError {
  return new StorageError(direction === 'undo' ? 'NOTHING_TO_UNDO' : 'NOTHING_TO_REDO', message)
}

/** Starts over when everything is replaced: by a reset, a restored snapshot, an external edit or `router.db`. */
export class History extends Timeline<Commit> {
  constructor({ commits, ...start }: Past) {
    super(start)
    for (const commit of commits) this.add(commit)
  }

  override add(commit: Commit): void {
    if (commit.effects) super.add(commit)
    else this.startAt(commit.version)
  }

  map(make: (commit: Commit) => Commit): History {
    return new History({ ...this.start, commits: this.entries.map(make) })
  }

  list(most: number, before = Number.POSITIVE_INFINITY): readonly Commit[] {
    const older = this.log.filter((commit) => commit.version < before && isShown(commit))
    return older.reverse().slice(0, most)
  }

  /** Oldest first; undefined if some were evicted, or the version is ahead. */
  since(version: number): readonly Commit[] | undefined {
    if (version < this.start.base || version > this.version) return undefined
    return this.log.filter((commit) => commit.version > version && isShown(commit))
  }
}

/** Undoing changes that cancel each other out changes nothing: recorded, but not reported. */
function isShown({ names }: Commit): boolean {
  return names.length > 0
}
