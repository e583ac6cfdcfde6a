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

export interface JobThreadOptions<Job> {
  readonly makeThread: () => Worker
  readonly most: number
  /** In milliseconds, evaluated when the job starts. */
  readonly limit: (job: Job) => number
  /** Milliseconds until an idle thread ends. Starting one takes 40. @default 10000 */
  readonly idle?: number | undefined
  /** Milliseconds to start, on a busy machine. @default 10000 */
  readonly start?: number | undefined
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
  readonly #options: JobThreadOptions<Job>
  #waiting: readonly Waiting<Job, Result>[] = []
  #current: Waiting<Job, Result> | undefined
  #thread: Worker | undefined
  #isReady = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: JobThreadOptions<Job>) {
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
      this.#next()
    })
  }

  /** Never throws: event handlers call it. */
  #next(): void {
    if (this.#current) return
    this.#dropUnwanted()
    const [first, ...rest] = this.#waiting
    if (this.#thread === undefined) {
      if (first) this.#start()
    } else if (this.#isReady) {
      this.#waiting = rest
      if (first) this.#begin(this.#thread, first)
      else this.#setTimer(this.#options.idle ?? 10_000, () => this.#stop()).unref()
    }
  }

  #dropUnwanted(): void {
    const wanted: Waiting<Job, Result>[] = []
    for (const one of this.#waiting) {
      if (one.isWanted()) wanted.push(one)
      else one.reject(new JobError('unwanted'))
    }
    this.#waiting = wanted
  }

  #begin(thread: Worker, waiting: Waiting<Job, Result>): void {
    this.#current = waiting
    this.#setTimer(this.#options.limit(waiting.job), () => this.#replace(new JobError('slow')))
    try {
      thread.postMessage(waiting.job)
    } catch (error) {
      this.#replace(error)
    }
  }

  #start(): void {
    this.#setTimer(this.#options.start ?? 10_000, () =>
      this.#fail(new Error('The thread did not start in time.')),
    )
    try {
      const thread = this.#options.makeThread()
      this.#thread = thread
      // Events of a replaced thread are ignored.
      const lose = (error: unknown) => {
        if (thread === this.#thread) this.#lose(error)
      }
      thread.on('message', (message: Result) => {
        if (thread === this.#thread) this.#onMessage(message)
      })
      thread.on('error', lose)
      thread.on('exit', (code: number) => lose(new Error(`exit code ${code}`)))
      thread.unref()
    } catch (error) {
      this.#fail(error)
    }
  }

  #onMessage(message: Result): void {
    if (this.#isReady) this.#current?.resolve(message)
    this.#isReady = true
    this.#current = undefined
    this.#next()
  }

  #lose(cause: unknown): void {
    if (this.#isReady) this.#replace(new JobError('died', cause))
    else this.#fail(cause)
  }

  #replace(error: unknown): void {
    const current = this.#current
    this.#stop()
    current?.reject(error)
    this.#next()
  }

  /** No thread can be started: rejects all waiting jobs, which would fail one after the other. */
  #fail(error: unknown): void {
    this.#stop()
    const jobs = this.#waiting
    this.#waiting = []
    for (const { reject } of jobs) reject(error)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    void this.#thread?.terminate()
    this.#thread = undefined
    this.#isReady = false
    this.#current = undefined
  }

  #setTimer(milliseconds: number, act: () => void): NodeJS.Timeout {
    clearTimeout(this.#timer)
    const timer = setTimeout(() => {
      // The result may have arrived while the event loop was too busy to deliver it.
      setImmediate(() => {
        if (this.#timer === timer) act()
      })
    }, milliseconds)
    this.#timer = timer
    return timer
  }
}
