import type { Worker } from 'node:worker_threads'
import { StorageError } from '../../../errors.ts'
import { Lru } from '../../../lru.ts'
import { JobError } from '../../../work/job-error.ts'
import { JobThread, makeThread } from '../../../work/job-thread.ts'
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
}

interface PatternEngineOptions {
  /** Milliseconds that a thread with nothing to do is kept. */
  readonly idle?: number
  /** Milliseconds that it may take to start. */
  readonly start?: number
  readonly makeThread?: () => Worker
}

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
 * thread, which is ended when they take too long.
 */
export class PatternEngine {
  /** When patterns took too long last. */
  readonly #suspects = new Lru<string, number>({ limit: MOST_SUSPECTS })
  readonly #thread: JobThread<Job, Matched>

  constructor({ idle, start, makeThread = makeEngineThread }: PatternEngineOptions = {}) {
    const limit = (job: Job) => this.#limitOf(job)
    this.#thread = new JobThread({ makeThread, most: MOST_WAITING, limit, idle, start })
  }

  /**
   * Rejects when it takes longer than the limit.
   * @param isWanted asked when its turn has come: nobody waits for those who left
   */
  async match(
    patterns: readonly string[],
    texts: readonly string[],
    limit: number,
    isWanted?: () => boolean,
  ): Promise<Matched> {
    try {
      return await this.#thread.run({ patterns, texts, limit }, isWanted)
    } catch (error) {
      if (!(error instanceof JobError)) throw error
      // A pattern may also need too much memory, or turn out to be too big.
      const isItsFault = error.fault === 'slow' || error.fault === 'died'
      if (isItsFault) this.#suspects.set(patterns.join('\n'), performance.now())
      throw tooSlow()
    }
  }

  #limitOf({ patterns, limit }: Job): number {
    const since = performance.now() - (this.#suspects.get(patterns.join('\n')) ?? Number.NEGATIVE_INFINITY)
    return since < A_WHILE ? Math.min(limit, SOON) : limit
  }
}

function makeEngineThread(): Worker {
  return makeThread(ENGINE_THREAD, { resourceLimits: { maxOldGenerationSizeMb: MEMORY } })
}

export function tooSlow(): StorageError {
  return new StorageError(
    'PATTERN_TOO_SLOW',
    'A _like pattern takes too long. Write it without look-around, back-references and long repeats, or filter by something else, too, so that it is tried on fewer rows.',
  )
}
