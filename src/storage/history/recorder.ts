import type { Commit, Direction, MoveOptions } from '../commit.ts'
import type { MaybePromise } from '../engine.ts'
import type { Timeline } from '../past/timeline.ts'
import type { Recorded } from './recorded.ts'

/** Makes a history of the commits of an engine. */
export interface Recorder {
  readonly timeline: Timeline<Recorded>
  /** Adds a commit. Returns what there is to tell of it. */
  hear(commit: Commit): Recorded
  /** Undoes or redoes changes; resolves with their versions. */
  move(direction: Direction, options: MoveOptions): Promise<readonly number[]>
  /** Waits until everything that was committed so far is in the timeline. */
  ready(): MaybePromise<void>
}
