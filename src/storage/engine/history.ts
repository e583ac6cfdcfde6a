import type { Commit } from '../data/commit.ts'
import type { Past } from '../data/store.ts'
import { Timeline } from './timeline.ts'

/** Starts over when everything is replaced: by a reset, a restored snapshot, an edit from outside or `router.db`. */
export class History extends Timeline<Commit> {
  constructor({ commits, ...start }: Past) {
    super(start)
    for (const commit of commits) this.add(commit)
  }

  override add(commit: Commit): void {
    if (commit.effects) super.add(commit)
    else this.startAt(commit.version)
  }

  map(make: (commit: Commit) => Commit): History {
    return new History({ ...this.start, commits: this.entries.map(make) })
  }

  list(most: number, before = Number.POSITIVE_INFINITY): readonly Commit[] {
    const older = this.log.filter((commit) => commit.version < before && isShown(commit))
    return older.reverse().slice(0, most)
  }

  /** The changes after a version, oldest first; undefined if some are not kept, or the version is ahead. */
  since(version: number): readonly Commit[] | undefined {
    if (version < this.start.base || version > this.version) return undefined
    return this.log.filter((commit) => commit.version > version && isShown(commit))
  }
}

/** Undoing changes that cancel each other out changes nothing: it is recorded, and nobody is told. */
function isShown({ names }: Commit): boolean {
  return names.length > 0
}
