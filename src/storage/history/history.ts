import { StorageError } from '../../errors.ts'
import type { Commit, Direction } from '../commit.ts'
import type { Engine, MaybePromise } from '../engine.ts'
import { OwnRecorder } from './own-recorder.ts'
import { type ChangeNote, type Recorded, withOwnRows } from './recorded.ts'
import type { Recorder } from './recorder.ts'
import { SharedRecorder } from './shared-recorder.ts'

export interface HistoryOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The version to start at. By default the time, so that versions grow over restarts too. */
  readonly start?: number | undefined
}

export interface UndoOptions {
  /** The version to go to: the data as it was right after that change. @default one step */
  readonly to?: number | undefined
  readonly note?: ChangeNote
}

/**
 * Listens to an engine and remembers its last changes, for undo, redo and followers. Ends, and starts over,
 * when everything is replaced: by a reset, a restored snapshot, an edit from outside or `router.db`.
 */
export class History {
  readonly #engine: Engine
  readonly #recorder: Recorder
  readonly #listeners = new Set<(recorded: Recorded) => void>()
  readonly #unsubscribe: () => void

  constructor(engine: Engine, { now, start = now() }: HistoryOptions) {
    this.#engine = engine
    this.#unsubscribe = engine.subscribe((commit) => this.#hear(commit), { effects: true, logged: true })
    this.#recorder = engine.past
      ? new SharedRecorder(engine, engine.past, now)
      : new OwnRecorder(engine, now, start)
  }

  /** The version of the newest change, or of the start. */
  get version(): number {
    return this.#recorder.timeline.version
  }

  /** What is remembered, as JSON. */
  get bytes(): number {
    return this.#recorder.timeline.log.bytes
  }

  /** Waits until everything that anybody has committed so far is known. */
  ready(): MaybePromise<void> {
    return this.#recorder.ready()
  }

  /** The last changes before a version, newest first. */
  list(most: number, before = Number.POSITIVE_INFINITY): readonly Recorded[] {
    return this.#recorder.timeline.log.before(before, Number.POSITIVE_INFINITY).filter(isShown).slice(0, most)
  }

  isUndone(version: number): boolean {
    return this.#recorder.timeline.stack.isUndone(version)
  }

  /** The changes after a version, oldest first; undefined if some are not kept, or the version is ahead. */
  since(version: number): readonly Recorded[] | undefined {
    return this.#recorder.timeline.log.after(version)?.filter(isShown)
  }

  /** Hears each change once it has its version. Returns how to stop listening. */
  subscribe(listener: (recorded: Recorded) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Takes back the newest change that is not undone, or all after `to`. Resolves with their versions. */
  undo(options: UndoOptions = {}): Promise<readonly number[]> {
    return this.#move('undo', options)
  }

  /** Makes again what was undone last, or everything up to `to`. Resolves with the versions. */
  redo(options: UndoOptions = {}): Promise<readonly number[]> {
    return this.#move('redo', options)
  }

  /** Others may change rows of the data in place from now on: keeps copies of them instead. */
  copyRows(): void {
    // Once they may, what it hears is copied as it comes.
    if (this.#engine.isStable?.() ?? true) this.#recorder.timeline.map(withOwnRows)
  }

  /** Stops listening. */
  close(): void {
    this.#unsubscribe()
    this.#listeners.clear()
  }

  #hear(commit: Commit): void {
    const recorded = this.#recorder.hear(commit)
    if (isShown(recorded)) for (const listener of this.#listeners) listener(recorded)
  }

  async #move(direction: Direction, options: UndoOptions): Promise<readonly number[]> {
    try {
      return await this.#recorder.move(direction, options)
    } catch (cause) {
      if (!(cause instanceof StorageError && cause.code === 'CONFLICT')) throw cause
      throw new StorageError('UNDO_CONFLICT', cause.message, { cause })
    }
  }
}

/** Undoing changes that cancel each other out changes nothing: an engine may record it, and nobody is told. */
function isShown({ names }: Recorded): boolean {
  return names.length > 0
}
