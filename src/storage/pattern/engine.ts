import { Worker } from 'node:worker_threads'
import { StorageError } from '../../errors.ts'
import { Recent } from '../recent.ts'
import { ENGINE_THREAD } from './engine-thread.ts'

/** Whether each of the texts matches any of the patterns, and how many milliseconds that took. */
export interface Matched {
  readonly bits: Uint8Array
  readonly time: number
}

interface Job {
  readonly patterns: readonly string[]
  readonly texts: readonly string[]
  /** How long it may take, in milliseconds. */
  readonly limit: number
  readonly resolve: (matched: Matched) => void
  readonly reject: (error: unknown) => void
}

/** How long a thread with nothing to do is kept, in milliseconds. It takes 40 to start one. */
const IDLE = 10_000

/** Patterns that took too long have to be this quick for a while, in milliseconds: who asks for them again and again keeps all others waiting. */
const SOON = 100
const A_WHILE = 10_000
const MOST_SUSPECTS = 100

/** So many requests may wait for their turn. */
const MOST_WAITING = 100

/** Megabytes that the thread may need, beside the texts. */
const MEMORY = 512

/**
 * JavaScript's own regular expressions, which can look around and refer back, and may take years: so they run in a
 * thread, one job at a time, which is ended when a job takes too long. It starts with the first job.
 */
export class PatternEngine {
  readonly #waiting: Job[] = []
  /** When patterns took too long last. */
  readonly #suspects = new Recent<number>(MOST_SUSPECTS)
  readonly #idle: number
  #thread: Worker | undefined
  #isReady = false
  #job: Job | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(idle = IDLE) {
    this.#idle = idle
  }

  /** Rejects when it takes longer than the limit. */
  match(patterns: readonly string[], texts: readonly string[], limit: number): Promise<Matched> {
    if (this.#waiting.length >= MOST_WAITING) return Promise.reject(tooSlow())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ patterns, texts, limit, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#job || this.#waiting.length === 0) return
    if (!this.#thread) this.#thread = this.#start()
    if (!this.#isReady) return
    const job = this.#waiting.shift()
    if (!job) return
    this.#job = job
    const { patterns, texts } = job
    this.#thread.postMessage({ patterns, texts })
    this.#setTimer(this.#limitOf(job), () => {
      // Its answer may be there, and we may have been too busy to hear of it.
      setImmediate(() => {
        if (this.#job === job) this.#giveUp(job)
      })
    })
  }

  #limitOf({ patterns, limit }: Job): number {
    const since = performance.now() - (this.#suspects.get(patterns.join('\n')) ?? Number.NEGATIVE_INFINITY)
    return since < A_WHILE ? Math.min(limit, SOON) : limit
  }

  #giveUp({ patterns }: Job): void {
    this.#suspects.set(patterns.join('\n'), performance.now())
    this.#end(tooSlow())
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY }
    const thread = new Worker(ENGINE_THREAD, { eval: true, execArgv: [], env: {}, resourceLimits })
    // Nobody should have to wait for it in order to stop.
    thread.unref()
    thread.on('message', (message: Matched | 'ready') => {
      if (thread !== this.#thread) return
      if (message === 'ready') this.#isReady = true
      else this.#finish(message)
      this.#next()
    })
    thread.on('error', (error) => {
      // A pattern may need too much memory, too, or turn out to be too big.
      if (thread === this.#thread) this.#end(this.#isReady ? tooSlow() : error)
    })
    return thread
  }

  #finish(matched: Matched): void {
    this.#job?.resolve(matched)
    this.#job = undefined
    this.#setTimer(this.#idle, () => void this.#stop())
    this.#timer?.unref()
  }

  /** Gives the job up, and the thread with it; the next job gets another. */
  #end(error: unknown): void {
    const job = this.#job ?? this.#waiting.shift()
    this.#job = undefined
    this.#stop()
    job?.reject(error)
    this.#next()
  }

  #stop(): void {
    clearTimeout(this.#timer)
    void this.#thread?.terminate()
    this.#thread = undefined
    this.#isReady = false
  }

  #setTimer(milliseconds: number, act: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(act, milliseconds)
  }
}

export function tooSlow(): StorageError {
  return new StorageError(
    'PATTERN_TOO_SLOW',
    'A _like pattern takes too long. Write it without look-around, back-references and long repeats, or filter by something else, too, so that it is tried on fewer rows.',
  )
}
