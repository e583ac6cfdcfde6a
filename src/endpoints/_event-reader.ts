import type { Response } from 'express'
import { StorageError } from '../catalogue/error-classes.ts'
import type { ChangeEvent, FeedEvent } from '../util/feed.ts'

export interface EventFilter {
  /** Whether it may hear anything still: a stream outlives the login that opened it. */
  isOpen(): Promise<boolean>
  /** Calls a function when it may hear nothing anymore, if that is known beforehand. Returns how to call that off. */
  onEnd(end: () => void): () => void
  readonly hearsRequests: boolean
  /** A change as far as the client may know of it; undefined if it may not. */
  hear(event: ChangeEvent): Promise<ChangeEvent | undefined>
}

export interface Missed {
  /** Undefined if they are not kept. */
  readonly events: readonly ChangeEvent[] | undefined
  readonly version: number
}

/** How long to wait before asking again what a client may hear, where nobody can tell now. */
const AGAIN_MS = 200

/** Requests that wait to be told. More than that are dropped, since nobody relies on hearing of all of them. */
const MOST_REQUESTS = 200

/** A client that does not read would never finish. */
export function endStream(res: Response): void {
  if (res.writableLength > 0) res.destroy()
  else res.end()
}

/** Writes events to one client, each change once and in order. */
export class EventReader {
  readonly #res: Response
  readonly #wanted: ReadonlySet<string> | undefined
  readonly #ear: EventFilter | undefined
  /** Changes are told in order, though it may take a while to find out what the client may know of each. */
  #turn: Promise<unknown> = Promise.resolve()
  #requests = 0
  /** Events that arrive while the missed ones are put together. */
  #waiting: FeedEvent[] | undefined
  /** The version of the last change that was written. */
  #last = 0

  constructor(res: Response, wanted: ReadonlySet<string> | undefined, ear: EventFilter | undefined) {
    this.#res = res
    this.#wanted = wanted
    this.#ear = ear
  }

  /** @param last the version that the client knows: this server may hear of it later than the client did */
  async resume(last: number, missed: Promise<Missed>): Promise<void> {
    const waiting: FeedEvent[] = []
    this.#waiting = waiting
    try {
      const { events, version } = await missed
      if (!events) this.#res.write(`id: ${version}\nevent: gone\ndata: ${JSON.stringify({ version })}\n\n`)
      this.#last = events ? last : version
      this.#waiting = undefined
      for (const event of [...(events ?? []), ...waiting]) this.hear(event)
    } catch {
      // Nobody can tell now. The client asks again, and still knows what it has heard.
      endStream(this.#res)
    }
  }

  hear(event: FeedEvent): void {
    if (this.#waiting) this.#waiting.push(event)
    else if (this.#isNew(event)) this.#hearNew(event)
  }

  #isNew(event: FeedEvent): boolean {
    if (event.type === 'request' || event.version === undefined) return true
    if (event.version <= this.#last) return false
    this.#last = event.version
    return true
  }

  #hearNew(event: FeedEvent): void {
    const ear = this.#ear
    if (!ear) {
      this.#tell(event)
      return
    }
    const requests = event.type === 'request' ? 1 : 0
    if (this.#requests + requests > MOST_REQUESTS) return
    this.#requests += requests
    this.#turn = this.#turn
      .then(() => this.#tellTo(ear, event))
      .catch(() => endStream(this.#res))
      .finally(() => {
        this.#requests -= requests
      })
  }

  /** While nobody can tell what the client may hear, it waits: a change that is left out would never be told. */
  async #tellTo(ear: EventFilter, event: FeedEvent): Promise<void> {
    while (!this.#isOver) {
      try {
        const isOpen = await ear.isOpen()
        const heard = isOpen && event.type === 'change' ? await ear.hear(event) : event
        if (this.#isOver) return
        if (!isOpen) endStream(this.#res)
        else if (heard) this.#tell(heard)
        return
      } catch (error) {
        if (!(error instanceof StorageError && error.code === 'SOURCE_UNAVAILABLE')) throw error
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref())
      }
    }
  }

  get #isOver(): boolean {
    return this.#res.writableEnded || this.#res.destroyed
  }

  #tell(event: FeedEvent): void {
    const wanted = this.#wanted
    if (!wanted || event.type === 'request') {
      this.#res.write(written(event))
      return
    }
    const resources = event.data.resources.filter(({ name }) => wanted.has(name))
    if (resources.length > 0) this.#res.write(textOf({ ...event, data: { ...event.data, resources } }))
  }
}

/** Serialized once, however many listen. */
function written(event: FeedEvent): string {
  const text = texts.get(event) ?? textOf(event)
  texts.set(event, text)
  return text
}

const texts = new WeakMap<FeedEvent, string>()

/** JSON contains no raw line breaks, so one `data:` line is enough. */
export function textOf(event: FeedEvent): string {
  const id = event.type === 'change' && event.version !== undefined ? `id: ${event.version}\n` : ''
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`
}
