import { StorageError } from '../kernel/catalogue/error-classes.ts'
import type { Direction } from './change.ts'
import type { Commit, RecordedRange, StoredHistory } from './data/store.ts'

const MOST_CHANGES = 1000

export const MOST_BYTES = 16 * 1024 * 1024

class BoundedLog {
  readonly commits: Commit[] = []
  bytes = 0

  /** Returns the version of the newest commit that it evicts. */
  push(commit: Commit): number | undefined {
    const { commits } = this
    commits.push(commit)
    this.bytes += commit.bytes
    let evicted: Commit | undefined
    while (commits.length > MOST_CHANGES || this.bytes > MOST_BYTES) {
      // Unlike `splice`, it does not move the others.
      evicted = commits.shift()
      this.bytes -= evicted?.bytes ?? 0
    }
    return evicted?.version
  }

  pop(): readonly Commit[] {
    this.bytes -= this.commits.at(-1)?.bytes ?? 0
    return this.commits.splice(-1)
  }
}

/**
 * The newest changes, and those that can be undone or redone, which may be older. A state is named by its newest
 * change that is not undone. Derived from the changes alone, so it is the same in every process. Starts over when
 * everything is replaced: by a reset, a restored snapshot, an external edit or `router.db`.
 */
export class History implements RecordedRange {
  #log = new BoundedLog()
  #done = new BoundedLog()
  /** The next one to redo is the last. */
  #undone: Commit[] = []
  base: number
  bottom: number
  version: number
  /** Whether an owner changed rows in place since it began: no commit tells of that. */
  hasGaps = false

  constructor({ base, bottom, commits }: StoredHistory) {
    this.base = base
    this.bottom = bottom
    this.version = base
    for (const commit of commits) this.add(commit)
  }

  get bytes(): number {
    return this.#log.bytes
  }

  get top(): number {
    return this.#done.commits.at(-1)?.version ?? this.bottom
  }

  get older(): readonly number[] {
    const versions = [...this.#done.commits, ...this.#undone].map(({ version }) => version)
    return versions.filter((version) => version <= this.base)
  }

  /** Undone, even if it can no longer be redone. */
  isUndone(version: number): boolean {
    return version > this.bottom && !this.#done.commits.some((commit) => commit.version === version)
  }

  /** A change, or an undo or redo, which leads to an earlier state. */
  add(commit: Commit): void {
    const { version, top } = commit
    if (!commit.effects) {
      this.#log = new BoundedLog()
      this.#done = new BoundedLog()
      this.#undone = []
      this.hasGaps = false
      // It may be older than what the log begins with.
      this.base = Math.max(this.base, version)
      this.bottom = this.base
      this.version = this.base
      return
    }
    // Commits older than the log can still be undone.
    if (version > this.base) {
      this.base = this.#log.push(commit) ?? this.base
      this.version = version
    }
    if (top !== version) this.#moveTo(top)
    else {
      this.#undone = []
      this.bottom = this.#done.push(commit) ?? this.bottom
    }
  }

  /** All that it keeps, in order. */
  all(): readonly Commit[] {
    const all = new Set([...this.#done.commits, ...this.#undone, ...this.#log.commits])
    return [...all].sort((a, b) => a.version - b.version)
  }

  async map(make: (commit: Commit) => Promise<Commit>): Promise<History> {
    const commits: Commit[] = []
    for (const commit of this.all()) commits.push(await make(commit))
    return Object.assign(new History({ base: this.base, bottom: this.bottom, commits }), {
      hasGaps: this.hasGaps,
    })
  }

  list(most: number, before = Number.POSITIVE_INFINITY): readonly Commit[] {
    const older = this.#log.commits.filter((commit) => commit.version < before && isShown(commit))
    return older.reverse().slice(0, most)
  }

  /** Oldest first; undefined if some were evicted, or the version is ahead. */
  since(version: number): readonly Commit[] | undefined {
    if (version < this.base || version > this.version) return undefined
    return this.#log.commits.filter((commit) => commit.version > version && isShown(commit))
  }

  /** In the order to apply them: one step, or all up to the state right after version `to`. */
  wayTo(direction: Direction, to?: number): { readonly changes: readonly Commit[]; readonly top: number } {
    const changes = this.#changesTo(direction, to)
    const undone = this.#done.commits.at(-changes.length - 1)?.version ?? this.bottom
    return { changes, top: direction === 'undo' ? undone : (changes.at(-1)?.version ?? this.top) }
  }

  #changesTo(direction: Direction, to?: number): readonly Commit[] {
    if (to === undefined) {
      const next = (direction === 'undo' ? this.#done.commits : this.#undone).at(-1)
      if (next) return [next]
      throw nothingTo(direction, `There is nothing to ${direction}.`)
    }
    // After an undo, the state is named by an earlier change.
    const state = this.#log.commits.find(({ version }) => version === to)?.top ?? to
    const isState = ({ version }: Commit) => version === state
    const done = this.#done.commits.findIndex(isState)
    const undone = this.#undone.findIndex(isState)
    const isBehind = state === this.bottom || done !== -1
    const isAhead = state === this.top || undone !== -1
    if (direction === 'undo' && isBehind) return this.#done.commits.slice(done + 1).reverse()
    if (direction === 'redo' && isAhead) return undone === -1 ? [] : this.#undone.slice(undone).reverse()
    if (isBehind) throw nothingTo(direction, `Version ${to} is behind: undo leads there.`)
    if (isAhead) throw nothingTo(direction, `Version ${to} is ahead: redo leads there.`)
    throw new StorageError('HISTORY_GONE', `There is no way to version ${to}: it is not kept, or never was.`)
  }

  #moveTo(state: number): void {
    while (this.top > state && this.top > this.bottom) this.#undone.push(...this.#done.pop())
    while ((this.#undone.at(-1)?.version ?? Number.POSITIVE_INFINITY) <= state) {
      for (const commit of this.#undone.splice(-1)) this.#done.push(commit)
    }
  }
}

function nothingTo(direction: Direction, message: string): StorageError {
  return new StorageError(direction === 'undo' ? 'NOTHING_TO_UNDO' : 'NOTHING_TO_REDO', message)
}

/** Undoing changes that cancel each other out changes nothing: recorded, but not reported. */
function isShown({ names }: Commit): boolean {
  return names.length > 0
}
