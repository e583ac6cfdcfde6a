import { Lru } from '../../lru.ts'
import { AdmissionFilter } from './admission-filter.ts'
import type { AnyAnswer } from './render-answer.ts'
import { RenderedAnswer } from './rendered-answer.ts'
import { SingleFlight, type Want } from './single-flight.ts'

/** Bytes that all kept answers may take together. */
const LIMIT = 64 * 1024 * 1024

/** The part of it that one answer may take: those that take longest to make are the largest. */
const LARGEST = 3 / 4

/** Headers differ by host, origin and encoding, and several URLs may lead to one answer: so many ways are kept of each. */
const MOST_HEADS = 8

/** An answer as it left: every header that Node does not add by itself, and the body, compressed or not. */
export interface Sent {
  readonly answer: RenderedAnswer
  readonly body: string | Buffer
  /** In bytes. */
  readonly length: number
  /** Names and values in turn. */
  readonly head: string[]
}

/** An answer, and how it left, by what requests for it have in common. */
interface Kept {
  readonly answer: RenderedAnswer
  readonly heads: Map<string, Sent>
}

/**
 * Answers to reads, written out: bodies, compressed copies and heads within one limit. An answer is only given out
 * while the data it was made from is still the data.
 */
export class AnswerCache {
  readonly #limit: number
  readonly #kept: Lru<string, Kept>
  readonly #sent = new Map<string, Sent>()
  readonly #flights = new SingleFlight()

  constructor(limit = LIMIT) {
    const filter = new AdmissionFilter()
    this.#limit = limit
    this.#kept = new Lru({
      limit,
      sizeOf,
      mayDisplace: (key) => filter.admits(key),
      onDrop: ({ answer, heads }) => {
        answer.keptAs = undefined
        for (const name of heads.keys()) this.#sent.delete(name)
      },
    })
  }

  /** The bytes that are taken. */
  get size(): number {
    return this.#kept.size
  }

  get(key: string): RenderedAnswer | undefined {
    // While there is room even for the largest, nobody asks which one was used last.
    const isRoomy = this.#kept.size <= this.#limit * (1 - LARGEST)
    const answer = (isRoomy ? this.#kept.peek(key) : this.#kept.get(key))?.answer
    if (answer === undefined || answer.reading.isCurrent()) return answer
    this.#kept.delete(key)
    return undefined
  }

  /** What is kept, or what is being made for somebody else, or what is made now. */
  fetch(key: string, want: Want): AnyAnswer | Promise<AnyAnswer> {
    return this.get(key) ?? this.#flights.fetch(key, want, (answer) => this.set(key, answer))
  }

  /** What is written out again as it leaves is too large to be kept. */
  set(key: string, answer: AnyAnswer): void {
    this.#kept.delete(key)
    if (!(answer instanceof RenderedAnswer)) return
    const kept: Kept = { answer, heads: new Map() }
    if (sizeOf(kept, key) > this.#limit * LARGEST) return
    this.#kept.set(key, kept)
    if (this.#kept.peek(key) === kept) answer.keptAs = key
  }

  /** To be told when an answer takes more room than before. */
  resize({ keptAs }: RenderedAnswer): void {
    if (keptAs !== undefined) this.#kept.resize(keptAs)
  }

  /** How an answer left under this name. */
  getSent(name: string): Sent | undefined {
    const sent = this.#sent.get(name)
    const key = sent?.answer.keptAs
    return key !== undefined && this.get(key) === sent?.answer ? sent : undefined
  }

  /** Keeps how an answer left, as long as the answer is kept. */
  keepSent(name: string, sent: Sent): void {
    const { keptAs } = sent.answer
    const heads = keptAs === undefined ? undefined : this.#kept.peek(keptAs)?.heads
    if (keptAs === undefined || heads === undefined) return
    const [oldest] = heads.keys()
    if (heads.size >= MOST_HEADS && oldest !== undefined && !heads.has(name)) {
      heads.delete(oldest)
      this.#sent.delete(oldest)
    }
    heads.set(name, sent)
    this.#sent.set(name, sent)
    this.#kept.resize(keptAs)
  }

  clear(): void {
    this.#kept.clear()
    this.#flights.clear()
  }
}

/** What the objects around an answer take, and those around a head. */
const ANSWER = 900
const HEAD = 400

function sizeOf({ answer, heads }: Kept, key: string): number {
  let size = ANSWER + key.length + answer.memory
  for (const [name, { head }] of heads) {
    size += head.reduce((sum, text) => sum + text.length + 8, HEAD + name.length)
  }
  return size
}
