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
    return this.#give(args, cwd, {}).ended
  }

  /** Runs it until it serves. It does so until `stop` is called. */
  async serve(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Up> {
    const { up, ended } = this.#give(args, cwd, env)
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

  #give(args: readonly string[], cwd: string, env: object): { up: Promise<Up>; ended: Promise<Ended> } {
    const said = <T>(key: string) =>
      new Promise<T>((resolve) => {
        const hear = (message: object): void => {
          if (!(key in message)) return
          this.#child.off('message', hear)
          resolve(message as T)
        }
        this.#child.on('message', hear)
      })
    const ended = Promise.race([said<Ended>('code'), this.#died])
    ended.catch(() => undefined)
    const up = said<Up>('url')
    this.#child.send({ args, cwd, env })
    return { up, ended }
  }
}
