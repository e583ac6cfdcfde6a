import { StorageError } from '../../errors.ts'
import { isWork, nextTurn, type Work, workAtOnce, workInSlices } from '../../work/in-slices.ts'
import { ChangedOutside } from '../file/changed-outside.ts'
import { Draft, type DraftBase } from './draft.ts'
import type { Keeper } from './keeper.ts'

export interface WriteQueueOptions {
  /** What writes change. */
  readonly base: DraftBase
  readonly keeper: Keeper
  /** Takes over what others wrote, before anything is changed. */
  readonly refresh: () => Promise<unknown>
  /** Called in the moment in which a change can be read. */
  readonly onPublish: () => void
  /** Hears what changed, when those who wrote it have their answers. */
  readonly onChange: (names: readonly string[]) => void
}

interface Waiting {
  /** Prepares the change. May be called again, on another draft. */
  apply(draft: Draft): Work<void>
  done(): void
  fail(reason: unknown): void
}

/** How often a batch is made anew because others changed the data while it was being saved. */
const MOST_ROUNDS = 8

/** Writes that wait to be saved: those that arrive while a save is under way share the next one. */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  #waiting: Waiting[] = []

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** Resolves, with what `apply` returned, once the change is saved. */
  write<T>(apply: Apply<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T
      this.#waiting.push({
        *apply(draft) {
          result = yield* applying(apply, draft)
        },
        done: () => resolve(result),
        fail: reject,
      })
      if (this.#waiting.length === 1) void this.#options.keeper.inTurn(() => this.#commit())
    })
  }

  /** What arrives until the file is ours is saved along: those who were answered by one save often ask again together. */
  async #commit(): Promise<void> {
    let batch: readonly Waiting[] | undefined
    /** What is wrong with single writes of the batch, which their callers alone are told. */
    let refusals: ReadonlyMap<Waiting, unknown> = new Map()
    let changed: readonly string[] = []
    const { base, keeper, refresh, onPublish, onChange } = this.#options
    const attempt = () =>
      keeper.exclusively(async () => {
        await refresh()
        batch ??= this.#waiting.splice(0)
        const draft = new Draft(base)
        const preparing = prepare(batch, draft)
        // Who changes the data by himself must not come in between: what is prepared would not fit any more.
        refusals = base.isOwned ? await workInSlices(preparing) : workAtOnce(preparing)
        if (draft.isChanged) {
          await keeper.save(draft.image())
          draft.publish()
          onPublish()
          changed = draft.changedNames()
        }
        await settle(batch, refusals)
      })
    try {
      await again(attempt)
    } catch (failure) {
      // Where the file was not to be had, all that wait are told. Those that were answered before stay answered.
      await settle(batch ?? this.#waiting.splice(0), refusals, failure)
    }
    if (changed.length > 0) onChange(changed)
  }
}

/** What a write does: at a go, or as work to be done in slices. */
export type Apply<T> = (draft: Draft) => T | Work<T>

export function* applying<T>(apply: Apply<T>, draft: Draft): Work<T> {
  const result = apply(draft)
  return isWork(result) ? yield* result : result
}

/** An edit from outside that lands while a save is under way must neither be lost nor undo what is being saved. */
async function again(attempt: () => Promise<void>): Promise<void> {
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ChangedOutside)) throw error
    }
  }
  throw new StorageError(
    'WRITE_FAILED',
    'The data file is being changed by another program again and again. Nothing was changed: try again when it is done.',
  )
}

/** Carries the writes over into the draft, and returns those that were refused. */
function* prepare(batch: readonly Waiting[], draft: Draft): Work<ReadonlyMap<Waiting, unknown>> {
  const refusals = new Map<Waiting, unknown>()
  for (const waiting of batch) {
    try {
      yield* waiting.apply(draft)
    } catch (reason) {
      refusals.set(waiting, reason)
    }
    yield
  }
  return refusals
}

/** So many are told before others may have their turn: each then writes its answer out. */
const TOLD_AT_ONCE = 16

/** Who was told once is not told again. */
async function settle(
  batch: readonly Waiting[],
  refusals: ReadonlyMap<Waiting, unknown>,
  failure?: unknown,
): Promise<void> {
  for (const [at, waiting] of batch.entries()) {
    if (at > 0 && at % TOLD_AT_ONCE === 0) await nextTurn()
    if (refusals.has(waiting)) waiting.fail(refusals.get(waiting))
    else if (failure === undefined) waiting.done()
    else waiting.fail(failure)
  }
}
