import { type Entry, Kept } from './kept.ts'

/** The last changes of any kind, undoing included, in order: what others follow. */
export class ChangeLog<E extends Entry> {
  #entries: E[] = []
  readonly #kept = new Kept()
  readonly #drop: (entry: E) => void
  /** All changes after this version are kept. */
  #base: number

  /** @param drop called with each change that is no longer kept */
  constructor(base: number, drop: (entry: E) => void = () => {}) {
    this.#base = base
    this.#drop = drop
  }

  get base(): number {
    return this.#base
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  get version(): number {
    return this.#entries.at(-1)?.version ?? this.#base
  }

  add(entry: E): void {
    this.#entries.push(entry)
    this.#kept.add(entry)
    this.#trim()
  }

  find(version: number): E | undefined {
    return this.#entries.find((entry) => entry.version === version)
  }

  /** Oldest first; undefined if some of them are not kept, or the version is ahead. */
  after(version: number): readonly E[] | undefined {
    if (version < this.#base || version > this.version) return undefined
    return this.#entries.filter((entry) => entry.version > version)
  }

  /** Newest first. */
  before(version: number, most: number): readonly E[] {
    const end = this.#entries.findLastIndex((entry) => entry.version < version) + 1
    return this.#entries.slice(Math.max(0, end - most), end).reverse()
  }

  /** Nothing before this version can be told anymore. */
  startAt(version: number): void {
    const dropped = this.#entries
    this.#entries = []
    this.#kept.clear()
    this.#base = version
    dropped.forEach(this.#drop)
  }

  #trim(): void {
    while (this.#kept.isTooMuch) {
      const oldest = this.#entries.shift()
      if (!oldest) return
      this.#kept.remove(oldest)
      this.#base = oldest.version
      this.#drop(oldest)
    }
  }
}
