import type { Exchange } from '../catalogue/exchange.ts'

/** `count` is absent for a single object, or if the collection is gone or cannot be counted. */
export interface Changed {
  readonly name: string
  readonly count?: number
}

export type FeedEvent = { readonly type: 'request'; readonly data: Exchange } | ChangeEvent | ServiceEvent

export interface ChangeEvent {
  readonly type: 'change'
  readonly data: { readonly time: string; readonly resources: readonly Changed[] }
  readonly version?: number
}

/** The description of the server, `GET /__service`, has changed. */
interface ServiceEvent {
  readonly type: 'service'
  readonly data: { readonly time: string }
}

export interface FeedListener {
  onEvent(event: FeedEvent): void
  end(): void
  /** Whether it gets requests, too. @default true */
  readonly wantsRequests?: boolean
}

/** More pages than anyone has open; each costs every request a little. */
const MOST_LISTENERS = 50

/** Passes events to listeners. While none wants requests, responses may be sent again without it. */
export class Feed {
  readonly #listeners = new Set<FeedListener>()
  #requestListeners = 0

  /** A field, since every request reads it. */
  wantsRequests = false
  hasListeners = false

  /** Returns how to unsubscribe. If there are too many listeners, the oldest is dropped. */
  listen(listener: FeedListener): () => void {
    const [first] = this.#listeners
    if (first && this.#listeners.size >= MOST_LISTENERS) {
      this.#remove(first)
      first.end()
    }
    this.#listeners.add(listener)
    this.#count(listener, 1)
    return () => this.#remove(listener)
  }

  #remove(listener: FeedListener): void {
    if (this.#listeners.delete(listener)) this.#count(listener, -1)
  }

  #count({ wantsRequests }: FeedListener, by: number): void {
    this.hasListeners = this.#listeners.size > 0
    if (wantsRequests !== false) this.#requestListeners += by
    this.wantsRequests = this.#requestListeners > 0
  }

  emit(event: FeedEvent): void {
    for (const listener of this.#listeners) {
      if (event.type !== 'request' || listener.wantsRequests !== false) listener.onEvent(event)
    }
  }

  /** Disconnects all listeners, which would keep the server from closing. */
  close(): void {
    for (const listener of this.#listeners) {
      this.#remove(listener)
      listener.end()
    }
  }
}
