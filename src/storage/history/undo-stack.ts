import { Kept } from './kept.ts'
import { type Recorded, withOwnRows } from './recorded.ts'

/** Which changes lead where: each state of the data is named by the newest change in it that is not undone. */
export class UndoStack {
  /** Oldest first. */
  #done: Recorded[] = []
  /** The next one to redo is the last. */
  #undone: Recorded[] = []
  readonly #kept = new Kept()
  /** The state before the oldest change that can be undone. */
  #base: number

  constructor(base: number) {
    this.#base = base
  }

  /** The current state. */
  get top(): number {
    return this.#done.at(-1)?.version ?? this.#base
  }

  /** Whether a change is not in the data: undone, even if it can no longer be redone. */
  isUndone(version: number): boolean {
    return version > this.#base && !this.#done.some((change) => change.version === version)
  }

  /** A new change: what was undone before it cannot be redone anymore. */
  push(change: Recorded): void {
    for (const undone of this.#undone) this.#kept.remove(undone)
    this.#undone = []
    this.#done.push(change)
    this.#kept.add(change)
    this.#trim()
  }

  /** Replaces a change by the same with its size. */
  weigh(change: Recorded): void {
    for (const list of [this.#done, this.#undone]) {
      const at = list.findLastIndex(({ version }) => version === change.version)
      const old = list[at]
      if (!old) continue
      list[at] = { ...old, bytes: change.bytes }
      this.#kept.remove(old)
      this.#kept.add(change)
    }
    this.#trim()
  }

  /** The changes to undo until the data is in this state, newest first; undefined if undoing does not lead there. */
  downTo(state: number): readonly Recorded[] | undefined {
    if (state === this.#base) return this.#done.toReversed()
    const at = this.#done.findLastIndex(({ version }) => version === state)
    return at < 0 ? undefined : this.#done.slice(at + 1).reverse()
  }

  /** The changes to redo until the data is in this state, oldest first; undefined if redoing does not lead there. */
  upTo(state: number): readonly Recorded[] | undefined {
    if (state === this.top) return []
    const at = this.#undone.findIndex(({ version }) => version === state)
    return at < 0 ? undefined : this.#undone.slice(at).reverse()
  }

  get newest(): Recorded | undefined {
    return this.#done.at(-1)
  }

  get nextToRedo(): Recorded | undefined {
    return this.#undone.at(-1)
  }

  /** Notes that these were undone, newest first; false unless they are the newest. */
  undo(changes: readonly Recorded[]): boolean {
    return move(changes, this.#done, this.#undone)
  }

  /** Notes that these were redone, oldest first; false unless they are the next ones. */
  redo(changes: readonly Recorded[]): boolean {
    return move(changes, this.#undone, this.#done)
  }

  /** Nothing can be undone or redone; the current state is this one. */
  startAt(state: number): void {
    this.#done = []
    this.#undone = []
    this.#kept.clear()
    this.#base = state
  }

  copyRows(): void {
    this.#done = this.#done.map(withOwnRows)
    this.#undone = this.#undone.map(withOwnRows)
  }

  #trim(): void {
    while (this.#kept.isTooMuch) {
      const oldest = this.#done.shift()
      // Where all is undone, the newest goes: what comes before it can still be redone.
      const dropped = oldest ?? this.#undone.shift()
      if (!dropped) return
      this.#kept.remove(dropped)
      if (oldest) this.#base = oldest.version
    }
  }
}

/** Compared by version: rows may have been copied meanwhile. */
function move(changes: readonly Recorded[], from: Recorded[], to: Recorded[]): boolean {
  const top = from.slice(from.length - changes.length).reverse()
  if (top.length !== changes.length || top.some(({ version }, at) => version !== changes[at]?.version)) {
    return false
  }
  from.length -= changes.length
  to.push(...top)
  return true
}
