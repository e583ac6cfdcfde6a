import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Printed after each command, so that its output has an end. */
const END = '\u001e'

/** The reader's second terminal: one shell, so that variables last from one block to the next. */
export class Terminal {
  readonly #shell: ChildProcessWithoutNullStreams
  readonly #closed: Promise<unknown>
  #printed = ''

  constructor() {
    this.#shell = spawn('bash', [], { env: { ...process.env, no_proxy: '*' } })
    this.#closed = once(this.#shell, 'close')
    this.#shell.stderr.resume()
    this.#shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text
      if (this.#printed.includes(END)) this.#shell.emit('done')
    })
  }

  /** The command's standard output. */
  async type(command: string): Promise<string> {
    this.#printed = ''
    this.#shell.stdin.write(`${command}\nprintf '\\036'\n`)
    await Promise.race([new Promise<void>((done) => this.#shell.once('done', done)), this.#closed])
    if (!this.#printed.includes(END)) throw new Error(`The shell ended at:\n${command}`)
    return this.#printed.slice(0, this.#printed.indexOf(END))
  }

  async close(): Promise<void> {
    this.#shell.stdin.end()
    this.#shell.kill()
    await this.#closed
  }
}
