import type { TransferProgress } from '../index.ts'
import { exportData, importData } from '../index.ts'
import { shownSource } from '../internals.ts'
import type { Command } from './args.ts'
import { INTERRUPTED, print, printError, untilAskedToStop } from './terminal.ts'

export async function transfer(command: Command & { kind: 'transfer' }): Promise<number> {
  const { way, from, to, options } = command
  const bar = new ProgressBar(process.stderr)
  const stop = new AbortController()
  untilAskedToStop().then(() => stop.abort())
  const all = { ...options, signal: stop.signal, onProgress: bar.show.bind(bar) }
  try {
    const { resources, rows } = await (command.way === 'export'
      ? exportData({ ...all, from: command.from, to: to === '-' ? process.stdout : to })
      : importData({ ...all, from: from === '-' ? process.stdin : from, to }))
    bar.clear()
    const start = from === '-' ? 'standard input' : shownSource(from)
    const end = to === '-' ? 'standard output' : shownSource(to)
    const report = to === '-' ? printError : print
    report(`${counted(rows, 'row')} of ${counted(resources, 'resource')}: ${start} → ${end}`)
    return 0
  } catch (error) {
    bar.clear()
    if (!stop.signal.aborted) throw error
    const left = to === '-' ? 'part of the data is missing' : 'nothing was changed'
    printError(`The ${way} was interrupted: ${left}.`)
    return INTERRUPTED
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

const WIDTH = 24
const REDRAW_MS = 100

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows the progress of a transfer on one line of a terminal. */
export class ProgressBar {
  readonly #screen: Screen
  readonly #now: () => number
  #next: number

  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen
    this.#now = now
    this.#next = now() + REDRAW_MS
  }

  show(progress: TransferProgress): void {
    const now = this.#now()
    if (!this.#screen.isTTY || now < this.#next) return
    this.#next = now + REDRAW_MS
    const text = `${bar(progress)}${progress.rows.toLocaleString('en-US')} rows`
    // One column less: some terminals begin another line as the last is filled.
    this.#screen.write(`\r\x1b[K${text.slice(0, (this.#screen.columns ?? 80) - 1)}`)
  }

  clear(): void {
    if (this.#screen.isTTY) this.#screen.write('\r\x1b[K')
  }
}

/** Empty where nobody knows the end. */
function bar({ rows, totalRows, bytes, totalBytes }: TransferProgress): string {
  const [part, total] = totalBytes === undefined ? [rows, totalRows] : [bytes, totalBytes]
  if (total === undefined) return ''
  const share = total === 0 ? 1 : Math.min(part / total, 1)
  const done = Math.floor(WIDTH * share)
  return `${'█'.repeat(done)}${'░'.repeat(WIDTH - done)} ${Math.floor(100 * share)}% · `
}
