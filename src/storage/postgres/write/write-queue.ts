import type { Work } from '../../../work/in-slices.ts'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../../change.ts'
import type { Commit } from '../../commit.ts'
import { applyChange } from '../../local/apply-change.ts'
import { Draft } from '../../local/draft.ts'
import type { CompiledRules } from '../../rules/compiled-rules.ts'
import type { Data } from '../../types.ts'
import type { FetchedData } from '../view/fetched-data.ts'
import type { Versioned } from './commit-log.ts'
import type { OnRows } from './save-table.ts'
import type { Writer } from './writer.ts'

interface Waiting {
  /** Applies the change to a draft. May be called again with another draft. */
  apply(draft: Draft): Work<void>
  readonly note: unknown
  done(): void
  fail(reason: unknown): void
}

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
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** Resolves once the change is committed. */
  write<K extends ChangeKind>(change: Change<K>, options: WriteOptions): Promise<OutcomeByKind[K]> {
    return new Promise((resolve, reject) => {
      let outcome: OutcomeByKind[K]
      const applied = (draft: Draft) => applyChange(draft, change, options, this.#options.rules())
      this.#waiting.push({
        *apply(draft) {
          outcome = yield* applied(draft)
        },
        note: options.note,
        done: () => resolve(outcome),
        fail: reject,
      })
      if (this.#waiting.length === 1) this.#inTurn(() => this.#commit())
    })
  }

  replaceAll(data: Data, { note, isOutside }: WriteOptions, onRows?: OnRows): Promise<void> {
    return this.#inTurn(async () => {
      const about = { ...(note !== undefined && { note }), ...(isOutside && { isOutside }) }
      const { commits, base } = await this.#options.writer.replaceAll(data, about, onRows)
      await this.#options.tell(commits, base)
    })
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    for (let turn: unknown; turn !== this.#turn; ) {
      turn = this.#turn
      await this.#turn
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  async #commit(): Promise<void> {
    // Changes that arrive before the lock is acquired join the group.
    let group: readonly Waiting[] | undefined
    let prepared: Prepared = { commits: [], refusals: new Map() }
    try {
      const { commits, base } = await this.#options.writer.commit(async (data) => {
        group ??= this.#waiting.splice(0)
        const all = group
        let draft = new Draft(data)
        prepared = await data.complete(() => {
          draft = new Draft(data)
          return prepare(all, draft)
        })
        draft.publish()
        return prepared.commits
      })
      await this.#options.tell(commits, base)
      settle(group ?? [], prepared.refusals)
    } catch (failure) {
      settle(group ?? this.#waiting.splice(0), prepared.refusals, failure)
    }
  }
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

interface Prepared {
  readonly commits: readonly Commit[]
  /** Errors of single changes: only their callers see them. */
  readonly refusals: ReadonlyMap<Waiting, unknown>
}

/** Applies the changes to the draft, each one entirely or not at all. */
function* prepare(group: readonly Waiting[], draft: Draft): Work<Prepared> {
  const commits: Commit[] = []
  const refusals = new Map<Waiting, unknown>()
  for (const waiting of group) {
    try {
      yield* waiting.apply(draft)
      const names = draft.touchedNames()
      // Others may want them, even if nobody here does.
      const effects = names.length > 0 ? yield* draft.effects() : []
      draft.settle()
      const { note } = waiting
      if (names.length > 0) commits.push({ names, effects, ...(note !== undefined && { note }) })
    } catch (reason) {
      draft.rollBack()
      refusals.set(waiting, reason)
    }
    yield
  }
  return { commits, refusals }
}

function settle(group: readonly Waiting[], refusals: ReadonlyMap<Waiting, unknown>, failure?: unknown): void {
  for (const waiting of group) {
    if (failure !== undefined) waiting.fail(failure)
    else if (refusals.has(waiting)) waiting.fail(refusals.get(waiting))
    else waiting.done()
  }
}
