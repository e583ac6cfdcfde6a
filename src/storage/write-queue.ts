import { setImmediate as nextTurn } from 'node:timers/promises'
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
      if (this.#waiting.length === 1) void this.#options.keeper.inTurn(() => this.#commitAll())
    })
  }

  /** Those who were all answered by one save write again at the same time: a moment's patience gathers them. */
  async #commitAll(): Promise<void> {
    await nextTurn()
    await this.#commit(this.#waiting.splice(0))
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const { base, keeper, refresh, onPublish, onChange } = this.#options
    const prepared: Waiting[] = []
    let changed: readonly string[] = []
    try {
      await keeper.exclusively(async () => {
        await refresh()
        const draft = new Draft(base)
        for (const waiting of batch) prepare(waiting, draft, prepared)
        if (draft.isChanged) {
          await keeper.save(draft.image())
          draft.publish()
          onPublish()
          changed = draft.changedNames()
        }
        for (const waiting of prepared) waiting.done()
      })
    } catch (failure) {
      // Those that were answered before stay answered: a promise settles once.
      for (const waiting of batch) waiting.fail(failure)
    }
    if (changed.length > 0) onChange(changed)
  }
}

function prepare(waiting: Waiting, draft: Draft, prepared: Waiting[]): void {
  try {
    waiting.apply(draft)
    prepared.push(waiting)
  } catch (reason) {
    waiting.fail(reason)
  }
}
