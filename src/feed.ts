import type { Exchange } from './exchange.ts'

/** A resource that changed, and how many items it has now; no count when it is a single object or gone. */
export interface Changed {
  readonly name: string
  readonly count?: number
}

/** What happens on the server, as those who listen are told. */
export type FeedEvent =
  | { readonly type: 'request'; readonly data: Exchange }
  | {
      readonly type: 'change'
      readonly data: { readonly time: string; readonly resources: readonly Changed[] }
    }

export interface FeedListener {
  hear(event: FeedEvent): void
  /** The server closes: nothing more will come. */
  end(): void
}

/** Far more pages than anybody has open; each costs every request a little. */
const MOST_LISTENERS = 50

/** Requests kept for somebody who opens the page a moment too late, or loads it again. */
const KEPT = 200

/**
 * Passes on what happens to those who listen. While nobody does, `isHeard` is false and tellers need not
 * gather anything: that is what keeps the recorder free of charge.
 */
export class Feed {
  readonly #listeners = new Set<FeedListener>()
  #recent: Exchange[] = []

  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  /** The last requests that were heard, oldest first. */
  get recent(): readonly Exchange[] {
    return this.#recent
  }

  /**
   * The listener hears every event from now on, until the returned function is called. When there are too
   * many, the one that came first goes.
   */
  listen(listener: FeedListener): () => void {
    const [first] = this.#listeners
    if (first && this.#listeners.size >= MOST_LISTENERS) {
      this.#listeners.delete(first)
      first.end()
    }
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  tell(event: FeedEvent): void {
    if (event.type === 'request') {
      this.#recent.push(event.data)
      if (this.#recent.length > KEPT) this.#recent.shift()
    }
    for (const listener of this.#listeners) listener.hear(event)
  }

  /** Sends everybody home, so that nobody's open ear keeps the server from closing. */
  close(): void {
    for (const listener of this.#listeners) listener.end()
    this.#listeners.clear()
    this.#recent = []
  }
}
