import { Lru } from '../../util/lru.ts'
import type { Reading } from '../read.ts'
import type { IdleNames } from './idle-names.ts'
import type { AnyResponse } from './render-response.ts'
import { RenderedResponse } from './rendered-response.ts'

/** Total bytes of all cached responses. */
const LIMIT = 64 * 1024 * 1024

/** The share that one response may take: the largest ones take the longest to render. */
const LARGEST = 3 / 4

/** Headers differ by host, origin and encoding, and several URLs may share a response: variants kept of each. */
const MOST_HEADS = 8

/** A response as sent: every header that Node does not add itself, and the body, compressed or not. */
export interface Sent {
  readonly response: RenderedResponse
  readonly body: string | Buffer
  readonly length: number
  /** Names and values in turn. */
  readonly head: string[]
}

interface CachedResponse {
  readonly response: RenderedResponse
  /** Most URLs are requested only once. */
  heads?: Map<string, Sent>
  readonly key: string
  /** The keys of all responses from the same engine. */
  readonly keys: Set<string>
}

/** What a request reads, and how it is rendered. */
export interface Want<Request = unknown> {
  readonly request: Request
  isWanted(): boolean
  find(request: Request, isWanted: () => boolean): Promise<Reading | undefined>
  /** Also renders nothing: a 404 has a body. */
  readonly render: (reading: Reading | undefined) => Promise<AnyResponse>
}

/** A response being rendered, for all requests of the same that arrived since. */
interface Flight {
  readonly wants: Pick<Want, 'isWanted'>[]
  readonly reading: Promise<Reading | undefined>
  readonly response: Promise<AnyResponse>
}

/** How often a request joins before it renders for itself: where responses are never current, all would queue up. */
const MOST_JOINS = 2

let scopes = 0

/** Responses to reads, within one limit: bodies, compressed copies and heads. Used while their data is current. */
export class ResponseCache {
  readonly #limit: number
  readonly #kept: Lru<string, CachedResponse>
  readonly #sent: Map<string, Sent>
  readonly #flights = new Map<string, Flight>()
  /** What keys begin with. Never used again: a session may end, and another one of its name begin. */
  readonly #scope: string
  readonly #keys = new Set<string>()
  /** Of requests so far, by collection. */
  readonly idle = new Map<string, IdleNames>()

  /** @param room a cache whose room it shares */
  constructor(limit = LIMIT, room?: ResponseCache) {
    this.#limit = room ? room.#limit : limit
    this.#scope = room ? `\n${++scopes}\n` : ''
    this.#sent = room ? room.#sent : new Map()
    this.#kept = room ? room.#kept : this.#makeRoom()
  }

  #makeRoom(): Lru<string, CachedResponse> {
    const filter = new AdmissionFilter()
    return new Lru({
      limit: this.#limit,
      largest: this.#limit * LARGEST,
      sizeOf,
      mayDisplace: (key) => filter.admits(key),
      onDrop: ({ response, heads, key, keys }) => {
        keys.delete(key)
        response.cacheKey = undefined
        for (const name of heads?.keys() ?? []) this.#sent.delete(name)
      },
    })
  }

  /** A cache for the responses of another engine, within the same limit. */
  forEngine(): ResponseCache {
    return new ResponseCache(this.#limit, this)
  }

  get size(): number {
    return this.#kept.size
  }

  get(url: string): RenderedResponse | undefined {
    const key = this.#scope + url
    const response = this.#kept.peek(key)?.response
    return response !== undefined && this.#use(key, response) ? response : undefined
  }

  /** The response that another request is rendering, as long as it is current, or a new one. */
  async fetch<Request>(key: string, want: Want<Request>): Promise<AnyResponse> {
    for (let joins = 0; joins < MOST_JOINS; joins++) {
      const joined = this.#flights.get(key)
      if (!joined) break
      joined.wants.push(want)
      const reading = await joined.reading
      if (reading?.isCurrent()) return joined.response
      // It shows the data from before this request.
      if (this.#flights.get(key) === joined) this.#flights.delete(key)
    }
    const wants: Pick<Want, 'isWanted'>[] = [want]
    const reading = want.find(want.request, () => wants.some((each) => each.isWanted()))
    const flight: Flight = { wants, reading, response: reading.then(want.render) }
    this.#flights.set(key, flight)
    try {
      const response = await flight.response
      if (this.#flights.get(key) === flight && response.reading.isCurrent()) this.set(key, response)
      return response
    } finally {
      // Waiting requests get the error.
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    }
  }

  /** Streamed responses are too large to cache. */
  set(url: string, response: AnyResponse): void {
    const key = this.#scope + url
    if (!(response instanceof RenderedResponse)) {
      this.#kept.delete(key)
      return
    }
    if (!this.#kept.set(key, { response, key, keys: this.#keys })) return
    response.cacheKey = key
    this.#keys.add(key)
  }

  resize({ cacheKey: keptAs }: RenderedResponse): void {
    if (keptAs !== undefined) this.#kept.resize(keptAs)
  }

  getSent(name: string): Sent | undefined {
    const sent = this.#sent.get(name)
    const key = sent?.response.cacheKey
    return key !== undefined && sent && this.#use(key, sent.response) ? sent : undefined
  }

  /** Stores a sent variant as long as its response is cached. */
  setSent(name: string, sent: Sent): void {
    const { cacheKey: keptAs } = sent.response
    const kept = keptAs === undefined ? undefined : this.#kept.peek(keptAs)
    if (keptAs === undefined || kept === undefined) return
    kept.heads ??= new Map()
    const { heads } = kept
    const [oldest] = heads.keys()
    if (heads.size >= MOST_HEADS && oldest !== undefined && !heads.has(name)) {
      heads.delete(oldest)
      this.#sent.delete(oldest)
    }
    heads.set(name, sent)
    this.#sent.set(name, sent)
    this.#kept.resize(keptAs)
  }

  /** Drops the responses of this engine. */
  clear(): void {
    for (const key of this.#keys) this.#kept.delete(key)
    this.#flights.clear()
    this.idle.clear()
  }

  /** Whether a cached response is still current; drops it if not. */
  #use(key: string, { reading }: RenderedResponse): boolean {
    if (!reading.isCurrent()) {
      this.#kept.delete(key)
      return false
    }
    // While there is room even for the largest response, recency does not matter.
    if (this.#kept.size > this.#limit * (1 - LARGEST)) this.#kept.get(key)
    return true
  }
}

/** Overhead in bytes of the objects around a response, and around a head. */
const RESPONSE = 900
const HEAD = 400

function sizeOf({ response, heads }: CachedResponse, key: string): number {
  let size = RESPONSE + key.length + response.memory
  for (const [name, { head }] of heads ?? []) {
    size += head.reduce((sum, text) => sum + text.length + 8, HEAD + name.length)
  }
  return size
}

/** Keys to remember, and the longest one: 5 MB at most. */
const MOST_NAMES = 10_000
const LONGEST_NAME = 512

/** Admits a key the second time: otherwise a scan of more than fits would evict what others request repeatedly. */
class AdmissionFilter {
  readonly #names = new Set<string>()

  admits(name: string): boolean {
    if (name.length > LONGEST_NAME) return false
    if (this.#names.delete(name)) return true
    if (this.#names.size >= MOST_NAMES) this.#names.clear()
    this.#names.add(name)
    return false
  }
}
