import type { Commit, SubscribeOptions } from '../../commit.ts'
import { Subscribers } from '../../draft/subscribers.ts'

/** Who hears commits, each as asked for: with effects, or with their places in the history too. */
export class Audience {
  readonly #plain = new Subscribers()
  readonly #followers = new Subscribers()

  add(listener: (commit: Commit) => void, options?: SubscribeOptions): () => void {
    return (options?.logged ? this.#followers : this.#plain).add(listener, options)
  }

  tell(commit: Commit): void {
    const { logged: _, effects, ...plain } = commit
    this.#plain.tell(effects && this.#plain.wantsEffects ? { ...plain, effects } : plain)
    this.#followers.tell(commit)
  }
}
