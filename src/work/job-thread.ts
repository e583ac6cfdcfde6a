import { Worker } from 'node:worker_threads'

export interface JobThreadOptions {
  /** What the program of the thread finds in `workerData`. */
  readonly data?: unknown
  /** How many jobs may wait. */
  readonly most: number
  /**
   * Milliseconds without a job after which the thread ends.
   * @default 10000
   */
  readonly idle?: number
}

/** So many jobs wait that another one is refused. */
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
 * Does jobs one after the other in a thread of its own, so that nobody else waits for them. The thread begins with the
 * first job and ends when there are none; it never keeps the process.
 *
 * Its program is a text: so it is the same whether we run bundled, as a module, by `require` or from the sources. It
 * gets each job as a message and answers with one.
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

  /** @param isWanted asked when its turn comes: whoever waited for it may be gone */
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
