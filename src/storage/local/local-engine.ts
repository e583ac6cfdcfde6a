import { workInSlices } from '../../work/in-slices.ts'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../change.ts'
import type { Commit, SubscribeOptions } from '../commit.ts'
import { replacementIn } from '../draft/apply-change.ts'
import { Subscribers } from '../draft/subscribers.ts'
import type { Engine, Fork, MaybePromise, ReadOptions } from '../engine.ts'
import { bytesIn, copyOf } from '../fork/data-origin.ts'
import { hiddenIn, hidesSame } from '../hidden/conceal.ts'
import type { FoundByKind, Question, QuestionKind, Reading } from '../question.ts'
import type { Rules } from '../resource-rules.ts'
import { CompiledRules } from '../rules/compiled-rules.ts'
import type { Data, Naming } from '../types.ts'
import { Guard } from '../view/guard.ts'
import { ForkedData } from './forked-data.ts'
import { Keeper, type Medium } from './keeper.ts'
import { LiveData } from './live-data.ts'
import { type Holder, LocalData } from './local-data.ts'
import { readQuestion } from './reading/read-question.ts'
import { WriteQueue } from './write-queue.ts'

export interface LocalEngineOptions extends Naming {
  /** Where the data is stored. Without one it lives in memory only. */
  readonly medium?: Medium | undefined
  /** The external owner of the data, if any. */
  readonly holder?: Holder | undefined
  /**
   * Whether only the engine holds the data, so that it may keep indexes and cached answers. Ignored if there is a
   * holder.
   * @default false
   */
  readonly isOwned?: boolean
}

/**
 * The in-process engine: data in memory, optionally backed by a file. Writes queue up; those that arrive during a save
 * share the next one (group commit).
 */
export class LocalEngine implements Engine {
  /** Outside the engine contract: direct access to the data. */
  readonly live: LiveData
  /** For the engine's own parts. Everyone else uses the contract. */
  readonly local: LocalData
  readonly #keeper: Keeper
  readonly #writes: WriteQueue
  readonly #subscribers = new Subscribers()
  #rules: () => CompiledRules | undefined = () => undefined

  constructor(data: Data | LocalData, { medium, holder, isOwned = false, ...naming }: LocalEngineOptions) {
    this.local =
      data instanceof LocalData
        ? data
        : new LocalData(data, { ...naming, holder, isOwned: isOwned && holder === undefined })
    this.#keeper = new Keeper(medium, this.local.data)
    this.#writes = new WriteQueue({
      local: this.local,
      keeper: this.#keeper,
      subscribers: this.#subscribers,
      rules: () => this.#rules(),
      refresh: () => this.#takeOver(),
    })
    this.live = new LiveData(this.local, this.#keeper, (commit) => this.#subscribers.tell(commit))
  }

  get naming(): Naming {
    return this.local.naming
  }

  names(): readonly string[] {
    return this.local.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.local.kindOf(name)
  }

  read<K extends QuestionKind>(
    question: Question<K>,
    options: ReadOptions = {},
  ): MaybePromise<Reading<FoundByKind[K]>> {
    return readQuestion(this.local, question, options)
  }

  async write<K extends ChangeKind>(
    change: Change<K>,
    options: WriteOptions = {},
  ): Promise<OutcomeByKind[K]> {
    const data = replacementIn(change)
    if (data && options.view) new Guard(options.view).checkAdmin()
    if (data && !options.dryRun) await this.#replaceAll(data, options)
    return data || options.dryRun
      ? this.#writes.pretend(change, options)
      : this.#writes.write(change, options)
  }

  subscribe(listener: (commit: Commit) => void, options?: SubscribeOptions): () => void {
    return this.#subscribers.add(listener, options)
  }

  useRules(rules: Rules | undefined): void {
    const compiled = rules && new CompiledRules(rules)
    this.#rules = () => compiled
    const hidden = hiddenIn(rules)
    if (hidesSame(hidden, this.local.hidden)) return
    const hide = () => this.#subscribers.tell({ names: this.local.hide(hidden) })
    // Not while changes are being saved, which apply to the rows as they are.
    if (this.#keeper.isIdle) hide()
    else void this.#keeper.inTurn(async () => hide())
  }

  declares(collection: string, field: string): boolean {
    return this.#rules()?.of(collection)?.names.has(field) === true
  }

  isStable(): boolean {
    return this.local.isOwned
  }

  refresh(): Promise<boolean> {
    return this.#keeper.inTurn(() => this.#takeOver())
  }

  close(): Promise<void> {
    return this.#keeper.idle()
  }

  /** Costs next to nothing while only the engine holds the data. If others hold it, every row is copied. */
  fork(): Fork {
    const { naming, createId, isOwned } = this.local
    const { hidden } = this.local
    const source = isOwned ? this.local : new LocalData(copyOf(this.local.data), { ...naming, isOwned: true })
    source.hide(hidden)
    const data = new ForkedData(source.origin(), naming, hidden)
    data.createId = createId
    const fork = new ForkedEngine(data)
    // Until it gets rules of its own.
    fork.#rules = () => this.#rules()
    return fork
  }

  /** Called before other content is loaded. */
  protected weigh(_data: Data): MaybePromise<void> {}

  /** Loads other content, after everything that was asked for so far. */
  protected load(put: () => readonly string[], note: unknown): Promise<void> {
    return this.#keeper.inTurn(async () => {
      this.#subscribers.tell({ names: put(), ...(note !== undefined && { note }) })
    })
  }

  /** Does not read the current content first, so it can also replace a file that cannot be read. */
  #replaceAll(data: Data, { note, isOutside }: WriteOptions): Promise<void> {
    return this.#keeper.inTurn(async () => {
      await this.#keeper.exclusively(() => this.#keeper.save(() => data))
      await this.weigh(data)
      const names = this.local.adopt(await workInSlices(this.local.prepared(data)))
      this.#subscribers.tell({ names, ...(note !== undefined && { note }), ...(isOutside && { isOutside }) })
    })
  }

  async #takeOver(): Promise<boolean> {
    const news = await this.#keeper.news()
    const prepared = news && (await workInSlices(this.local.prepared(news)))
    if (prepared) this.#subscribers.tell({ names: this.local.adopt(prepared), isOutside: true })
    return news !== undefined
  }
}

/** The engine of a fork. */
class ForkedEngine extends LocalEngine implements Fork {
  readonly #data: ForkedData

  constructor(data: ForkedData) {
    super(data, data.naming)
    this.#data = data
  }

  get bytes(): number {
    return this.#data.bytes
  }

  protected override async weigh(data: Data): Promise<void> {
    this.#data.expect(await workInSlices(bytesIn(data)))
  }

  reset({ note }: Pick<WriteOptions, 'note'> = {}): Promise<void> {
    return this.load(() => this.#data.reset(), note)
  }
}

/** A copy of any engine's data: by its own means, else by reading everything. */
export function forkEngine(engine: Engine): MaybePromise<Fork> {
  return engine.fork?.() ?? readFork(engine)
}

async function readFork(engine: Engine): Promise<Fork> {
  const { found, isStable } = await engine.read({ kind: 'database' })
  return new LocalEngine(isStable() ? found : copyOf(found), { ...engine.naming, isOwned: true }).fork()
}
