import { Worker } from 'node:worker_threads'
import { StorageError } from '../../../errors.ts'
import { Lru } from '../../../lru.ts'
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
  readonly isWanted: () => boolean
  readonly resolve: (matched: Matched) => void
  readonly reject: (error: unknown) => void
}

export interface PatternEngineOptions {
  /** Milliseconds that a thread with nothing to do is kept. */
  readonly idle?: number
  /** Milliseconds that it may take to start. */
  readonly start?: number
  readonly makeThread?: () => Worker
}

/** How long a thread with nothing to do is kept, in milliseconds. It takes 40 to start one. */
const IDLE = 10_000

/** How long one may take to start, in milliseconds, on a machine that has a lot to do. */
const START = 10_000

/** Patterns that took too long, or too much memory, have to be this quick for a while, in milliseconds: who asks for them again and again keeps all others waiting. */
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
  readonly #suspects = new Lru<string, number>({ limit: MOST_SUSPECTS })
  readonly #options: Required<PatternEngineOptions>
  #thread: Worker | undefined
  #isReady = false
  #job: Job | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ idle = IDLE, start = START, makeThread = makeEngineThread }: PatternEngineOptions = {}) {
    this.#options = { idle, start, makeThread }
  }

  /**
   * Rejects when it takes longer than the limit.
   * @param isWanted asked when its turn has come: nobody waits for those who left
   */
  match(
    patterns: readonly string[],
    texts: readonly string[],
    limit: number,
    isWanted: () => boolean = () => true,
  ): Promise<Matched> {
    if (this.#waiting.length >= MOST_WAITING) this.#dropUnwanted()
    if (this.#waiting.length >= MOST_WAITING) return Promise.reject(tooSlow())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ patterns, texts, limit, isWanted, resolve, reject })
      this.#next()
    })
  }

  /** Never throws: a thread that has something to say calls it, too. */
  #next(): void {
    if (this.#job) return
    this.#dropUnwanted()
    if (this.#waiting.length === 0) return
    if (!this.#thread) this.#start()
    else if (this.#isReady) this.#begin(this.#thread)
  }

  #dropUnwanted(): void {
    const jobs = this.#waiting.splice(0)
    for (const job of jobs) {
      if (job.isWanted()) this.#waiting.push(job)
      else job.reject(tooSlow())
    }
  }

  #begin(thread: Worker): void {
    const job = this.#waiting.shift()
    if (!job) return
    this.#job = job
    const { patterns, texts } = job
    this.#setTimer(this.#limitOf(job), () => this.#giveUp(job))
    try {
      thread.postMessage({ patterns, texts })
    } catch (error) {
      this.#end(error)
    }
  }

  #limitOf({ patterns, limit }: Job): number {
    const since = performance.now() - (this.#suspects.get(patterns.join('\n')) ?? Number.NEGATIVE_INFINITY)
    return since < A_WHILE ? Math.min(limit, SOON) : limit
  }

  #giveUp({ patterns }: Job): void {
    this.#suspects.set(patterns.join('\n'), performance.now())
    this.#end(tooSlow())
  }

  #start(): void {
    try {
      const thread = this.#options.makeThread()
      this.#thread = thread
      thread.on('message', (message: Matched | 'ready') => {
        if (thread === this.#thread) this.#hear(message)
      })
      thread.on('error', (error) => {
        if (thread !== this.#thread) return
        // A pattern may need too much memory, too, or turn out to be too big.
        if (this.#job) this.#giveUp(this.#job)
        else this.#fail(error)
      })
      this.#setTimer(this.#options.start, () => this.#fail(new Error('No thread starts for patterns.')))
      // Nobody should have to wait for it in order to stop.
      thread.unref()
      this.#timer?.unref()
    } catch (error) {
      this.#fail(error)
    }
  }

  #hear(message: Matched | 'ready'): void {
    if (message === 'ready') this.#isReady = true
    else this.#job?.resolve(message)
    this.#job = undefined
    this.#setTimer(this.#options.idle, () => this.#stop())
    this.#timer?.unref()
    this.#next()
  }

  /** Gives the job up, and the thread with it; the next job gets another. */
  #end(error: unknown): void {
    const job = this.#job
    this.#job = undefined
    this.#stop()
    job?.reject(error)
    this.#next()
  }

  /** There is no thread to be had: those who wait would do so in vain, one after the other. */
  #fail(error: unknown): void {
    this.#stop()
    for (const job of this.#waiting.splice(0)) job.reject(error)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    void this.#thread?.terminate()
    this.#thread = undefined
    this.#isReady = false
  }

  #setTimer(milliseconds: number, act: () => void): void {
    clearTimeout(this.#timer)
    const timer = setTimeout(() => {
      // What the thread has to say may be there, and we may have been too busy to hear of it.
      setImmediate(() => {
        if (this.#timer === timer) act()
      })
    }, milliseconds)
    this.#timer = timer
  }
}

function makeEngineThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY }
  return new Worker(ENGINE_THREAD, { eval: true, execArgv: [], env: {}, resourceLimits })
}

export function tooSlow(): StorageError {
  return new StorageError(
    'PATTERN_TOO_SLOW',
    'A _like pattern takes too long. Write it without look-around, back-references and long repeats, or filter by something else, too, so that it is tried on fewer rows.',
  )
}
