import { Lru } from '../../kernel/util/lru.ts'
import type { RenderableResult } from '../read.ts'
import type { AnyResponse } from './render-response.ts'
import { RenderedResponse } from './rendered-response.ts'

const LIMIT = 64 * 1024 * 1024

/** From here on, only what is asked for twice: most URLs of a crawl are not, and would be memory for nothing. */
const ROOMY = 8 * 1024 * 1024

/** For one response: the largest take the longest to render. */
const LARGEST = 3 / 4

/** Variants per response: headers differ by host, origin and encoding. */
const MOST_HEADS = 8

/** A response as sent, with every header that Node does not add itself. */
export interface Sent {
  readonly response: RenderedResponse
  readonly body: string | Buffer
  readonly length: number
  readonly head: string[]
}

interface CachedResponse {
  readonly response: RenderedResponse
  heads?: Map<string, Sent>
  readonly key: string
  readonly keys: Set<string>
}

export interface Want<Request = unknown> {
  readonly request: Request
  find(request: Request): Promise<RenderableResult | undefined>
  readonly render: (reading: RenderableResult | undefined) => Promise<AnyResponse>
}

/** A response in progress, shared by equal requests that arrive meanwhile. */
interface Flight {
  readonly reading: Promise<RenderableResult | undefined>
  readonly response: Promise<AnyResponse>
}

/** Where responses are never current, requests would otherwise queue up. */
const MOST_JOINS = 2

let scopes = 0

/** Responses to reads, within one size limit. Valid while their data is current. */
export class ResponseCache {
  readonly #limit: number
  readonly #cached: Lru<string, CachedResponse>
  readonly #sent: Map<string, Sent>
  readonly #flights = new Map<string, Flight>()
  /** Prefix of all keys, unique: a world may end, and another with its name begin. */
  readonly #scope: string
  readonly #keys = new Set<string>()

  constructor(limit = LIMIT, room?: ResponseCache) {
    this.#limit = room ? room.#limit : limit
    this.#scope = room ? `\n${++scopes}\n` : ''
    this.#sent = room ? room.#sent : new Map()
    this.#cached = room ? room.#cached : this.#makeRoom()
  }

  #makeRoom(): Lru<string, CachedResponse> {
    const filter = new AdmissionFilter()
    return new Lru({
      limit: this.#limit,
      largest: this.#limit * LARGEST,
      roomy: ROOMY,
      sizeOf,
      mayDisplace: (key) => filter.admits(key),
      onDrop: ({ response, heads, key, keys }) => {
        keys.delete(key)
        response.cacheKey = undefined
        for (const name of heads?.keys() ?? []) this.#sent.delete(name)
      },
    })
  }

  forEngine(): ResponseCache {
    return new ResponseCache(this.#limit, this)
  }

  get size(): number {
    return this.#cached.size
  }

  get(url: string): RenderedResponse | undefined {
    const key = this.#scope + url
    const response = this.#cached.get(key)?.response
    if (!response || response.reading.isCurrent()) return response
    this.#cached.delete(key)
    return undefined
  }

  /** Joins an equal request in progress while its data is current. */
  async fetch<Request>(key: string, want: Want<Request>): Promise<AnyResponse> {
    for (let joins = 0; joins < MOST_JOINS; joins++) {
      const joined = this.#flights.get(key)
      if (!joined) break
      const reading = await joined.reading
      if (reading?.isCurrent()) return joined.response
      if (this.#flights.get(key) === joined) this.#flights.delete(key)
    }
    const reading = want.find(want.request)
    const flight: Flight = { reading, response: reading.then(want.render) }
    this.#flights.set(key, flight)
    try {
      const response = await flight.response
      if (this.#flights.get(key) === flight && response.reading.isCurrent()) this.set(key, response)
      return response
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    }
  }

  set(url: string, response: AnyResponse): void {
    const key = this.#scope + url
    if (!(response instanceof RenderedResponse)) {
      this.#cached.delete(key)
      return
    }
    if (!this.#cached.set(key, { response, key, keys: this.#keys })) return
    response.cacheKey = key
    this.#keys.add(key)
  }

  resize({ cacheKey }: RenderedResponse): void {
    if (cacheKey !== undefined) this.#cached.resize(cacheKey)
  }

  getSent(name: string): Sent | undefined {
    const sent = this.#sent.get(name)
    const key = sent?.response.cacheKey
    if (key === undefined) return undefined
    if (this.#cached.get(key)?.response.reading.isCurrent()) return sent
    this.#cached.delete(key)
    return undefined
  }

  setSent(name: string, sent: Sent): void {
    const { cacheKey } = sent.response
    const cached = cacheKey === undefined ? undefined : this.#cached.peek(cacheKey)
    if (cacheKey === undefined || cached === undefined) return
    cached.heads ??= new Map()
    const { heads } = cached
    const [oldest] = heads.keys()
    if (heads.size >= MOST_HEADS && oldest !== undefined && !heads.has(name)) {
      heads.delete(oldest)
      this.#sent.delete(oldest)
    }
    heads.set(name, sent)
    this.#sent.set(name, sent)
    this.#cached.resize(cacheKey)
  }

  clear(): void {
    for (const key of this.#keys) this.#cached.delete(key)
    this.#flights.clear()
  }
}

/** Bytes of the objects around a response, and around a head. */
const RESPONSE = 900
const HEAD = 400

function sizeOf({ response, heads }: CachedResponse, key: string): number {
  let size = RESPONSE + key.length + response.memory
  for (const [name, { head }] of heads ?? []) {
    size += head.reduce((sum, text) => sum + text.length + 8, HEAD + name.length)
  }
  return size
}

/** 5 MB at most. */
const MOST_NAMES = 10_000
const LONGEST_NAME = 512

/** Admits a key the second time: otherwise a crawl over more than fits would evict what is requested repeatedly. */
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
