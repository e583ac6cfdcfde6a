import { type FSWatcher, watch } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { codeOf } from '../../storage/disk/fs.ts'

/** Opens a watch on one folder. Node's own; tests inject one that fails. */
export type OpenWatch = (folder: string, listener: (event: string, name: string | null) => void) => FSWatcher

export interface FolderWatchOptions {
  /** Something happened to one of the files, or may have. */
  readonly onHint: () => void
  /** The system has no watches, or none left: no hints will come. */
  readonly onRefused: (code: string) => void
  readonly open?: OpenWatch | undefined
}

interface Watched {
  readonly watcher: FSWatcher
  /** Identifies the folder: another one may take its name. */
  readonly identity: string
  names: ReadonlySet<string>
}

/** Errors from a folder that is missing or being deleted. It may come back. */
const PASSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EPERM', 'EACCES'])

/** Watches folders, because a watch on a file stays with the old inode when an editor puts a new file in its place. */
export class FolderWatch {
  readonly #folders = new Map<string, Watched>()
  readonly #options: FolderWatchOptions
  #isClosed = false

  constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  /** Watches the current locations of these files, following links. Calling it again repairs broken watches. */
  async cover(files: Iterable<string>): Promise<void> {
    const wanted = await foldersOf(files)
    for (const [folder, { watcher }] of this.#folders) {
      if (wanted.has(folder)) continue
      watcher.close()
      this.#folders.delete(folder)
    }
    for (const [folder, names] of wanted) await this.#coverFolder(folder, names)
  }

  close(): void {
    this.#isClosed = true
    for (const { watcher } of this.#folders.values()) watcher.close()
    this.#folders.clear()
  }

  async #coverFolder(folder: string, names: ReadonlySet<string>): Promise<void> {
    const identity = await identityOf(folder)
    const known = this.#folders.get(folder)
    if (known && known.identity === identity) {
      known.names = names
      return
    }
    known?.watcher.close()
    this.#folders.delete(folder)
    if (identity === undefined || this.#isClosed) return
    try {
      this.#open(folder, identity, names)
    } catch (error) {
      this.#fail(folder, error)
    }
  }

  #open(folder: string, identity: string, names: ReadonlySet<string>): void {
    const { open = openWatch, onHint } = this.#options
    const watcher = open(folder, (_event, name) => {
      if (name === null || watched.names.has(name)) onHint()
    })
    const watched: Watched = { watcher, identity, names }
    watcher.on('error', (error) => this.#fail(folder, error))
    this.#folders.set(folder, watched)
  }

  #fail(folder: string, error: unknown): void {
    this.#folders.get(folder)?.watcher.close()
    this.#folders.delete(folder)
    const code = codeOf(error) ?? 'unknown'
    if (!PASSING.has(code) && !this.#isClosed) this.#options.onRefused(code)
  }
}

const openWatch: OpenWatch = (folder, listener) => watch(folder, { persistent: false }, listener)

async function foldersOf(files: Iterable<string>): Promise<Map<string, Set<string>>> {
  const folders = new Map<string, Set<string>>()
  for (const file of files) {
    for (const path of new Set([file, await realpath(file).catch(() => file)])) {
      const folder = dirname(path)
      folders.set(folder, (folders.get(folder) ?? new Set()).add(basename(path)))
    }
  }
  return folders
}

async function identityOf(folder: string): Promise<string | undefined> {
  const found = await stat(folder, { bigint: true }).catch(() => undefined)
  return found && `${found.dev} ${found.ino}`
}
