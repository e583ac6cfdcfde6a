import type { Reading } from '../read.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { AnyAnswer } from './render-answer.ts'
import { RenderedAnswer } from './rendered-answer.ts'

/** An answer that is being written out. */
interface UnderWay {
  readonly reading: Reading
  readonly answer: Promise<AnyAnswer>
}

/** Answers by their URL or by what it means. One is only given out while the data it was made from is still the data. */
export class AnswerCache {
  readonly #answers: BoundedCache<RenderedAnswer>
  readonly #underWay = new Map<string, UnderWay>()

  constructor(limit: number) {
    this.#answers = new BoundedCache(limit, costOf)
  }

  /** What the kept answers take, compressed copies and bookkeeping estimated. */
  get size(): number {
    return this.#answers.size
  }

  get(key: string): RenderedAnswer | Promise<AnyAnswer> | undefined {
    const kept = this.#answers.get(key)
    if (kept?.reading.isCurrent()) return kept
    if (kept) this.#answers.delete(key)
    const underWay = this.#underWay.get(key)
    return underWay?.reading.isCurrent() ? underWay.answer : undefined
  }

  /** What is written out again as it leaves is too large to be kept. */
  set(key: string, answer: AnyAnswer): void {
    if (answer instanceof RenderedAnswer) this.#answers.set(key, () => answer)
  }

  /** Takes an answer when it is finished. Who asks for the same until then waits for it too, and need not make it. */
  expect(key: string, reading: Reading, answer: Promise<AnyAnswer>): void {
    const underWay = { reading, answer }
    this.#underWay.set(key, underWay)
    const finish = (finished?: AnyAnswer) => {
      if (this.#underWay.get(key) === underWay) this.#underWay.delete(key)
      if (finished && reading.isCurrent()) this.set(key, finished)
    }
    // Those who wait for it hear why it failed.
    answer.then(finish, () => finish())
  }

  clear(): void {
    this.#answers.clear()
    this.#underWay.clear()
  }
}

/** The body, a compressed copy (most are far smaller), the key, and what objects around them take. */
function costOf(key: string, { body, length }: RenderedAnswer): number {
  return Math.ceil(length * 0.6) + memoryOf(body) + key.length * 2 + 900
}

/** In bytes. A text takes one for each letter, or two where any of them is beyond Latin-1. */
export function memoryOf(body: string | Buffer): number {
  if (typeof body !== 'string') return body.length
  return Buffer.byteLength(body) === body.length ? body.length : body.length * 2
}
