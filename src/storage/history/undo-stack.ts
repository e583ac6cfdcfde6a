import type { Direction } from '../change.ts'
import { type Entry, Kept } from './kept.ts'

/** Which changes lead where: each state of the data is named by the newest change in it that is not undone. */
export class UndoStack<E extends Entry> {
  /** Oldest first. */
  #done: E[] = []
  /** The next one to redo is the last. */
  #undone: E[] = []
  readonly #kept = new Kept()
  readonly #drop: (entry: E) => void
  /** The state before the oldest change that can be undone. */
  #base: number

  /** @param drop called with each change that can neither be undone nor redone any longer */
  constructor(base: number, drop: (entry: E) => void = () => {}) {
    this.#base = base
    this.#drop = drop
  }

  get base(): number {
    return this.#base
  }

  /** The current state. */
  get top(): number {
    return this.#done.at(-1)?.version ?? this.#base
  }

  /** All that can be undone or redone. */
  get changes(): readonly E[] {
    return [...this.#done, ...this.#undone]
  }

  /** Whether a change can be undone or redone. */
  has(version: number): boolean {
    const isIt = (change: E) => change.version === version
    return this.#done.some(isIt) || this.#undone.some(isIt)
  }

  /** Whether a change is not in the data: undone, even if it can no longer be redone. */
  isUndone(version: number): boolean {
    return version > this.#base && !this.#done.some((change) => change.version === version)
  }

  /** A new change: what was undone before it cannot be redone anymore. */
  push(change: E): void {
    const dropped = this.#undone
    for (const undone of dropped) this.#kept.remove(undone)
    this.#undone = []
    this.#done.push(change)
    this.#kept.add(change)
    dropped.forEach(this.#drop)
    this.#trim()
  }

  /** The changes to undo until the data is in this state, newest first; undefined if undoing does not lead there. */
  downTo(state: number): readonly E[] | undefined {
    if (state === this.#base) return this.#done.toReversed()
    const at = this.#done.findLastIndex(({ version }) => version === state)
    return at < 0 ? undefined : this.#done.slice(at + 1).reverse()
  }

  /** The changes to redo until the data is in this state, oldest first; undefined if redoing does not lead there. */
  upTo(state: number): readonly E[] | undefined {
    if (state === this.top) return []
    const at = this.#undone.findIndex(({ version }) => version === state)
    return at < 0 ? undefined : this.#undone.slice(at).reverse()
  }

  get newest(): E | undefined {
    return this.#done.at(-1)
  }

  get nextToRedo(): E | undefined {
    return this.#undone.at(-1)
  }

  /** The state after these were undone, newest first, or redone, oldest first. */
  topAfter(direction: Direction, changes: readonly E[]): number {
    if (direction === 'redo') return changes.at(-1)?.version ?? this.top
    return this.#done.at(-changes.length - 1)?.version ?? this.#base
  }

  /** Notes that these were undone, newest first; false unless they are the newest. */
  undo(changes: readonly E[]): boolean {
    return move(changes, this.#done, this.#undone)
  }

  /** Notes that these were redone, oldest first; false unless they are the next ones. */
  redo(changes: readonly E[]): boolean {
    return move(changes, this.#undone, this.#done)
  }

  /** The data is in this state now: newer changes are undone, and others are not. */
  moveTo(state: number): void {
    for (let next = this.newest; next && next.version > state; next = this.newest) this.undo([next])
    for (let next = this.nextToRedo; next && next.version <= state; next = this.nextToRedo) this.redo([next])
  }

  /** Nothing can be undone or redone; the current state is this one. */
  startAt(state: number): void {
    const dropped = [...this.#done, ...this.#undone]
    this.#done = []
    this.#undone = []
    this.#kept.clear()
    this.#base = state
    dropped.forEach(this.#drop)
  }

  #trim(): void {
    while (this.#kept.isTooMuch) {
      const oldest = this.#done.shift()
      // Where all is undone, the newest goes: what comes before it can still be redone.
      const dropped = oldest ?? this.#undone.shift()
      if (!dropped) return
      this.#kept.remove(dropped)
      if (oldest) this.#base = oldest.version
      this.#drop(dropped)
    }
  }
}

/** Compared by version: rows may have been copied meanwhile. */
function move<E extends Entry>(changes: readonly E[], from: E[], to: E[]): boolean {
  const top = from.slice(from.length - changes.length).reverse()
  if (top.length !== changes.length || top.some(({ version }, at) => version !== changes[at]?.version)) {
    return false
  }
  from.length -= changes.length
  to.push(...top)
  return true
}
