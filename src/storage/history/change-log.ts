import { Kept } from './kept.ts'
import { type Recorded, withOwnRows } from './recorded.ts'

/** The last changes of any kind, undoing included, in order: what others follow. */
export class ChangeLog {
  #records: Recorded[] = []
  readonly #kept = new Kept()
  /** All changes after this version are kept. */
  #base: number

  constructor(base: number) {
    this.#base = base
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  get version(): number {
    return this.#records.at(-1)?.version ?? this.#base
  }

  add(recorded: Recorded): void {
    this.#records.push(recorded)
    this.#kept.add(recorded)
    this.#trim()
  }

  /** Replaces a change by the same with its size. */
  weigh(recorded: Recorded): void {
    const at = this.#records.findLastIndex(({ version }) => version === recorded.version)
    const old = this.#records[at]
    if (!old) return
    this.#records[at] = { ...old, bytes: recorded.bytes }
    this.#kept.remove(old)
    this.#kept.add(recorded)
    this.#trim()
  }

  find(version: number): Recorded | undefined {
    return this.#records.find((recorded) => recorded.version === version)
  }

  /** Oldest first; undefined if some of them are not kept, or the version is ahead. */
  after(version: number): readonly Recorded[] | undefined {
    if (version < this.#base || version > this.version) return undefined
    return this.#records.filter((recorded) => recorded.version > version)
  }

  /** Newest first. */
  before(version: number, most: number): readonly Recorded[] {
    const end = this.#records.findLastIndex((recorded) => recorded.version < version) + 1
    return this.#records.slice(Math.max(0, end - most), end).reverse()
  }

  /** Nothing before this version can be told anymore. */
  startAt(version: number): void {
    this.#records = []
    this.#kept.clear()
    this.#base = version
  }

  copyRows(): void {
    this.#records = this.#records.map(withOwnRows)
  }

  #trim(): void {
    while (this.#kept.isTooMuch) {
      const oldest = this.#records.shift()
      if (!oldest) return
      this.#kept.remove(oldest)
      this.#base = oldest.version
    }
  }
}
