import { StorageError } from '../../errors.ts'
import type { Change } from '../change.ts'
import type { Commit, Effect } from '../commit.ts'
import type { Engine } from '../engine.ts'
import { invertEffects } from '../invert-effects.ts'
import { isRow } from '../is-row.ts'
import { bytesOfEffects } from './bytes-of-effects.ts'
import { ChangeLog } from './change-log.ts'
import { MOST_BYTES } from './kept.ts'
import { type ChangeNote, copyEffects, noteOf, type Recorded } from './recorded.ts'
import { UndoStack } from './undo-stack.ts'
import { type Direction, wayTo } from './way-to.ts'

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

/** An undo or redo on its way through the engine. */
interface Move {
  readonly direction: Direction
  /** In the order they are undone or redone. */
  readonly changes: readonly Recorded[]
  /** Tells its commit from others. */
  readonly token: string
}

/**
 * Listens to an engine and remembers its last changes, for undo, redo and followers. Ends, and starts over,
 * when everything is replaced: by a reset, a restored snapshot, an edit from outside or `router.db`.
 */
export class History {
  readonly #engine: Engine
  readonly #now: () => number
  readonly #log: ChangeLog
  readonly #stack: UndoStack
  readonly #listeners = new Set<(recorded: Recorded) => void>()
  readonly #unsubscribe: () => void
  #move: Move | undefined
  #moves = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(engine: Engine, { now, start = now() }: HistoryOptions) {
    this.#engine = engine
    this.#now = now
    this.#log = new ChangeLog(start)
    this.#stack = new UndoStack(start)
    this.#unsubscribe = engine.subscribe((commit) => this.#hear(commit), { effects: true })
  }

  /** The version of the newest change, or of the start. */
  get version(): number {
    return this.#log.version
  }

  /** What is remembered, as JSON. */
  get bytes(): number {
    return this.#log.bytes
  }

  /** The last changes before a version, newest first. */
  list(most: number, before = Number.POSITIVE_INFINITY): readonly Recorded[] {
    return this.#log.before(before, most)
  }

  isUndone(version: number): boolean {
    return this.#stack.isUndone(version)
  }

  /** The changes after a version, oldest first; undefined if some are not kept, or the version is ahead. */
  since(version: number): readonly Recorded[] | undefined {
    return this.#log.after(version)
  }

  /** Hears each change once it has its version. Returns how to stop listening. */
  subscribe(listener: (recorded: Recorded) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Takes back the newest change that is not undone, or all after `to`. Resolves with their versions. */
  undo(options: UndoOptions = {}): Promise<readonly number[]> {
    return this.#inTurn(() => this.#go('undo', options))
  }

  /** Makes again what was undone last, or everything up to `to`. Resolves with the versions. */
  redo(options: UndoOptions = {}): Promise<readonly number[]> {
    return this.#inTurn(() => this.#go('redo', options))
  }

  /** Others may change rows of the data in place from now on: keeps copies of them instead. */
  copyRows(): void {
    // Once they may, what it hears is copied as it comes.
    if (!this.#isStable()) return
    this.#log.copyRows()
    this.#stack.copyRows()
  }

  /** Stops listening. */
  close(): void {
    this.#unsubscribe()
    this.#listeners.clear()
  }

  async #go(direction: Direction, { to, note }: UndoOptions): Promise<readonly number[]> {
    // What others have changed underneath ends the history.
    await this.#engine.refresh()
    const changes = wayTo(to, direction, this.#stack, this.#log)
    if (changes.length === 0) return []
    const token = `${this.#now()}-${++this.#moves}`
    this.#move = { direction, changes, token }
    try {
      await this.#engine.write(changeFor(this.#move), { note: { ...note, token } })
      // Where changes cancel each other out, as an insertion and its removal do, there is no commit to hear.
      if (this.#move) this.#stack[direction](changes)
    } catch (cause) {
      if (!(cause instanceof StorageError && cause.code === 'CONFLICT')) throw cause
      throw new StorageError('UNDO_CONFLICT', cause.message, { cause })
    } finally {
      this.#move = undefined
    }
    return changes.map(({ version }) => version)
  }

  #hear(commit: Commit): void {
    const version = this.version + 1
    const effects = commit.effects && this.#own(commit.effects)
    const move = effects && this.#moved(commit)
    const versions = move?.changes.map((change) => change.version)
    const bytes = effects ? bytesOfEffects(effects, MOST_BYTES) : 0
    if (!effects) this.#startAt(version)
    const recorded: Recorded = {
      version,
      time: this.#now(),
      note: noteOf(commit),
      names: commit.names,
      effects,
      bytes: typeof bytes === 'number' ? bytes : 0,
      top: move || !effects ? this.#stack.top : version,
      undoes: move?.direction === 'undo' ? versions : undefined,
      redoes: move?.direction === 'redo' ? versions : undefined,
    }
    if (effects) this.#log.add(recorded)
    if (effects && !move) this.#stack.push(recorded)
    if (typeof bytes !== 'number') void bytes.then((known) => this.#weigh({ ...recorded, bytes: known }))
    for (const listener of this.#listeners) listener(recorded)
  }

  /** If others changed the data while an undo was on its way, it counts as a change of its own: it can be undone. */
  #moved({ note }: Commit): Move | undefined {
    const move = this.#move
    if (!move || !isRow(note) || note.token !== move.token) return undefined
    this.#move = undefined
    return this.#stack[move.direction](move.changes) ? move : undefined
  }

  #startAt(version: number): void {
    this.#log.startAt(version)
    this.#stack.startAt(version)
  }

  #own(effects: readonly Effect[]): readonly Effect[] {
    return this.#isStable() ? effects : copyEffects(effects)
  }

  #isStable(): boolean {
    return this.#engine.isStable?.() ?? true
  }

  #weigh(recorded: Recorded): void {
    this.#log.weigh(recorded)
    this.#stack.weigh(recorded)
  }

  /** One at a time: the next one starts from where this one leads. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }
}

/** All or nothing, however many changes it undoes. */
function changeFor({ direction, changes }: Move): Change<'apply' | 'batch'> {
  const parts = changes.map(({ effects = [] }) => ({
    kind: 'apply' as const,
    effects: direction === 'undo' ? invertEffects(effects) : effects,
  }))
  const [only] = parts
  return only && parts.length === 1 ? only : { kind: 'batch', changes: parts }
}
