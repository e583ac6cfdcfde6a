import type { Direction } from '../change.ts'
import type { Commit } from '../data/commit.ts'
import type { Past } from '../data/store.ts'
import { Timeline } from './timeline.ts'

/**
 * The last changes of some data, for undo, redo and followers. Ends, and starts over, when everything is replaced:
 * by a reset, a restored snapshot, an edit from outside or `router.db`.
 */
export class History {
  readonly #timeline: Timeline<Commit>

  constructor({ base, bottom, commits }: Past) {
    this.#timeline = new Timeline({ base, bottom })
    for (const commit of commits) this.#timeline.add(commit)
  }

  /** The version of the newest change, or of the start. */
  get version(): number {
    return this.#timeline.version
  }

  /** What is remembered, as JSON. */
  get bytes(): number {
    return this.#timeline.log.bytes
  }

  add(commit: Commit): void {
    if (commit.effects) this.#timeline.add(commit)
    else this.#timeline.startAt(commit.version)
  }

  /** The same with something else made of each change. */
  map(make: (commit: Commit) => Commit): History {
    const { log, stack } = this.#timeline
    const kept = new Map([...stack.changes, ...(log.after(log.base) ?? [])].map((one) => [one.version, one]))
    const commits = [...kept.values()].sort((a, b) => a.version - b.version).map(make)
    return new History({ base: log.base, bottom: stack.base, commits })
  }

  /** The last changes before a version, newest first. */
  list(most: number, before = Number.POSITIVE_INFINITY): readonly Commit[] {
    return this.#timeline.log.before(before, Number.POSITIVE_INFINITY).filter(isShown).slice(0, most)
  }

  isUndone(version: number): boolean {
    return this.#timeline.stack.isUndone(version)
  }

  /** The changes after a version, oldest first; undefined if some are not kept, or the version is ahead. */
  since(version: number): readonly Commit[] | undefined {
    return this.#timeline.log.after(version)?.filter(isShown)
  }

  /** The newest change that is not undone. */
  get top(): number {
    return this.#timeline.stack.top
  }

  /** What to undo or redo, in that order, and the newest change that is not undone after that. */
  wayTo(
    to: number | undefined,
    direction: Direction,
  ): { readonly changes: readonly Commit[]; readonly top: number } {
    const changes = this.#timeline.wayTo(to, direction)
    return { changes, top: this.#timeline.stack.topAfter(direction, changes) }
  }
}

/** Undoing changes that cancel each other out changes nothing: it is recorded, and nobody is told. */
function isShown({ names }: Commit): boolean {
  return names.length > 0
}
