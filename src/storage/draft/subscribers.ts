import type { Commit, SubscribeOptions } from '../commit.ts'

interface Subscriber {
  readonly listener: (commit: Commit) => void
  readonly effects: boolean
}

/** Listeners for commits. */
export class Subscribers {
  readonly #all = new Set<Subscriber>()

  add(listener: (commit: Commit) => void, { effects = false }: SubscribeOptions = {}): () => void {
    const subscriber = { listener, effects }
    this.#all.add(subscriber)
    return () => void this.#all.delete(subscriber)
  }

  /** Whether any listener wants effects. */
  get wantsEffects(): boolean {
    for (const { effects } of this.#all) if (effects) return true
    return false
  }

  /** An error in a listener is reported as its own: the commit stands, and other listeners are still called. */
  tell(commit: Commit): void {
    for (const { listener } of this.#all) {
      try {
        listener(commit)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
