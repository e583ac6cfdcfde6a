import { Turns } from '../../work/turns.ts'
import type { Commit, Direction, Effect, MoveOptions } from '../commit.ts'
import type { Engine } from '../engine.ts'
import { isRow } from '../is-row.ts'
import { bytesOfEffects } from '../past/bytes-of-effects.ts'
import { changeFor } from '../past/change-for.ts'
import { MOST_BYTES } from '../past/kept.ts'
import { Timeline } from '../past/timeline.ts'
import { copyEffects, noteOf, type Recorded } from './recorded.ts'
import type { Recorder } from './recorder.ts'

/** An undo or redo on its way through the engine. */
interface Move {
  readonly direction: Direction
  /** In the order they are undone or redone. */
  readonly changes: readonly Recorded[]
  /** Tells its commit from others. */
  readonly token: string
}

/** Records what an engine does from now on, in memory: nobody else changes its data. */
export class OwnRecorder implements Recorder {
  readonly timeline: Timeline<Recorded>
  readonly #engine: Engine
  readonly #now: () => number
  #move: Move | undefined
  #moves = 0
  readonly #turns = new Turns()

  constructor(engine: Engine, now: () => number, start: number) {
    this.#engine = engine
    this.#now = now
    this.timeline = new Timeline({ base: start, bottom: start })
  }

  ready(): void {}

  hear(commit: Commit): Recorded {
    const version = this.timeline.version + 1
    const effects = commit.effects && this.#own(commit.effects)
    const move = effects && this.#moved(commit)
    const versions = move?.changes.map((change) => change.version)
    const bytes = effects ? bytesOfEffects(effects, MOST_BYTES) : 0
    if (!effects) this.timeline.startAt(version)
    const recorded: Recorded = {
      version,
      time: this.#now(),
      note: noteOf(commit),
      names: commit.names,
      effects,
      bytes: typeof bytes === 'number' ? bytes : 0,
      top: move || !effects ? this.timeline.stack.top : version,
      undoes: move?.direction === 'undo' ? versions : undefined,
      redoes: move?.direction === 'redo' ? versions : undefined,
    }
    if (effects) this.timeline.add(recorded)
    if (typeof bytes !== 'number') {
      void bytes.then((known) => this.timeline.weigh({ ...recorded, bytes: known }))
    }
    return recorded
  }

  /** One at a time: the next one starts from where this one leads. */
  move(direction: Direction, options: MoveOptions): Promise<readonly number[]> {
    return this.#turns.take(() => this.#go(direction, options))
  }

  async #go(direction: Direction, { to, note }: MoveOptions): Promise<readonly number[]> {
    // What others have changed underneath ends the history.
    await this.#engine.refresh()
    const changes = this.timeline.wayTo(to, direction)
    if (changes.length === 0) return []
    const token = `${this.#now()}-${++this.#moves}`
    this.#move = { direction, changes, token }
    try {
      await this.#engine.write(changeFor(direction, changes), {
        note: { ...(isRow(note) && note), token },
      })
      // Where changes cancel each other out, as an insertion and its removal do, there is no commit to hear.
      if (this.#move) this.timeline.stack[direction](changes)
    } finally {
      this.#move = undefined
    }
    return changes.map(({ version }) => version)
  }

  /** If others changed the data while an undo was on its way, it counts as a change of its own: it can be undone. */
  #moved({ note }: Commit): Move | undefined {
    const move = this.#move
    if (!move || !isRow(note) || note.token !== move.token) return undefined
    this.#move = undefined
    return this.timeline.stack[move.direction](move.changes) ? move : undefined
  }

  #own(effects: readonly Effect[]): readonly Effect[] {
    return (this.#engine.isStable?.() ?? true) ? effects : copyEffects(effects)
  }
}
