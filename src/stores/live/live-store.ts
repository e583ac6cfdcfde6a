import { setTimeout as sleep } from 'node:timers/promises'
import { replacement } from '../../core/engine/changes/prepare-group.ts'
import { Database } from '../../core/engine/data/database.ts'
import {
  type Commit,
  type CommitOptions,
  type ForeignCommits,
  MemoryStore,
  type PrepareCommit,
  type PreparedCommit,
  type Store,
} from '../../core/engine/data/store.ts'
import type { Engine } from '../../core/engine/engine.ts'
import type { Data } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { Turns } from '../../core/kernel/util/turns.ts'
import { FileStore } from '../file/file-store.ts'
import type { LiveObject } from './live-object.ts'
import { storedAfter } from './stored-after.ts'

const NEVER = -1

const MOST_ROUNDS = 8

const TOO_FAST =
  'The object that is served is changed in place faster than this change can be made. Nothing was changed. Try again.'

/** In milliseconds. */
const QUICK = 5
const LONGEST_REST = 50

/** Several engines may serve one object: they save one after the other, so that no two make the same id. */
const turnsOf = new WeakMap<object, Turns>()

/**
 * Keeps an engine and an object that other code changes in place the same: one passed to `router()`, or `router.db`.
 * Before each read and change, the engine takes over what changed in the object; changes of the engine are written
 * through to the object, and then saved.
 */
export class LiveStore implements Store {
  readonly #engine: Engine
  readonly #inner: Store
  readonly #object: LiveObject
  /** The object as the engine has it, or will have it after the change in progress. */
  #taken: Database
  /** The object as stored, without later edits by its owner. */
  #stored: Database
  /** The engine's data that `taken` is about. A save that began before this store took its place ends without it. */
  #seen: Database
  /** A change that is being saved. The object has it already. */
  #writing: { readonly before: Database; readonly after: Database } | undefined
  /** Whether everything was replaced since the engine took it: then followers get an event. */
  #isReplaced = false
  /** The content from outside, which a reset restores. */
  #origin: Database | undefined
  readonly #turns = new Turns()
  readonly #copyNext = this.#turns.shared(async () => {
    const start = performance.now()
    this.#object.copy()
    const took = performance.now() - start
    // Reads that come now share the next copy: a server accepts one connection per turn of the event loop, so each
    // would otherwise wait for a copy of its own.
    if (took > QUICK) void this.#turns.take(() => sleep(Math.min(took / 4, LONGEST_REST)))
  })
  /** Whether the store has versions, so that others may have changed it since ours. */
  readonly #hasVersions: boolean
  /** In the engine's turn, as all that changes its data. */
  readonly #takeOverNext: () => Promise<void>

  /** Takes the place of the engine's store. The engine has what the object has. */
  constructor(engine: Engine, object: LiveObject) {
    this.#engine = engine
    this.#inner = engine.store
    this.#hasVersions = !(engine.store instanceof MemoryStore)
    this.#object = object
    this.#taken = object.copied
    this.#stored = object.copied
    this.#seen = engine.database
    this.#takeOverNext = engine.turns.shared(() => this.#takeOver())
    engine.store = this
  }

  commit(change: PrepareCommit, options: CommitOptions): Promise<void> {
    return getOrMake(turnsOf, this.data, () => new Turns()).take(() => this.#commit(change, options))
  }

  async #commit(change: PrepareCommit, options: CommitOptions): Promise<void> {
    let next: PreparedCommit | undefined
    const prepare = async (news: ForeignCommits | undefined) => {
      // Others wrote while this was being saved: it is made again.
      this.#takeBack()
      await this.#takeOver(news)
      // So it is if the owner acts meanwhile: a generator of ids may have read what he changed.
      for (let round = 1; ; round++) {
        next = await change(undefined)
        const isTaken = this.#object.copy() === this.#taken
        if (isTaken || options.replacesAll) break
        if (round === MOST_ROUNDS) throw new StorageError('WRITE_FAILED', TOO_FAST)
        await this.#takeOver()
      }
      const isWhole = this.#taken !== this.#stored
      if (next) this.#write(next)
      return next && isWhole ? asReplacement(next) : next
    }
    try {
      await this.#inner.commit(prepare, options)
    } catch (error) {
      this.#takeBack()
      throw error
    }
    this.#writing = undefined
    if (!next) return
    this.#seen = next.after
    // A new, empty collection makes no version: a store of versions does not save it.
    if (next.commits.length > 0 || !this.#hasVersions) this.#stored = this.#taken
  }

  /** Saves everything as one commit, which ends the history, whether or not the owner changed it. */
  save(): Promise<void> {
    const engine = this.#engine
    return engine.turns.take(async () => {
      let commits: readonly Commit[] = []
      const change = async () => {
        const { database, history: recorded } = engine
        commits = [
          replacement({ version: recorded.version + 1, time: engine.now(), meta: {} }, database, database),
        ]
        return { before: database, after: database, commits, recorded }
      }
      await this.commit(change, { since: () => engine.history.version, replacesAll: false })
      engine.publish(engine.database, commits)
    })
  }

  async news(since: number): Promise<undefined> {
    await this.#takeOver(await this.#inner.news(since))
  }

  /** Edits by the owner are no news: the engine has them when this resolves. */
  async hasNews(since: number): Promise<boolean> {
    if (await this.#inner.hasNews?.(since)) return true
    await this.#copyNext()
    if (!this.#isTaken && !this.#engine.isLocked) await this.#takeOverNext()
    return false
  }

  get data(): Data {
    return this.#object.holder.data
  }

  /** Has what is in the file, in place of what is not saved. */
  reload(): void {
    const content = this.#inner instanceof FileStore ? this.#inner.file.readSync?.() : undefined
    if (!content) return
    this.setState(content)
    this.#stored = this.#object.copy()
    if (this.#writing) this.#object.put(this.#writing.before, this.#writing.after)
  }

  /** @param isReloaded it came from outside: a reset restores it as it is now */
  setState(data: Data, isReloaded = false): void {
    this.#object.holder.data = data
    this.#isReplaced = true
    this.#origin = isReloaded ? this.#object.copy() : undefined
  }

  follow(changed: () => void): () => void {
    return this.#inner.follow(changed)
  }

  check(): Promise<void> {
    return this.#inner.check()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** In one synchronous step: the owner sees all of a change, or nothing. */
  #write(next: Pick<PreparedCommit, 'before' | 'after'>): void {
    const before = this.#taken
    const after = storedAfter(before, next)
    this.#object.put(before, after)
    this.#taken = after
    this.#writing = { before, after }
  }

  /** Takes a change that could not be saved out of the object. */
  #takeBack(): void {
    if (!this.#writing) return
    const { before, after } = this.#writing
    this.#writing = undefined
    this.#put(after, before)
    this.#taken = before
  }

  #put(before: Database, after: Database): void {
    this.#object.copy()
    this.#object.put(before, after)
  }

  /**
   * Has the engine take over what its owner did, with all that is stored if others changed that: the object's rows have no
   * ranks that commits could refer to.
   */
  async #takeOver(stored?: ForeignCommits): Promise<void> {
    const engine = this.#engine
    if (this.#seen !== engine.database) this.#followEngine()
    const news = stored?.kind === 'commits' ? await this.#inner.news(NEVER) : stored
    const content = news?.kind === 'content' ? news : undefined
    if (content) {
      const after = Database.of(content.data)
      this.#put(this.#stored, after)
      this.#stored = after
    }
    const data = this.#object.copy()
    if (!content && this.#isTaken) return
    // What is not stored is no version.
    const own = this.#isReplaced && !this.#hasVersions ? {} : { version: engine.history.version }
    const origin = content?.origin ? this.#stored : this.#origin
    this.#isReplaced = false
    this.#origin = undefined
    await engine.takeOver({ ...(content ?? own), ...(origin && { origin }), kind: 'content', data })
    this.#taken = data
    this.#seen = engine.database
  }

  /** Follows what the engine saved before this store replaced its own, or made of the same rows by other rules. */
  #followEngine(): void {
    const isStored = this.#taken === this.#stored
    const { database } = this.#engine
    this.#object.copy()
    this.#write({ before: this.#seen, after: database })
    this.#writing = undefined
    this.#seen = database
    if (isStored) this.#stored = this.#taken
  }

  get #isTaken(): boolean {
    return this.#object.copied === this.#taken && this.#engine.database === this.#seen && !this.#origin
  }
}

/** No other process has the rows at these ranks: for them, everything was replaced. */
function asReplacement(next: PreparedCommit): PreparedCommit {
  return { ...next, commits: next.commits.map((commit) => ({ ...commit, effects: undefined })) }
}
