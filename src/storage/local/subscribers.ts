import type { Commit, SubscribeOptions } from '../engine.ts'

interface Subscriber {
  readonly listener: (commit: Commit) => void
  readonly effects: boolean
}

/** Those who listen for commits. */
export class Subscribers {
  readonly #all = new Set<Subscriber>()

  add(listener: (commit: Commit) => void, { effects = false }: SubscribeOptions = {}): () => void {
    const subscriber = { listener, effects }
    this.#all.add(subscriber)
    return () => void this.#all.delete(subscriber)
  }

  /** Whether anybody listens for effects. */
  get wantsEffects(): boolean {
    for (const { effects } of this.#all) if (effects) return true
    return false
  }

  /** What a listener throws is its own fault, and reported as such: the commit stands, and others hear of it. */
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
