import { Worker } from 'node:worker_threads'

export interface JobThreadOptions {
  /** The thread's `workerData`. */
  readonly data?: unknown
  /** How many jobs may queue. */
  readonly most: number
  /**
   * Milliseconds without a job after which the thread ends.
   * @default 10000
   */
  readonly idle?: number
}

/** The queue is full. */
export class ThreadBusyError extends Error {
  override readonly name = 'ThreadBusyError'
}

interface Waiting<Job, Result> {
  readonly job: Job
  readonly isWanted: () => boolean
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Runs jobs one after the other in a separate thread, off the event loop. The thread starts with the
 * first job and ends when idle; it never keeps the process alive.
 *
 * Its program is a string, so that it works bundled, as a module, by `require` and from the sources alike. It
 * receives each job as a message and answers with one.
 */
export class JobThread<Job, Result> {
  readonly #program: string
  readonly #options: JobThreadOptions
  #waiting: Waiting<Job, Result>[] = []
  #current: Waiting<Job, Result> | undefined
  #worker: Worker | undefined
  #end: NodeJS.Timeout | undefined

  constructor(program: string, options: JobThreadOptions) {
    this.#program = program
    this.#options = options
  }

  /** @param isWanted called before the job runs: its client may be gone */
  run(job: Job, isWanted: () => boolean = () => true): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { most } = this.#options
      if (this.#waiting.length >= most) this.#waiting = this.#waiting.filter((waiting) => waiting.isWanted())
      if (this.#waiting.length >= most) {
        reject(new ThreadBusyError('Too many jobs are waiting'))
        return
      }
      this.#waiting.push({ job, isWanted, resolve, reject })
      if (this.#current === undefined) this.#next()
    })
  }

  #next(): void {
    do this.#current = this.#waiting.shift()
    while (this.#current?.isWanted() === false)
    clearTimeout(this.#end)
    if (this.#current === undefined) {
      this.#worker?.unref()
      this.#end = setTimeout(() => void this.#stop(), this.#options.idle ?? 10_000).unref()
      return
    }
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(this.#current.job)
  }

  #start(): Worker {
    const options = { eval: true, workerData: this.#options.data, execArgv: [] }
    return new Worker(this.#program, options)
      .on('message', (result: Result) => {
        this.#current?.resolve(result)
        this.#next()
      })
      .on('error', (reason) => {
        this.#worker = undefined
        this.#current?.reject(reason)
        this.#next()
      })
  }

  async #stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
