import type { Worker, WorkerOptions } from 'node:worker_threads'

export type JobFault = 'busy' | 'slow' | 'died' | 'unwanted'

export class JobError extends Error {
  override readonly name = 'JobError'
  readonly fault: JobFault

  constructor(fault: JobFault, cause?: unknown) {
    super(`${MESSAGES[fault]}${cause instanceof Error ? `: ${cause.message}` : ''}`, { cause })
    this.fault = fault
  }
}

const MESSAGES: Readonly<Record<JobFault, string>> = {
  busy: 'Too many jobs are waiting for the thread',
  slow: 'The job took too long',
  died: 'The thread ended in the middle of the job',
  unwanted: 'Nobody is waiting for the job anymore',
}

/** In milliseconds, on a busy machine. */
const LONGEST_START = 10_000

export interface JobThreadOptions {
  readonly makeThread: () => Worker
  readonly most: number
  /** Milliseconds that a job may take. */
  readonly limit: number
  /** Milliseconds until an idle thread ends. Starting one takes 40. @default 10000 */
  readonly idle?: number | undefined
}

/**
 * As a string, the program works bundled, as a module and from the sources. It posts a message when ready, then one per
 * job. Node's module is loaded with the first thread: most starts need none.
 */
export function makeThread(program: string | URL, options: WorkerOptions = {}): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  return new Worker(program, { eval: typeof program === 'string', execArgv: [], env: {}, ...options })
}

interface Waiting<Job, Result> {
  readonly job: Job
  readonly isWanted: () => boolean
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Runs jobs one after the other in a thread that starts with the first, is replaced when a job takes too long, and
 * ends when idle. It keeps the process alive only while a job runs.
 */
export class JobThread<Job, Result> {
  readonly #options: JobThreadOptions
  #waiting: readonly Waiting<Job, Result>[] = []
  #isWorking = false
  #thread: Worker | undefined
  /** Gets the next message of the thread, or why there is none. */
  #reply: Pick<Waiting<Job, Result>, 'resolve' | 'reject'> | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(options: JobThreadOptions) {
    this.#options = options
  }

  /** @param isWanted checked when the job starts: it is skipped if its client has disconnected */
  run(job: Job, isWanted: () => boolean = () => true): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { most } = this.#options
      if (this.#waiting.length >= most) this.#dropUnwanted()
      if (this.#waiting.length >= most) {
        reject(new JobError('busy'))
        return
      }
      this.#waiting = [...this.#waiting, { job, isWanted, resolve, reject }]
      if (!this.#isWorking) void this.#work()
    })
  }

  /** Never rejects. The next job begins synchronously: who gets a result may ask for another right away. */
  async #work(): Promise<void> {
    this.#isWorking = true
    clearTimeout(this.#idle)
    for (let first = this.#dropUnwanted(); first; first = this.#dropUnwanted()) {
      if (!this.#thread) {
        await this.#start()
        continue
      }
      this.#waiting = this.#waiting.slice(1)
      try {
        this.#thread.postMessage(first.job)
        const failure = (cause?: unknown) => new JobError(cause ? 'died' : 'slow', cause)
        first.resolve(await this.#nextMessage(this.#options.limit, failure))
      } catch (error) {
        this.#stop()
        first.reject(error)
      }
    }
    this.#isWorking = false
    this.#idle = setTimeout(() => this.#stop(), this.#options.idle ?? 10_000).unref()
  }

  /** Returns the first that is left. */
  #dropUnwanted(): Waiting<Job, Result> | undefined {
    const wanted: Waiting<Job, Result>[] = []
    for (const one of this.#waiting) {
      if (one.isWanted()) wanted.push(one)
      else one.reject(new JobError('unwanted'))
    }
    this.#waiting = wanted
    return wanted[0]
  }

  async #start(): Promise<void> {
    try {
      const thread = this.#options.makeThread()
      // Events of a replaced thread are ignored.
      const lose = (cause: unknown) => {
        if (thread !== this.#thread) return
        this.#thread = undefined
        this.#reply?.reject(cause)
      }
      thread.on('message', (message: Result) => {
        if (thread === this.#thread) this.#reply?.resolve(message)
      })
      thread.on('error', lose)
      thread.on('exit', (code: number) => lose(new Error(`exit code ${code}`)))
      thread.unref()
      this.#thread = thread
      const late = new Error('The thread did not start in time.')
      await this.#nextMessage(LONGEST_START, (cause = late) => cause)
    } catch (error) {
      this.#stop()
      // All of them: they would fail one after the other.
      const jobs = this.#waiting
      this.#waiting = []
      for (const { reject } of jobs) reject(error)
    }
  }

  /** @param failure what to reject with, if the thread is lost for this cause or, without one, takes too long */
  #nextMessage(limit: number, failure: (cause?: unknown) => unknown): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const message = new Promise<Result>((resolve, reject) => {
      this.#reply = { resolve, reject: (cause) => reject(failure(cause)) }
      // The message may have arrived while the event loop was too busy to deliver it.
      timer = setTimeout(() => setImmediate(() => reject(failure())), limit)
    })
    return message.finally(() => clearTimeout(timer))
  }

  #stop(): void {
    void this.#thread?.terminate()
    this.#thread = undefined
  }
}
