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
  /** Prepares the change; what it throws is the answer to its caller alone. */
  apply(draft: Draft): void
  done(): void
  fail(reason: unknown): void
}

/** Writes that wait to be saved: those that arrive while a save is under way share the next one. */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  #waiting: Waiting[] = []

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** Resolves, with what `apply` returned, once the change is saved. */
  write<T>(apply: (draft: Draft) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T
      this.#waiting.push({
        apply: (draft) => {
          result = apply(draft)
        },
        done: () => resolve(result),
        fail: reject,
      })
      if (this.#waiting.length === 1) void this.#options.keeper.inTurn(() => this.#commit())
    })
  }

  /** What arrives until the file is ours is saved along: those who were answered by one save often ask again together. */
  async #commit(): Promise<void> {
    const { base, keeper, refresh, onPublish, onChange } = this.#options
    let batch: readonly Waiting[] = []
    let changed: readonly string[] = []
    try {
      await keeper.exclusively(async () => {
        await refresh()
        batch = this.#waiting.splice(0)
        const draft = new Draft(base)
        const prepared = batch.filter((waiting) => isPrepared(waiting, draft))
        if (draft.isChanged) {
          await keeper.save(draft.image())
          draft.publish()
          onPublish()
          changed = draft.changedNames()
        }
        for (const waiting of prepared) waiting.done()
      })
    } catch (failure) {
      // Where the file was not to be had, all that wait are told. Those that were answered before stay answered.
      const failed = batch.length > 0 ? batch : this.#waiting.splice(0)
      for (const waiting of failed) waiting.fail(failure)
    }
    if (changed.length > 0) onChange(changed)
  }
}

/** False where the change was refused, which its caller has then been told. */
function isPrepared(waiting: Waiting, draft: Draft): boolean {
  try {
    waiting.apply(draft)
    return true
  } catch (reason) {
    waiting.fail(reason)
    return false
  }
}
