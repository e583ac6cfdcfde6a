import type { Database } from '../../core/engine/data/database.ts'
import type { Effect, PreparedCommit } from '../../core/engine/data/store.ts'
import { Table } from '../../core/engine/data/table.ts'
import type { Engine } from '../../core/engine/engine.ts'
import type { Data } from '../../core/engine/types.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { KeptFiles } from './kept-files.ts'
import type { StoredUrls } from './stored-url.ts'

/** How often files that nobody names anymore go, in real time. */
export const SWEEP_MS = 20_000

export interface LifetimeOptions {
  readonly urls: StoredUrls
  readonly files: KeptFiles
  /** The data that may name its files: that of the base first, and of sessions. */
  readonly engines: () => readonly Engine[]
  /** Data beside it: snapshots. */
  readonly others: () => AsyncIterable<ReadonlySet<string>>
}

/** Which files are still named, and when the others go. */
export class Lifetime {
  readonly #options: LifetimeOptions
  /** Named since the last look at what is named. */
  #named = new Set<string>()

  constructor(options: LifetimeOptions) {
    this.#options = options
  }

  /** Marks the files that lose a name by a change. */
  async beforeSave({ before, after, commits }: PreparedCommit): Promise<void> {
    const { urls, files } = this.#options
    const lost = new Set<string>()
    for (const { effects, isOutside } of commits) {
      if (effects) for (const effect of effects) this.#compare(effect, lost)
      else {
        const names = await hashesIn(after, urls)
        for (const hash of names) this.#named.add(hash)
        // An edit from outside takes no file away: another one may bring its name back.
        if (isOutside) continue
        for (const hash of await hashesIn(before, urls)) if (!names.has(hash)) lost.add(hash)
      }
    }
    if (lost.size > 0) await files.markLeft(lost)
  }

  #compare(effect: Effect, lost: Set<string>): void {
    const { urls } = this.#options
    for (const { before, after } of effect.kind === 'rows' ? effect.rows : [effect]) {
      const [old, now] = [new Set<string>(), new Set<string>()]
      urls.collect(before, old)
      urls.collect(after, now)
      for (const hash of now) this.#named.add(hash)
      for (const hash of old) if (!now.has(hash)) lost.add(hash)
    }
  }

  /** Removes the files that a change took the last name from. */
  async sweep(): Promise<void> {
    const { files, engines, urls } = this.#options
    const left = await files.left()
    if (left.size === 0) return
    const named = new Set<string>()
    this.#named = named
    const held = await this.#hashesKept(left)
    const [base] = engines()
    const inRows = base ? await hashesIn(base.database, urls) : new Set<string>()
    if (!(await files.isAlone())) return
    const going = new Set([...left].filter((hash) => !held.has(hash) && !inRows.has(hash)))
    const settled = new Set([...left].filter((hash) => going.has(hash) || inRows.has(hash)))
    await files.settle(settled, going, (hash) => named.has(hash))
  }

  /** All of these that the rows of the base do not have to name. */
  async #hashesKept(wanted: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { engines, urls } = this.#options
    const found = new Set<string>()
    const isAll = () => [...wanted].every((hash) => found.has(hash))
    for (const engine of engines()) {
      for (const { effects } of engine.history.all()) urls.collect(effects, found)
      if (isAll()) return found
    }
    for (const hash of await this.named()) found.add(hash)
    return found
  }

  /** The files that data or snapshots name, the history aside. */
  async named(): Promise<ReadonlySet<string>> {
    const { engines, others, urls } = this.#options
    const found = new Set<string>()
    for (const engine of engines()) {
      for (const data of [engine.database, await engine.beginning()])
        for (const hash of await hashesIn(data, urls)) found.add(hash)
    }
    for await (const hashes of others()) for (const hash of hashes) found.add(hash)
    return found
  }
}

/** The files that data names. */
export async function hashesIn(data: Database | Data, urls: StoredUrls): Promise<Set<string>> {
  const found = new Set<string>()
  const pace = new TimeSlice()
  const parts = 'parts' in data && data.parts instanceof Map ? [...data.parts.values()] : Object.values(data)
  for (const part of parts) {
    if (part instanceof Table) {
      for (const leaf of part.rows.leaves()) {
        urls.collect(leaf.items, found)
        if (pace.isUsedUp) await pace.yieldToEventLoop()
      }
    } else urls.collect(part, found)
  }
  return found
}
