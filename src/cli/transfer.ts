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
/** Milliseconds between two updates: of a terminal, and of other output. */
const REDRAW_MS = 100
const LINE_MS = 10_000

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows the progress of a transfer: on one line of a terminal, or as a line now and then. */
export class ProgressBar {
  readonly #screen: Screen
  readonly #now: () => number
  readonly #start: number
  #next: number

  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen
    this.#now = now
    this.#start = now()
    this.#next = this.#start + this.#pause
  }

  show(progress: TransferProgress): void {
    const now = this.#now()
    if (now < this.#next) return
    this.#next = now + this.#pause
    const text = describeProgress(progress, (now - this.#start) / 1000)
    if (!this.#screen.isTTY) this.#screen.write(`${text}\n`)
    // One column less: some terminals begin another line as the last is filled.
    else this.#screen.write(`\r\x1b[K${`${bar(progress)}${text}`.slice(0, (this.#screen.columns ?? 80) - 1)}`)
  }

  clear(): void {
    if (this.#screen.isTTY) this.#screen.write('\r\x1b[K')
  }

  get #pause(): number {
    return this.#screen.isTTY ? REDRAW_MS : LINE_MS
  }
}

function shareOf({ rows, totalRows }: TransferProgress): number | undefined {
  if (totalRows === undefined) return undefined
  return totalRows === 0 ? 1 : Math.min(rows / totalRows, 1)
}

function bar(progress: TransferProgress): string {
  const share = shareOf(progress)
  if (share === undefined) return ''
  const done = Math.floor(WIDTH * share)
  return `${'█'.repeat(done)}${'░'.repeat(WIDTH - done)} `
}

function describeProgress(progress: TransferProgress, seconds: number): string {
  const share = shareOf(progress)
  const rows = `${progress.rows.toLocaleString('en-US')} rows`
  const rate = `${Math.round(progress.rows / Math.max(seconds, 0.1)).toLocaleString('en-US')} rows/s`
  if (share === undefined) return `${rows} · ${(progress.bytes / 1_000_000).toFixed(1)} MB · ${rate}`
  if (share === 1) return `100% · ${rows} · finishing`
  const percent = `${Math.floor(100 * share)}%`
  const left = share > 0.02 ? ` · ${duration((seconds / share) * (1 - share))} left` : ''
  return `${percent} · ${rows} · ${rate}${left}`
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`
}
