import type { Response } from 'express'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import type { ChangeEvent, FeedEvent } from '../../core/kernel/util/feed.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'

export interface EventFilter {
  /** Throws the refusal of a read if none of these resources can be read. */
  checkReadable(names: ReadonlySet<string>): void
  isOpen(): Promise<boolean>
  /** Calls a function when the login expires, if that is known beforehand. Returns how to cancel that. */
  onEnd(end: () => void): () => void
  readonly includesRequests: boolean
  readable(event: ChangeEvent): Promise<ChangeEvent | undefined>
}

export interface Missed {
  /** Undefined if the history does not reach back that far. */
  readonly events: readonly ChangeEvent[] | undefined
  readonly version: number
}

const RETRY_MS = 200

/** Requests that wait for their turn. Further ones are dropped: unlike changes, they may be incomplete. */
const MOST_REQUESTS = 200

export function endStream(res: Response): void {
  if (res.writableLength > 0) res.destroy()
  else res.end()
}

/** Writes events to one client, each change once and in order. */
export class EventReader {
  readonly #res: Response
  readonly #resources: ReadonlySet<string> | undefined
  readonly #filter: EventFilter | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #requests = 0
  #last = 0

  constructor(res: Response, resources: ReadonlySet<string> | undefined, filter: EventFilter | undefined) {
    this.#res = res
    this.#resources = resources
    this.#filter = filter
  }

  /** @param last the last version that the client received, which may be newer than this server's */
  resume(last: number, missed: Promise<Missed>): void {
    // If the database cannot be reached, the client reconnects with the same version.
    this.#take(async () => {
      const { events, version } = await missed
      if (!events) this.#res.write(`id: ${version}\nevent: gone\ndata: ${JSON.stringify({ version })}\n\n`)
      this.#last = events ? last : version
      for (const event of events ?? []) await this.#pass(event)
    })
  }

  send(event: FeedEvent): void {
    const requests = event.type === 'request' ? 1 : 0
    if (this.#requests + requests > MOST_REQUESTS) return
    this.#requests += requests
    this.#take(async () => {
      this.#requests -= requests
      await this.#pass(event)
    })
  }

  /** Queues work, run one after the other. */
  #take(work: () => Promise<void>): void {
    this.#turn = this.#turn.then(work).catch(() => endStream(this.#res))
  }

  async #pass(event: FeedEvent): Promise<void> {
    if (event.type === 'change' && event.version !== undefined) {
      if (event.version <= this.#last) return
      this.#last = event.version
    }
    const readable = this.#filter ? await this.#readable(this.#filter, event) : event
    if (readable && !this.#isOver) this.#write(readable)
  }

  /** Waits while the filter cannot decide: a change that is skipped would never be sent. */
  async #readable(filter: EventFilter, event: FeedEvent): Promise<FeedEvent | undefined> {
    while (!this.#isOver) {
      try {
        if (await filter.isOpen()) return event.type === 'change' ? await filter.readable(event) : event
        endStream(this.#res)
      } catch (error) {
        if (!(error instanceof StorageError && error.code === 'SOURCE_UNAVAILABLE')) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      }
    }
    return undefined
  }

  get #isOver(): boolean {
    return this.#res.writableEnded || this.#res.destroyed
  }

  #write(event: FeedEvent): void {
    const names = this.#resources
    if (!names || event.type === 'request') {
      this.#res.write(sharedText(event))
      return
    }
    if (event.type === 'service') return
    const resources = event.data.resources.filter(({ name }) => names.has(name))
    if (resources.length > 0) this.#res.write(textOf({ ...event, data: { ...event.data, resources } }))
  }
}

/** Serialized once for all listeners. */
function sharedText(event: FeedEvent): string {
  return getOrMake(texts, event, () => textOf(event))
}

const texts = new WeakMap<FeedEvent, string>()

/** JSON contains no raw line breaks, so one `data:` line is enough. */
function textOf(event: FeedEvent): string {
  const id = event.type === 'change' && event.version !== undefined ? `id: ${event.version}\n` : ''
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`
}
