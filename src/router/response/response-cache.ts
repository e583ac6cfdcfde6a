import { Lru } from '../../util/lru.ts'
import type { IdleNames } from './idle-names.ts'
import type { AnyResponse } from './render-response.ts'
import { RenderedResponse } from './rendered-response.ts'
import { SingleFlight, type Want } from './single-flight.ts'

/** Total bytes of all cached responses. */
const LIMIT = 64 * 1024 * 1024

/** The share that one response may take: the largest ones take the longest to render. */
const LARGEST = 3 / 4

/** Headers differ by host, origin and encoding, and several URLs may share a response: variants kept of each. */
const MOST_HEADS = 8

/** A response as sent: every header that Node does not add itself, and the body, compressed or not. */
export interface Sent {
  readonly answer: RenderedResponse
  readonly body: string | Buffer
  readonly length: number
  /** Names and values in turn. */
  readonly head: string[]
}

interface Kept {
  readonly answer: RenderedResponse
  /** Most URLs are requested only once. */
  heads?: Map<string, Sent>
  readonly key: string
  /** The keys of all responses from the same engine. */
  readonly keys: Set<string>
}

let scopes = 0

/** Responses to reads, within one limit: bodies, compressed copies and heads. Used while their data is current. */
export class ResponseCache {
  readonly #limit: number
  readonly #kept: Lru<string, Kept>
  readonly #sent: Map<string, Sent>
  readonly #flights = new SingleFlight()
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

  #makeRoom(): Lru<string, Kept> {
    const filter = new AdmissionFilter()
    return new Lru({
      limit: this.#limit,
      sizeOf,
      mayDisplace: (key) => filter.admits(key),
      onDrop: ({ answer, heads, key, keys }) => {
        keys.delete(key)
        answer.keptAs = undefined
        for (const name of heads?.keys() ?? []) this.#sent.delete(name)
      },
    })
  }

  /** A cache for the responses of another engine, within the same limit. */
  forAnother(): ResponseCache {
    return new ResponseCache(this.#limit, this)
  }

  get size(): number {
    return this.#kept.size
  }

  get(url: string): RenderedResponse | undefined {
    const key = this.#scope + url
    const answer = this.#kept.peek(key)?.answer
    return answer !== undefined && this.#use(key, answer) ? answer : undefined
  }

  /** The cached response, the one being rendered for another request, or a new one. */
  async fetch(key: string, want: Want): Promise<AnyResponse> {
    return this.get(key) ?? this.#flights.fetch(key, want, this)
  }

  /** Streamed responses are too large to cache. */
  set(url: string, answer: AnyResponse): void {
    const key = this.#scope + url
    this.#kept.delete(key)
    if (!(answer instanceof RenderedResponse)) return
    const kept: Kept = { answer, key, keys: this.#keys }
    if (sizeOf(kept, key) > this.#limit * LARGEST) return
    this.#kept.set(key, kept)
    if (this.#kept.peek(key) !== kept) return
    answer.keptAs = key
    this.#keys.add(key)
  }

  resize({ keptAs }: RenderedResponse): void {
    if (keptAs !== undefined) this.#kept.resize(keptAs)
  }

  getSent(name: string): Sent | undefined {
    const sent = this.#sent.get(name)
    const key = sent?.answer.keptAs
    return key !== undefined && sent && this.#use(key, sent.answer) ? sent : undefined
  }

  /** Stores a sent variant as long as its response is cached. */
  keepSent(name: string, sent: Sent): void {
    const { keptAs } = sent.answer
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
const ANSWER = 900
const HEAD = 400

function sizeOf({ answer, heads }: Kept, key: string): number {
  let size = ANSWER + key.length + answer.memory
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
