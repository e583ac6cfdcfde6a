import { StorageError } from '../../errors.ts'
import { nextTurn, type Work, workInSlices, workUndisturbed } from '../../work/in-slices.ts'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../change.ts'
import { applyChange } from '../draft/apply-change.ts'
import { Draft } from '../draft/draft.ts'
import { committed, NOTHING, prepare, type Waiting } from '../draft/group.ts'
import type { Subscribers } from '../draft/subscribers.ts'
import type { MaybePromise } from '../engine.ts'
import { ChangedOutside } from '../file/changed-outside.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import type { Keeper } from './keeper.ts'
import type { LocalData } from './local-data.ts'

export interface WriteQueueOptions {
  readonly local: LocalData
  readonly keeper: Keeper
  readonly subscribers: Subscribers
  /** What changes have to obey at present. */
  readonly rules: () => CompiledRules | undefined
  /** Loads what others wrote, before anything is changed. */
  readonly refresh: () => Promise<unknown>
}

/** How often a group is retried because others changed the data while it was being saved. */
const MOST_ROUNDS = 8

/** Changes waiting to be saved: those that arrive during a save share the next one (group commit). */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  #waiting: Waiting[] = []

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** Resolves once the change is saved. */
  write<K extends ChangeKind>(change: Change<K>, options: WriteOptions): Promise<OutcomeByKind[K]> {
    return committed(change, options, this.#options.rules, (waiting) => {
      this.#waiting.push(waiting)
      if (this.#waiting.length === 1) void this.#options.keeper.inTurn(() => this.#commit())
    })
  }

  /** Dry run: what a change would resolve with. */
  async pretend<K extends ChangeKind>(change: Change<K>, options: WriteOptions): Promise<OutcomeByKind[K]> {
    const { local, rules } = this.#options
    return work(local, applyChange(new Draft(local), change, options, rules()))
  }

  /**
   * Changes that arrive before the lock is acquired join the group: clients answered by one save often write again
   * together.
   */
  async #commit(): Promise<void> {
    let group: readonly Waiting[] | undefined
    let prepared = NOTHING
    const { local, keeper, subscribers, refresh } = this.#options
    const attempt = () =>
      keeper.exclusively(async () => {
        await refresh()
        group ??= this.#waiting.splice(0)
        const draft = new Draft(local)
        const preparing = work(local, prepare(group, draft, subscribers.wantsEffects))
        prepared = preparing instanceof Promise ? await preparing : preparing
        if (draft.isChanged) {
          await keeper.save(() => draft.image())
          draft.publish()
          local.noteChange()
          for (const commit of prepared.commits) subscribers.tell(commit)
        }
        await settle(group, prepared.refusals)
      })
    try {
      await retry(attempt)
    } catch (failure) {
      // If the lock could not be acquired, every waiting change fails. Changes already settled stay settled.
      await settle(group ?? this.#waiting.splice(0), prepared.refusals, failure)
    }
  }
}

/** If others may change the data directly, the work must not yield: the draft would no longer fit the data. */
function work<Result>(local: LocalData, preparing: Work<Result>): MaybePromise<Result> {
  return local.isOwned ? workInSlices(preparing) : workUndisturbed(preparing)
}

/** An outside edit during a save must neither be lost nor undo what is being saved. */
async function retry(attempt: () => Promise<void>): Promise<void> {
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ChangedOutside)) throw error
    }
  }
  throw new StorageError(
    'WRITE_FAILED',
    'The data file keeps being changed by another program. Nothing was changed: try again when it is done.',
  )
}

/** Number of callers resolved before yielding: each of them then writes its response. */
const TOLD_TOGETHER = 16

/** A caller is settled only once. */
async function settle(
  group: readonly Waiting[],
  refusals: ReadonlyMap<Waiting, unknown>,
  failure?: unknown,
): Promise<void> {
  for (const [at, waiting] of group.entries()) {
    if (at > 0 && at % TOLD_TOGETHER === 0) await nextTurn()
    if (refusals.has(waiting)) waiting.fail(refusals.get(waiting))
    else if (failure === undefined) waiting.done()
    else waiting.fail(failure)
  }
}
