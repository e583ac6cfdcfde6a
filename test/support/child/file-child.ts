import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('file-jobs.mjs', import.meta.url))

/** A process at work on a file, as file-jobs.mjs describes the jobs. */
export class FileChild {
  readonly process: ChildProcess
  #heard = ''

  constructor(job: 'increment-as' | 'hold' | 'contend', path: string, count = 1) {
    this.process = spawn(process.execPath, [script, job, path, String(count)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.process.stdout?.on('data', (text) => {
      this.#heard += text
    })
  }

  /** Resolves at its first output. */
  async firstWord(): Promise<void> {
    while (this.#heard === '') await once(this.process.stdout ?? this.process, 'data')
  }

  start(): void {
    this.process.stdin?.write('go\n')
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.ended()
  }

  /** The exit code, or null after a signal. */
  async ended(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'close')
    return this.process.exitCode
  }
}
