import type { Commit, Direction, Logged, MoveOptions, SharedPast } from '../commit.ts'
import type { Engine } from '../engine.ts'
import { Timeline } from '../past/timeline.ts'
import { noteOf, type Recorded } from './recorded.ts'
import type { Recorder } from './recorder.ts'

/** Follows the history that an engine keeps for all who use its data: they all know the same. */
export class SharedRecorder implements Recorder {
  readonly #engine: Engine
  readonly #past: SharedPast
  readonly #now: () => number
  #timeline = new Timeline<Recorded>({ base: 0, bottom: 0 })
  /** What was heard while the past is being read. */
  #heard: Recorded[] | undefined
  /** Undefined if it has to be read again. */
  #reading: Promise<void> | undefined

  constructor(engine: Engine, past: SharedPast, now: () => number) {
    this.#engine = engine
    this.#past = past
    this.#now = now
    this.#readAgain().catch(() => {})
  }

  get timeline(): Timeline<Recorded> {
    return this.#timeline
  }

  async ready(): Promise<void> {
    await this.#engine.refresh()
    await (this.#reading ?? this.#readAgain())
  }

  hear(commit: Commit): Recorded {
    const { logged } = commit
    if (!logged) {
      // Either too much happened meanwhile, or rows are to look different: what is kept tells.
      this.#readAgain().catch(() => {})
      const { version, stack } = this.#timeline
      const { upTo = version } = commit
      return recordedOf(commit, { version: upTo, time: this.#now(), bytes: 0, top: stack.top })
    }
    const recorded = recordedOf(commit, logged)
    // It could not be read before. What is heard since would leave a gap.
    if (!this.#reading) this.#readAgain().catch(() => {})
    if (this.#heard) this.#heard.push(recorded)
    else this.#add(recorded)
    return recorded
  }

  async move(direction: Direction, options: MoveOptions): Promise<readonly number[]> {
    const versions = await this.#past.move(direction, options)
    // It is done, whether or not the past can be read now.
    await this.#reading?.catch(() => {})
    return versions
  }

  /** Another reading that begins meanwhile takes the place of this one. */
  #readAgain(): Promise<void> {
    const heard: Recorded[] = []
    this.#heard = heard
    const reading = this.#past.read().then(
      ({ base, bottom, commits }) => {
        if (this.#heard !== heard) return this.#reading
        this.#heard = undefined
        this.#timeline = new Timeline({ base, bottom })
        for (const commit of commits) {
          if (commit.logged) this.#timeline.add(recordedOf(commit, commit.logged))
        }
        for (const recorded of heard) this.#add(recorded)
        return undefined
      },
      (error: unknown) => {
        if (this.#reading === reading) this.#reading = undefined
        throw error
      },
    )
    this.#reading = reading
    return reading
  }

  #add(recorded: Recorded): void {
    // What was read may be ahead of what was heard.
    if (recorded.version <= this.#timeline.version) return
    if (recorded.effects) this.#timeline.add(recorded)
    else this.#timeline.startAt(recorded.version)
  }
}

function recordedOf(commit: Commit, { undoes, redoes, ...logged }: Logged): Recorded {
  return { ...logged, note: noteOf(commit), names: commit.names, effects: commit.effects, undoes, redoes }
}
