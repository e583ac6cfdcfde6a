import { Worker, type WorkerOptions } from 'node:worker_threads'
import { JobError } from './job-error.ts'

export interface JobThreadOptions<Job> {
  readonly makeThread: () => Worker
  /** How many jobs may queue. */
  readonly most: number
  /** Milliseconds a job may take, read when its turn comes. */
  readonly limit: (job: Job) => number
  /** Milliseconds without a job after which the thread ends. Starting one takes 40. @default 10000 */
  readonly idle?: number | undefined
  /** Milliseconds a thread may take to start, on a busy machine. @default 10000 */
  readonly start?: number | undefined
}

/**
 * A thread for `JobThread`. Its program is a string, so that it works bundled, as a module, by `require` and from the
 * sources alike. It posts one message when it is ready, then receives each job as a message and answers with one.
 */
export function makeThread(program: string, options: WorkerOptions = {}): Worker {
  return new Worker(program, { eval: true, execArgv: [], env: {}, ...options })
}

interface Waiting<Job, Result> {
  readonly job: Job
  readonly isWanted: () => boolean
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Runs jobs one after the other in a separate thread, off the event loop. The thread starts with the first job, is
 * replaced when a job takes too long, and ends when idle. It keeps the process alive only while a job runs, which is
 * no longer than its limit.
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

  /**
   * Rejects with a `JobError`, or with the reason why no thread could be started.
   * @param isWanted checked when its turn comes: a job is skipped if its client has disconnected
   */
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

  /** Never throws: it is also called from the thread's event handlers. */
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
      // Ignore events of a thread that was replaced.
      const ifCurrent = <T>(hear: (value: T) => void) => {
        return (value: T) => {
          if (thread === this.#thread) hear(value)
        }
      }
      const hear = ifCurrent((message: Result) => this.#hear(message))
      const lose = ifCurrent((error: unknown) => this.#lose(error))
      thread.on('message', hear)
      thread.on('error', lose)
      thread.on('exit', (code: number) => lose(new Error(`exit code ${code}`)))
      thread.unref()
    } catch (error) {
      this.#fail(error)
    }
  }

  #hear(message: Result): void {
    if (this.#isReady) this.#current?.resolve(message)
    this.#isReady = true
    this.#current = undefined
    this.#next()
  }

  /** The thread ended by itself: an error, out of memory, or its program exited. */
  #lose(cause: unknown): void {
    if (this.#isReady) this.#replace(new JobError('died', cause))
    else this.#fail(cause)
  }

  /** Abandons the job and its thread; the next job gets a new one. */
  #replace(error: unknown): void {
    const current = this.#current
    this.#stop()
    current?.reject(error)
    this.#next()
  }

  /** No thread can be started: reject all waiting jobs, which would otherwise fail one after the other. */
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
      // The result may have arrived already, while the event loop was too busy to deliver it.
      setImmediate(() => {
        if (this.#timer === timer) act()
      })
    }, milliseconds)
    this.#timer = timer
    return timer
  }
}
