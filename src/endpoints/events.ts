import { type Request, type Response, Router } from 'express'
import type { ChangeEvent, Feed, FeedEvent } from '../feed.ts'
import type { MaybePromise } from '../storage/engine.ts'
import { ownUrl } from './_own-url.ts'

export interface EventsOptions {
  /**
   * Milliseconds between heartbeats, which keep proxies from closing an idle connection.
   * @default 15000
   */
  heartbeat?: number
  /** The version of the newest change. A client that has heard of none yet resumes from there. */
  version?: () => number
  /** The changes after a version. */
  missed?: (version: number) => Promise<Missed>
  /** What the client of a request may hear. Everything, by default. */
  earOf?: ((req: Request) => Ear) | undefined
}

/** What a client may hear. */
export interface Ear {
  /** Whether it may hear anything still: a stream outlives the login that opened it. */
  isOpen(): MaybePromise<boolean>
  readonly hearsRequests: boolean
  /** A change as far as the client may know of it; undefined if it may not. */
  hear(event: ChangeEvent): MaybePromise<ChangeEvent | undefined>
}

export interface Missed {
  /** Undefined if they are not kept. */
  readonly events: readonly ChangeEvent[] | undefined
  /** The current version. */
  readonly version: number
}

/** Bytes to buffer for a reader before it counts as gone. */
const PATIENCE = 1024 * 1024

/** Bytes of past requests to start with: few enough that the next event does not find the reader already slow. */
const MOST_BACKLOG = PATIENCE / 2

/**
 * `GET /__events`: server-sent events, `request` for each answered request and `change` for each change of the data.
 * Starts with a backlog of recent requests, as many as fit in the buffer; with `Last-Event-ID`, with the changes since
 * that version, or `gone`. `?resource=products` hears changes of these resources only.
 */
export function events(feed: Feed, options: EventsOptions = {}): Router {
  const { heartbeat = 15_000, version, missed, earOf } = options
  const router = Router()

  router.get('/__events', ownUrl, function events(req, res) {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // No compression along the way: it would hold events back.
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    })
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    const wanted = resourcesIn(req)
    const ear = earOf?.(req)
    const reader = new Reader(res, wanted, ear)
    const wantsRequests = wanted === undefined && ear?.hearsRequests !== false
    const last = lastEventId(req)
    res.write(last === undefined && version ? `retry: 2000\nid: ${version()}\n\n` : 'retry: 2000\n\n')
    if (wantsRequests) for (const text of backlog(feed)) res.write(text)
    if (last !== undefined && missed) void reader.resume(last, missed(last))

    const beat = setInterval(() => res.write(': alive\n\n'), heartbeat)
    const leave = feed.listen({
      hear(event) {
        if (res.writableLength > PATIENCE) res.destroy()
        else reader.hear(event)
      },
      end: () => endStream(res),
      wantsRequests,
    })
    res.once('close', () => {
      clearInterval(beat)
      leave()
    })
  })

  return router
}

/** A client that does not read would never finish. */
function endStream(res: Response): void {
  if (res.writableLength > 0) res.destroy()
  else res.end()
}

/** Writes events to one client, each change once and in order. */
class Reader {
  readonly #res: Response
  readonly #wanted: ReadonlySet<string> | undefined
  readonly #ear: Ear | undefined
  /** Changes are told in order, though it may take a while to find out what the client may know of each. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Events that arrive while the missed ones are put together. */
  #waiting: FeedEvent[] | undefined
  /** The version of the last change that was written. */
  #last = 0

  constructor(res: Response, wanted: ReadonlySet<string> | undefined, ear: Ear | undefined) {
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
    if (!ear) this.#tell(event)
    // What cannot be told now is in the next change, or in what the client reads.
    else this.#turn = this.#turn.then(() => this.#tellTo(ear, event)).catch(() => {})
  }

  async #tellTo(ear: Ear, event: FeedEvent): Promise<void> {
    const isOpen = await ear.isOpen()
    const heard = isOpen && event.type === 'change' ? await ear.hear(event) : event
    if (this.#res.writableEnded || this.#res.destroyed) return
    if (!isOpen) endStream(this.#res)
    else if (heard) this.#tell(heard)
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

/** `?resource=products`, several of them, or separated by commas; undefined for everything. */
function resourcesIn({ query }: Request): ReadonlySet<string> | undefined {
  const { resource } = query
  const names = [resource].flat().flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
  return names.length > 0 ? new Set(names) : undefined
}

/** What an EventSource sends when it reconnects. An id that is not ours is a version that nobody keeps. */
function lastEventId({ headers }: Request): number | undefined {
  const id = headers['last-event-id']
  if (typeof id !== 'string' || id === '') return undefined
  return /^\d{1,15}$/.test(id) ? Number(id) : -1
}

/** The newest requests that fit, oldest first. */
function backlog({ recent }: Feed): readonly string[] {
  const newest: string[] = []
  let size = 0
  for (const data of recent.toReversed()) {
    const text = textOf({ type: 'request', data })
    size += Buffer.byteLength(text)
    if (size > MOST_BACKLOG) break
    newest.unshift(text)
  }
  return newest
}

/** Serialized once, however many listen. */
function written(event: FeedEvent): string {
  const text = texts.get(event) ?? textOf(event)
  texts.set(event, text)
  return text
}

const texts = new WeakMap<FeedEvent, string>()

/** JSON contains no raw line breaks, so one `data:` line is enough. */
function textOf(event: FeedEvent): string {
  const id = event.type === 'change' && event.version !== undefined ? `id: ${event.version}\n` : ''
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`
}
