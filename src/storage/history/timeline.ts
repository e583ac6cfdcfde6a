import type { Direction } from '../change.ts'
import { ChangeLog } from './change-log.ts'
import type { Entry } from './kept.ts'
import { UndoStack } from './undo-stack.ts'
import { wayTo } from './way-to.ts'

/** Where a timeline begins. */
export interface TimelineStart {
  /** All changes after this version are kept. */
  readonly base: number
  /** The state before the oldest change that can be undone. */
  readonly bottom: number
}

/**
 * What is kept of the changes of some data: the last ones, and those that can be undone or redone, which may be older.
 * Follows from the changes alone, so that it is the same for all who hear them.
 */
export class Timeline<E extends Entry> {
  readonly log: ChangeLog<E>
  readonly stack: UndoStack<E>

  /** @param forget called with each change that is kept no longer */
  constructor({ base, bottom }: TimelineStart, forget: (version: number) => void = () => {}) {
    const drop = ({ version }: E) => {
      if (!this.has(version)) forget(version)
    }
    this.log = new ChangeLog(base, drop)
    this.stack = new UndoStack(bottom, drop)
  }

  /** The version of the newest change, or of the start. */
  get version(): number {
    return this.log.version
  }

  /** A change, or an undo or redo, which leads to a state that was there. */
  add(entry: E): void {
    // What is older than all that is kept in order can still be undone.
    if (entry.version > this.log.base) this.log.add(entry)
    if (entry.top === entry.version) this.stack.push(entry)
    else this.stack.moveTo(entry.top)
  }

  has(version: number): boolean {
    return version > this.log.base || this.stack.has(version)
  }

  /** Everything was replaced. */
  startAt(version: number): void {
    this.log.startAt(version)
    this.stack.startAt(version)
  }

  wayTo(to: number | undefined, direction: Direction): readonly E[] {
    return wayTo(to, direction, this.stack, this.log)
  }
}
