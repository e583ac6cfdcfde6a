import type { TransferProgress } from '../app/source/transfer-options.ts'

const WIDTH = 24
/** How often it is drawn, and how often a line is printed where nobody looks on, in milliseconds. */
const REDRAW = 100
const SELDOM = 10_000

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows on one line of a terminal how far a transfer is, or tells of it now and then where there is none. */
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
    const text = describe(progress, (now - this.#start) / 1000)
    if (!this.#screen.isTTY) this.#screen.write(`${text}\n`)
    // One column less: some terminals begin another line as the last is filled.
    else this.#screen.write(`\r\x1b[K${`${bar(progress)}${text}`.slice(0, (this.#screen.columns ?? 80) - 1)}`)
  }

  /** Leaves the line empty for what comes next. */
  clear(): void {
    if (this.#screen.isTTY) this.#screen.write('\r\x1b[K')
  }

  get #pause(): number {
    return this.#screen.isTTY ? REDRAW : SELDOM
  }
}

/** From 0 to 1; undefined if nobody knows. */
function shareOf({ rows, totalRows, bytes, totalBytes }: TransferProgress): number | undefined {
  if (totalBytes !== undefined) return totalBytes === 0 ? 1 : Math.min(bytes / totalBytes, 1)
  if (totalRows !== undefined) return totalRows === 0 ? 1 : Math.min(rows / totalRows, 1)
  return undefined
}

function bar(progress: TransferProgress): string {
  const share = shareOf(progress)
  if (share === undefined) return ''
  const done = Math.floor(WIDTH * share)
  return `${'█'.repeat(done)}${'░'.repeat(WIDTH - done)} `
}

function describe(progress: TransferProgress, seconds: number): string {
  const share = shareOf(progress)
  const rows = `${progress.rows.toLocaleString('en-US')} rows`
  const rate = `${Math.round(progress.rows / Math.max(seconds, 0.1)).toLocaleString('en-US')} rows/s`
  if (share === undefined) return `${rows} · ${megabytes(progress.bytes)} · ${rate}`
  if (share === 1) return `100% · ${rows} · finishing`
  const percent = `${Math.floor(100 * share)}%`
  const left = share > 0.02 ? ` · ${duration((seconds / share) * (1 - share))} left` : ''
  return `${percent} · ${rows} · ${rate}${left}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`
}
