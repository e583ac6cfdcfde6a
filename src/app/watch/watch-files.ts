import { stat } from 'node:fs/promises'
import { versionOf } from '../../storage/disk/fs.ts'
import { FolderWatch, type OpenWatch } from './watch-folders.ts'

export interface FileWatchOptions {
  /** The system has no watches left, so the files are polled every `interval` milliseconds from now on. */
  readonly onPolling?: (code: string, interval: number) => void
  /** Poll instead of using the system's watches, which network drives and some virtual machines lack. */
  readonly usePolling?: boolean
  /** Polling interval in milliseconds. @default 250 */
  readonly interval?: number
  readonly open?: OpenWatch
}

interface Followed {
  known: string
  /** A newer version, and since when it has been stable. */
  pending?: { readonly version: string; readonly since: number; readonly first: number }
}

const GONE = 'gone'
/** Debounce: how long a file must be unchanged to count as written, in milliseconds. */
const QUIET = 40
/** The same for a missing file: editors and version control delete a file and write it again. */
const QUIET_WHEN_GONE = 250
/** A file that keeps changing is reported after this long anyway. */
const PATIENCE = 500
/** From the system's hint to the check: hints come in bursts. */
const SOON = 10
/** Interval of checks without a hint: for mounted files, replaced folders, and whatever else gives none. */
const SWEEP = 1000
const POLL = 250

/** Reports changed files, however they change. `stat` decides; the system's events only make it fast. */
export class FileWatch {
  readonly #options: FileWatchOptions
  readonly #files = new Map<string, Followed>()
  #onChange: (paths: readonly string[]) => void = () => {}
  #folders: FolderWatch | undefined
  #interval: number
  #timer: NodeJS.Timeout | undefined
  #coveredAt = Number.NEGATIVE_INFINITY
  #isLooking = false
  #isHinted = false
  #isClosed = false

  constructor(options: FileWatchOptions = {}) {
    const { usePolling = false, interval = POLL, open } = options
    this.#options = options
    this.#interval = usePolling ? interval : SWEEP
    if (usePolling) return
    this.#folders = new FolderWatch({
      onHint: () => this.#hint(),
      onRefused: (code) => this.#poll(code, interval),
      open,
    })
  }

  /** Watches exactly these files. New ones count as known in their current state. */
  async follow(paths: Iterable<string>): Promise<void> {
    const wanted = new Set(paths)
    for (const path of this.#files.keys()) if (!wanted.has(path)) this.#files.delete(path)
    const added = [...wanted].filter((path) => !this.#files.has(path))
    await Promise.all(added.map(async (path) => this.#files.set(path, { known: await versionAt(path) })))
    this.#coveredAt = Number.NEGATIVE_INFINITY
    if (this.#timer) this.#hint()
  }

  /** Starts reporting files that changed and settled, beginning with those changed since `follow`. */
  start(onChange: (paths: readonly string[]) => void): void {
    this.#onChange = onChange
    void this.#look()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#folders?.close()
  }

  #hint(): void {
    this.#isHinted = true
    if (!this.#isLooking) this.#lookIn(SOON)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    this.#isHinted = false
    // Before checking the files, so that any later change gives a hint.
    await this.#cover()
    const changed: string[] = []
    await Promise.all(
      [...this.#files].map(async ([path, file]) => {
        if (hasSettled(file, await versionAt(path))) changed.push(path)
      }),
    )
    this.#isLooking = false
    if (this.#isClosed) return
    const isRestless = [...this.#files.values()].some(({ pending }) => pending)
    this.#lookIn(isRestless ? QUIET : this.#isHinted ? SOON : this.#interval)
    if (changed.length > 0) this.#onChange(changed)
  }

  #lookIn(delay: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#look(), delay).unref()
  }

  async #cover(): Promise<void> {
    if (performance.now() - this.#coveredAt < SWEEP) return
    this.#coveredAt = performance.now()
    await this.#folders?.cover(this.#files.keys())
  }

  #poll(code: string, interval: number): void {
    if (this.#folders === undefined) return
    this.#folders.close()
    this.#folders = undefined
    this.#interval = interval
    this.#options.onPolling?.(code, interval)
    this.#hint()
  }
}

/** chokidar's environment variables, which many docker-compose.yml files already set. */
export function pollingFrom(env: NodeJS.ProcessEnv): Pick<FileWatchOptions, 'usePolling' | 'interval'> {
  const interval = Number(env.CHOKIDAR_INTERVAL)
  return {
    usePolling: /^(1|true)$/i.test(env.CHOKIDAR_USEPOLLING ?? ''),
    ...(interval >= 1 && { interval }),
  }
}

/** Records the current version, and returns whether it is new and settled. */
function hasSettled(file: Followed, version: string): boolean {
  if (version === file.known) {
    delete file.pending
    return false
  }
  const now = performance.now()
  const { pending } = file
  const since = pending?.version === version ? pending.since : now
  const first = pending?.first ?? now
  const quiet = version === GONE ? QUIET_WHEN_GONE : QUIET
  if (now - since < quiet && now - first < PATIENCE) {
    file.pending = { version, since, first }
    return false
  }
  file.known = version
  delete file.pending
  return true
}

async function versionAt(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found ? versionOf(found) : GONE
}
