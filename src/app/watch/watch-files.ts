import { stat } from 'node:fs/promises'
import { versionOf } from '../../storage/disk/fs.ts'
import { FolderWatch, type OpenWatch } from './watch-folders.ts'

export interface FileWatchOptions {
  /** The system gives no watches, so the files are looked at every `interval` milliseconds from now on. */
  readonly onPolling?: (code: string, interval: number) => void
  /** Do without the system's watches, which network drives and some virtual machines do not have. */
  readonly usePolling?: boolean
  /** Milliseconds between looks where there are no watches. @default 250 */
  readonly interval?: number
  readonly open?: OpenWatch
}

interface Followed {
  /** What was there when it was last reported. */
  known: string
  /** What is there since, and whether it still changes. */
  pending?: { readonly version: string; readonly since: number; readonly first: number }
}

const GONE = 'gone'
/** How long a file stays as it is before it counts as written, in milliseconds. */
const QUIET = 40
/** The same for a file that is gone: editors and version control delete it and write it anew. */
const QUIET_WHEN_GONE = 250
/** A file that never comes to rest is reported nevertheless. */
const PATIENCE = 500
/** From the system's hint to the look: several come at once. */
const SOON = 10
/** Looks without a hint: for files mounted from elsewhere, replaced folders, and whatever else gives none. */
const SWEEP = 1000
const POLL = 250

/**
 * Tells when files change, however that is done: in place, by renaming, in many steps, by replacing a folder.
 * What `stat` says decides; what the system tells only makes it quick.
 */
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

  /** Follows these files and no others. Those that are new count as known as they are now. */
  async follow(paths: Iterable<string>): Promise<void> {
    const wanted = new Set(paths)
    for (const path of this.#files.keys()) if (!wanted.has(path)) this.#files.delete(path)
    const added = [...wanted].filter((path) => !this.#files.has(path))
    await Promise.all(added.map(async (path) => this.#files.set(path, { known: await versionAt(path) })))
    this.#coveredAt = Number.NEGATIVE_INFINITY
    if (this.#timer) this.#hint()
  }

  /** Begins to report files that have changed and come to rest, first of all those changed since `follow`. */
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
    // Before the files: a change after the look then gives a hint.
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

/** chokidar's switches, which many a docker-compose.yml has already. */
export function pollingFrom(env: NodeJS.ProcessEnv): Pick<FileWatchOptions, 'usePolling' | 'interval'> {
  const interval = Number(env.CHOKIDAR_INTERVAL)
  return {
    usePolling: /^(1|true)$/i.test(env.CHOKIDAR_USEPOLLING ?? ''),
    ...(interval >= 1 && { interval }),
  }
}

/** Takes note of what is there now, and says whether that is new and at rest. */
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
