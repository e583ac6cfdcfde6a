import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const jobs = fileURLToPath(new URL('./command-jobs.mjs', import.meta.url))

/** How a command ended, and what it printed. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Where a server listens, and what it printed until then. */
interface Up {
  readonly url: string
  readonly stdout: string
}

/** Runs commands one after another in one process: to start Node takes longer than any of them. */
export class Commands {
  readonly #child: ChildProcess
  readonly #died: Promise<never>
  #serving: Promise<Ended> | undefined

  constructor() {
    const { PORT: _, ...env } = process.env
    this.#child = fork(jobs, {
      env,
      // Not those of vitest.
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#died = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`The process ended with ${code}.`)
    })
    this.#died.catch(() => undefined)
  }

  /** Runs the built program to its end. */
  run(args: readonly string[], cwd: string): Promise<Ended> {
    return this.#give(args, cwd, {})
  }

  /** Runs it until it serves. It does so until `stop` is called. */
  async serve(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Up> {
    const up = this.#hear<Up>('url')
    const ended = this.#give(args, cwd, env)
    this.#serving = ended
    const failed = ended.then(({ code, stderr }) => {
      throw new Error(`It ended with ${code} before it served:\n${stderr}`)
    })
    return Promise.race([up, failed])
  }

  /** Ends the server, if one runs, as a signal would. */
  async stop(): Promise<Ended | undefined> {
    const ended = this.#serving
    this.#serving = undefined
    if (ended) this.#child.send({ isOver: true })
    return ended
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }

  #give(args: readonly string[], cwd: string, env: object): Promise<Ended> {
    const ended = Promise.race([this.#hear<Ended>('code'), this.#died])
    ended.catch(() => undefined)
    this.#child.send({ args, cwd, env })
    return ended
  }

  /** The next message that has this key. None comes after the end of the command. */
  #hear<T>(key: string): Promise<T> {
    return new Promise((resolve) => {
      const hear = (message: object): void => {
        if (key in message) resolve(message as T)
        if (key in message || 'code' in message) this.#child.off('message', hear)
      }
      this.#child.on('message', hear)
    })
  }
}
