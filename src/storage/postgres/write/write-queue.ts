import type { Work } from '../../../work/in-slices.ts'
import { Turns } from '../../../work/turns.ts'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../../change.ts'
import type { Commit, Direction, MoveOptions } from '../../commit.ts'
import { applyChange } from '../../draft/apply-change.ts'
import { Draft } from '../../draft/draft.ts'
import { committed, NOTHING, prepare, type Waiting } from '../../draft/group.ts'
import type { Counts } from '../../engine.ts'
import type { Incoming } from '../../json/incoming.ts'
import { changeFor } from '../../past/change-for.ts'
import type { Entry } from '../../past/kept.ts'
import type { CompiledRules } from '../../rules/compiled-rules.ts'
import type { Versioned } from '../log/read-commits.ts'
import type { FetchedData } from '../view/fetched-data.ts'
import type { OnRows } from './replace-all.ts'
import type { Writer } from './writer.ts'

export interface WriteQueueOptions {
  readonly writer: Writer
  readonly rules: () => CompiledRules | undefined
  /** Called with the commits of a transaction once it is committed; `base` is the version before them. */
  readonly tell: (commits: readonly Versioned[], base: number) => Promise<void>
}

/** Changes that wait for a transaction: those that arrive during one share the next (group commit). */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  #waiting: Waiting[] = []
  /** Those that look for rows by a filter. */
  readonly #filtered = new WeakSet<Waiting>()
  readonly #turns = new Turns()

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** Resolves once the change is committed. */
  write<K extends ChangeKind>(change: Change<K>, options: WriteOptions): Promise<OutcomeByKind[K]> {
    return committed(change, options, this.#options.rules, (waiting) => {
      if (isFiltered(change)) this.#filtered.add(waiting)
      this.#waiting.push(waiting)
      if (this.#waiting.length === 1) this.#turns.take(() => this.#commit())
    })
  }

  replaceAll(data: Incoming, { note, isOutside }: WriteOptions, onRows?: OnRows): Promise<void> {
    return this.#turns.take(async () => {
      const about = { ...(note !== undefined && { note }), ...(isOutside && { isOutside }) }
      const { commits, base } = await this.#options.writer.replaceAll(data, about, onRows)
      await this.#options.tell(commits, base)
    })
  }

  /** Goes back to an image. Undefined if there is none of that name. */
  restore(name: string, note?: WriteOptions['note']): Promise<Counts | undefined> {
    return this.#turns.take(async () => {
      const restored = await this.#options.writer.restore(name, { ...(note !== undefined && { note }) })
      if (!restored) return undefined
      await this.#options.tell(restored.commits, restored.base)
      const all = [...restored.catalogue.resources.values()].filter(({ kind }) => kind === 'collection')
      return Object.fromEntries(all.map(({ name, rows }) => [name, rows]))
    })
  }

  /** Undoes or redoes changes, in a transaction of its own: which ones is found under the lock. */
  move(direction: Direction, { to, note }: MoveOptions): Promise<readonly number[]> {
    return this.#turns.take(async () => {
      let changes: readonly Entry[] = []
      const { commits, base } = await this.#options.writer.commit(async (data, past) => {
        changes = await past.wayTo(to, direction)
        if (changes.length === 0) return []
        const change = changeFor(direction, await past.effectsOf(changes))
        let draft = new Draft(data)
        const commit = await data.complete(() => {
          draft = new Draft(data)
          return this.#apply(change, draft)
        })
        draft.publish()
        // Even if nothing changes, since the changes cancel each other out: others have to know where this leads.
        return [{ commit: { ...commit, ...(note !== undefined && { note }) }, move: { direction, changes } }]
      })
      await this.#options.tell(commits, base)
      return changes.map(({ version }) => version)
    })
  }

  /** Resolves when nothing is left to do. */
  idle(): Promise<void> {
    return this.#turns.idle()
  }

  *#apply(change: Change, draft: Draft): Work<Commit> {
    yield* applyChange(draft, change, {}, this.#options.rules())
    const names = draft.touchedNames()
    const effects = names.length > 0 ? yield* draft.effects() : []
    draft.settle()
    return { names, effects }
  }

  /**
   * Those that share a transaction. A filter comes first: in rows that were changed before it, only JavaScript could find
   * what passes, and all of them would have to be fetched.
   */
  #nextGroup(): readonly Waiting[] {
    const next = this.#waiting.findIndex((waiting, at) => at > 0 && this.#filtered.has(waiting))
    const group = this.#waiting.splice(0, next < 0 ? this.#waiting.length : next)
    if (this.#waiting.length > 0) this.#turns.take(() => this.#commit())
    return group
  }

  async #commit(): Promise<void> {
    // Changes that arrive before the lock is acquired join the group.
    let group: readonly Waiting[] | undefined
    let prepared = NOTHING
    try {
      const { commits, base } = await this.#options.writer.commit(async (data) => {
        group ??= this.#nextGroup()
        const all = group
        let draft = new Draft(data)
        prepared = await data.complete(() => {
          draft = new Draft(data)
          // Others may want effects, even if nobody here does.
          return prepare(all, draft, true)
        })
        draft.publish()
        return prepared.commits.map((commit) => ({ commit }))
      })
      await this.#options.tell(commits, base)
      settle(group ?? [], prepared.refusals)
    } catch (failure) {
      settle(group ?? this.#waiting.splice(0), prepared.refusals, failure)
    }
  }
}

interface Part {
  readonly kind: ChangeKind
  /** Of a batch. */
  readonly changes?: readonly Part[]
}

function isFiltered({ kind, changes = [] }: Part): boolean {
  return kind.endsWith('-where') || changes.some(isFiltered)
}

/** What a change would resolve with. */
export function pretend<K extends ChangeKind>(
  data: FetchedData,
  change: Change<K>,
  options: WriteOptions,
  rules: CompiledRules | undefined,
): Promise<OutcomeByKind[K]> {
  return data.complete(() => applyChange(new Draft(data), change, options, rules))
}

function settle(group: readonly Waiting[], refusals: ReadonlyMap<Waiting, unknown>, failure?: unknown): void {
  for (const waiting of group) {
    if (failure !== undefined) waiting.fail(failure)
    else if (refusals.has(waiting)) waiting.fail(refusals.get(waiting))
    else waiting.done()
  }
}
