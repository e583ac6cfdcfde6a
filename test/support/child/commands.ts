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

/** Runs commands that end by themselves, one after another in one process: to start Node takes longer than any of them. */
export class Commands {
  readonly #child: ChildProcess = fork(jobs, {
    // Not those of vitest.
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  readonly #died: Promise<never>

  constructor() {
    this.#died = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`The process ended with ${code}.`)
    })
    this.#died.catch(() => undefined)
  }

  /** Runs the built program to its end. */
  async run(args: readonly string[], cwd: string): Promise<Ended> {
    const ended = once(this.#child, 'message')
    this.#child.send({ args, cwd })
    const [outcome] = await Promise.race([ended, this.#died])
    return outcome
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }
}
