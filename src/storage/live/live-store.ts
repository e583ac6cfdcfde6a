import { setTimeout as sleep } from 'node:timers/promises'
import { Pace } from '../../util/pace.ts'
import { Turns } from '../../util/turns.ts'
import { replacement } from '../changes/prepare-group.ts'
import { Database } from '../data/database.ts'
import {
  type Commit,
  type CommitOptions,
  MemoryStore,
  type Names,
  type News,
  type Next,
  type PrepareCommit,
  type Store,
} from '../data/store.ts'
import type { Engine } from '../engine/engine.ts'
import { FileStore } from '../file/file-store.ts'
import type { Data, Row } from '../types.ts'
import type { LiveMirror, Mirrored } from './live-mirror.ts'
import { type Saving, savingOf } from './saving.ts'

const NEVER = -1

const MOST_ROUNDS = 8

/** In milliseconds. */
const QUICK = 5
const LONGEST_REST = 50

/**
 * Keeps an engine and an object that other code changes in place the same: one passed to `router()`, or `router.db`.
 * Before each read and change, the engine takes over what changed in the object; changes of the engine are written
 * into the object.
 */
export class LiveStore implements Store {
  readonly #engine: Engine
  readonly #inner: Store
  readonly #mirror: LiveMirror
  /** What is stored of the object: what its owner did since is not. */
  #stored: Mirrored
  /** What the engine has of the object. */
  #taken: Mirrored
  /** What the engine had when this store took the place of its own: a save that had begun ends without it. */
  #first: Database | undefined
  /** Whether everything was replaced since the engine took it: then followers get an event. */
  #isReplaced = false
  /** What of that came from outside, which a reset restores: this, or what the engine takes. */
  #reloaded: Database | 'all' | undefined
  #saving: Saving | undefined
  #isClosed = false
  #nextNames: ReadonlySet<string> | undefined = new Set()
  readonly #turns = new Turns()
  readonly #syncNext = this.#turns.shared(async () => {
    const names = this.#nextNames
    this.#nextNames = new Set()
    const start = performance.now()
    await this.#mirror.sync(names)
    const took = performance.now() - start
    // Reads that come now share the next sync: a server accepts one connection per turn of the event loop, so each
    // would otherwise wait for a sync of its own.
    if (took > QUICK) void this.#turns.take(() => sleep(Math.min(took / 4, LONGEST_REST)))
  })
  /** Whether the store has versions, so that others may have changed it since ours. */
  readonly #hasVersions: boolean
  /** In the engine's turn, as all that changes its data. */
  readonly #takeOverNext: () => Promise<boolean>

  /** Takes the place of the engine's store. The engine has what the mirror has. */
  constructor(engine: Engine, mirror: LiveMirror) {
    this.#engine = engine
    this.#inner = engine.store
    this.#hasVersions = !(engine.store instanceof MemoryStore)
    this.#mirror = mirror
    this.#stored = mirror.mirrored
    this.#taken = mirror.mirrored
    this.#first = engine.database
    this.#takeOverNext = engine.turns.shared(() => this.#takeOver())
    engine.store = this
  }

  commit(change: PrepareCommit, options: CommitOptions): Promise<void> {
    const saving = this.#savingNow()
    const end = () => {
      saving.coming = undefined
    }
    return saving.turns.take(() => this.#commit(change, options, saving).finally(end))
  }

  async #commit(change: PrepareCommit, options: CommitOptions, saving: Saving): Promise<void> {
    let next: Next | undefined
    const pace = new Pace()
    await this.#inner.commit(async (stored) => {
      await this.#takeOver(stored)
      // A change is made again if the owner acted meanwhile: a handler may have read what he changed.
      for (let round = 1; ; round++) {
        next = await change(undefined)
        saving.coming = next?.after
        if (pace.isDue) await pace.turn()
        if (options.replacesAll || round === MOST_ROUNDS || !(await this.#takeOver())) break
      }
      return next && this.#isUnsaved ? asReplacement(next) : next
    }, options)
    if (!next) return
    this.#taken = await this.#mirror.write(next, this.#taken)
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

  /** What the owner did is no news: the engine has it when this resolves. */
  async hasNews(since: number, names?: Names): Promise<boolean> {
    if (await this.#inner.hasNews(since)) return true
    if (!this.#first) await this.#sync(names?.())
    if (!this.#isTaken && !this.#engine.isLocked) await this.#takeOverNext()
    return false
  }

  get data(): Data {
    return this.#mirror.object.data
  }

  /** The rows that a list of the object will have once a change is saved: their ids are taken. */
  comingIn(list: unknown): readonly Row[] {
    const name = Object.keys(this.data).find((one) => this.data[one] === list) ?? ''
    return this.#savingNow().coming?.table(name)?.rows.items() ?? []
  }

  /** Has what is in the file, in place of what is not saved. */
  reload(): void {
    const content = this.#inner instanceof FileStore ? this.#inner.file.readSync?.() : undefined
    if (!content) return
    this.#stored = this.#mirror.fill(Database.of(content))
    this.#isReplaced = true
  }

  /** @param isReloaded it came from outside: a reset restores it as it is now */
  setState(data: Data, isReloaded = false): void {
    this.#mirror.object.data = data
    this.#isReplaced = true
    this.#reloaded = isReloaded ? 'all' : undefined
  }

  /** Has what another has now, as if it came from outside. They share the copies of rows. */
  fillFrom(other: LiveStore): void {
    this.#reloaded = this.#mirror.fill(other.#mirror.copyNow()).database
    this.#isReplaced = true
  }

  follow(changed: () => void): () => void {
    return this.#inner.follow(changed)
  }

  check(): Promise<void> {
    return this.#inner.check()
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#inner.close()
  }

  /**
   * Has the engine take over what its owner did, with all that is stored if others changed that: the object's rows have no
   * ranks that commits could refer to. False if there was nothing.
   */
  async #takeOver(stored?: News): Promise<boolean> {
    await this.#begin()
    const news = stored?.kind === 'commits' ? await this.#inner.news(NEVER) : stored
    const content = news?.kind === 'content' ? news : undefined
    if (content) {
      const change = { before: this.#stored.database, after: Database.of(content.data) }
      this.#stored = await this.#mirror.write(change, this.#stored)
    }
    await this.#sync()
    if (!content && this.#isTaken) return false
    const { mirrored } = this.#mirror
    // What is not stored is no version.
    const own = this.#isReplaced && !this.#hasVersions ? {} : { version: this.#engine.history.version }
    // Of the mirror, which shares what did not change: the content itself would be a second copy of all rows.
    const reloaded = this.#reloaded === 'all' ? mirrored.database : this.#reloaded
    const origin = content?.origin ? this.#stored.database : reloaded
    this.#isReplaced = false
    this.#reloaded = undefined
    const restored = origin && { origin }
    await this.#engine.takeOver({
      ...(content ?? own),
      ...restored,
      kind: 'content',
      data: mirrored.database,
    })
    this.#taken = mirrored
    return true
  }

  async #begin(): Promise<void> {
    const before = this.#first
    const after = this.#engine.database
    this.#first = undefined
    if (!before || before === after) return
    this.#taken = await this.#mirror.write({ before, after }, this.#taken)
    this.#stored = this.#taken
  }

  #savingNow(): Saving {
    this.#saving = savingOf(this.data, this.#saving)
    return this.#saving
  }

  get #isTaken(): boolean {
    return this.#isClosed || (!this.#first && !this.#reloaded && this.#mirror.mirrored === this.#taken)
  }

  get #isUnsaved(): boolean {
    return this.#taken !== this.#stored
  }

  #sync(names?: readonly string[]): Promise<void> {
    this.#nextNames = names && this.#nextNames && new Set([...this.#nextNames, ...names])
    return this.#syncNext()
  }
}

/** No other process has the rows at these ranks: for them, everything was replaced. */
function asReplacement(next: Next): Next {
  return { ...next, commits: next.commits.map((commit) => ({ ...commit, effects: undefined })) }
}
