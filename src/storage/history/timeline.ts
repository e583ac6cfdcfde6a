import { StorageError } from '../../errors.ts'
import type { Direction } from '../change.ts'
import type { Commit } from '../data/commit.ts'
import type { Past } from '../data/store.ts'

/** Changes that are kept, once in order and once for undo. */
const MOST_CHANGES = 1000

export const MOST_BYTES = 16 * 1024 * 1024

export type Entry = Pick<Commit, 'version' | 'bytes' | 'top'>

export type TimelineStart = Omit<Past, 'commits'>

/**
 * The last changes of some data, and those that can be undone or redone, which may be older. Each state is named by the
 * newest change in it that is not undone. Follows from the changes alone: it is the same for all who hear them.
 */
export class Timeline<E extends Entry> {
  #log: E[] = []
  #done: E[] = []
  /** The next one to redo is the last. */
  #undone: E[] = []
  #base: number
  #bottom: number
  /** Of the newest change. */
  version: number
  readonly #forget: ((version: number) => void) | undefined

  /** @param forget called with each change that is kept no longer */
  constructor({ base, bottom }: TimelineStart, forget?: (version: number) => void) {
    this.#base = base
    this.#bottom = bottom
    this.version = base
    this.#forget = forget
  }

  get start(): TimelineStart {
    return { base: this.#base, bottom: this.#bottom }
  }

  /** The last changes of any kind, undoing included, in order. */
  get log(): readonly E[] {
    return this.#log
  }

  /** The current state: the newest change that is not undone. */
  get top(): number {
    return this.#done.at(-1)?.version ?? this.#bottom
  }

  get entries(): readonly E[] {
    const all = [...this.#done, ...this.#undone, ...this.#log]
    const distinct = new Map(all.map((entry) => [entry.version, entry]))
    return [...distinct.values()].sort((a, b) => a.version - b.version)
  }

  /** Whether a change is not in the data: undone, even if it can no longer be redone. */
  isUndone(version: number): boolean {
    return version > this.#bottom && !this.#done.some((entry) => entry.version === version)
  }

  /** A change, or an undo or redo, which leads to a state that was there. */
  add(entry: E): void {
    const dropped: E[] = []
    // What is older than all that is kept in order can still be undone.
    if (entry.version > this.#base) {
      this.#log.push(entry)
      const old = this.#log.splice(0, excessOf(this.#log))
      this.#base = old.at(-1)?.version ?? this.#base
      this.version = entry.version
      dropped.push(...old)
    }
    if (entry.top === entry.version) {
      // What was undone before cannot be redone anymore.
      dropped.push(...this.#undone.splice(0))
      this.#done.push(entry)
      const old = this.#done.splice(0, excessOf(this.#done))
      this.#bottom = old.at(-1)?.version ?? this.#bottom
      dropped.push(...old)
    } else this.#moveTo(entry.top)
    if (this.#forget) this.#drop(dropped, this.#forget)
  }

  startAt(version: number): void {
    const dropped = this.entries
    this.#log = []
    this.#done = []
    this.#undone = []
    this.#base = version
    this.#bottom = version
    this.version = version
    if (this.#forget) this.#drop(dropped, this.#forget)
  }

  /** The changes to undo or redo, in that order: one step, or all up to the state right after version `to`. */
  wayTo(direction: Direction, to?: number): { readonly changes: readonly E[]; readonly top: number } {
    const changes = this.#changesTo(direction, to)
    const undone = this.#done.at(-changes.length - 1)?.version ?? this.#bottom
    return { changes, top: direction === 'undo' ? undone : (changes.at(-1)?.version ?? this.top) }
  }

  #changesTo(direction: Direction, to?: number): readonly E[] {
    if (to === undefined) {
      const next = (direction === 'undo' ? this.#done : this.#undone).at(-1)
      if (next) return [next]
      throw nothingTo(direction, `There is nothing to ${direction}.`)
    }
    // An undo leads to a state that an earlier change left: it is named by that change.
    const state = this.#log.find(({ version }) => version === to)?.top ?? to
    const isState = ({ version }: E) => version === state
    const done = this.#done.findIndex(isState)
    const undone = this.#undone.findIndex(isState)
    const isBehind = state === this.#bottom || done !== -1
    const isAhead = state === this.top || undone !== -1
    if (direction === 'undo' && isBehind) return this.#done.slice(done + 1).reverse()
    if (direction === 'redo' && isAhead) return undone === -1 ? [] : this.#undone.slice(undone).reverse()
    if (isBehind) throw nothingTo(direction, `Version ${to} is behind: undo leads there.`)
    if (isAhead) throw nothingTo(direction, `Version ${to} is ahead: redo leads there.`)
    throw new StorageError('HISTORY_GONE', `There is no way to version ${to}: it is not kept, or never was.`)
  }

  /** The data is in this state now: newer changes are undone, and others are not. */
  #moveTo(state: number): void {
    while ((this.#done.at(-1)?.version ?? state) > state) this.#undone.push(...this.#done.splice(-1))
    while ((this.#undone.at(-1)?.version ?? Number.POSITIVE_INFINITY) <= state) {
      this.#done.push(...this.#undone.splice(-1))
    }
  }

  #drop(entries: readonly E[], forget: (version: number) => void): void {
    for (const entry of new Set(entries)) {
      const isKept = entry.version > this.#base || this.#done.includes(entry) || this.#undone.includes(entry)
      if (!isKept) forget(entry.version)
    }
  }
}

function excessOf(entries: readonly Entry[]): number {
  let bytes = 0
  let first = entries.length
  while (first > 0 && entries.length - first < MOST_CHANGES) {
    bytes += entries[first - 1]?.bytes ?? 0
    if (bytes > MOST_BYTES) break
    first--
  }
  return first
}

function nothingTo(direction: Direction, message: string): StorageError {
  return new StorageError(direction === 'undo' ? 'NOTHING_TO_UNDO' : 'NOTHING_TO_REDO', message)
}
