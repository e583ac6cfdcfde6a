import { readFileSync } from 'node:fs'
import { ConfigError } from '../../../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import { attempt } from '../../../core/kernel/util/attempt.ts'
import { Turns } from '../../../core/kernel/util/turns.ts'
import { replaceFiles } from '../../../stores/file/write-file.ts'
import { Cleaner } from './cleaner.ts'
import type { Entry } from './entries.ts'
import type { RecordedRoute } from './routes.ts'

/** Fields of the recorded rows of a collection, and those that nested paths gave them. */
export interface RecordedCollection {
  readonly fields: readonly string[]
  readonly keys?: readonly string[]
}

const MOST_ENTRIES = 5000
const LARGEST = 1024 * 1024
const MOST_BYTES = 64 * 1024 * 1024

/** Everything that was recorded besides rows, in memory and in `restable.recording.json`. */
export class Recording {
  readonly collections: Map<string, RecordedCollection>
  readonly routes: Map<string, RecordedRoute>
  readonly entries: Map<string, Entry>
  readonly cleaner: Cleaner
  /** Answers that were not kept, or no longer are: too large, or too many. */
  unkept = 0
  /** Undefined if nothing is written. */
  readonly #file: string | undefined
  readonly #turns = new Turns()
  #written: string | undefined
  #bytes = 0

  private constructor(
    from: Pick<Recording, 'collections' | 'routes' | 'entries' | 'cleaner'>,
    file?: string,
  ) {
    this.collections = new Map(from.collections)
    this.routes = new Map(from.routes)
    this.entries = new Map([...from.entries].sort(([, a], [, b]) => a.age - b.age))
    for (const entry of this.entries.values()) this.#bytes += sizeOf(entry)
    this.cleaner = from.cleaner
    this.#file = file
  }

  /**
   * @param file undefined for one in memory
   * @param redact names of fields, in place of those in the file
   */
  static open(file: string | undefined, isWritten: boolean, redact?: readonly string[]): Recording {
    const text = file === undefined ? undefined : attempt(() => readFileSync(file, 'utf8'))
    const target = isWritten ? file : undefined
    const cleaner = (names: readonly string[] = []) => Cleaner.of(redact ?? names, file)
    if (text === undefined) return new Recording({ ...EMPTY, cleaner: cleaner() }, target)
    const saved: unknown = attempt(() => JSON.parse(text))
    if (!isObject(saved))
      throw new ConfigError(`${file}: this is no recording. Correct it, or remove it and record again.`)
    const part = <T>(name: string) => new Map(Object.entries(Object(saved[name])) as [string, T][])
    const from = {
      collections: part<RecordedCollection>('collections'),
      routes: part<RecordedRoute>('routes'),
      entries: part<Entry>('answers'),
      cleaner: cleaner(Array.isArray(saved.redact) ? saved.redact.map(String) : []),
    }
    const recording = new Recording(from, target)
    recording.#written = text
    return recording
  }

  get isEmpty(): boolean {
    return this.routes.size === 0 && this.entries.size === 0
  }

  /** For a session: kept in it alone. */
  fork(): Recording {
    return new Recording(this)
  }

  set(key: string, entry: Omit<Entry, 'age'>): void {
    const before = this.entries.get(key)
    this.drop(key)
    const isTooLarge = sizeOf(entry) > LARGEST
    if (isTooLarge) {
      this.unkept += 1
      return
    }
    const age = before?.age ?? ([...this.entries.values()].at(-1)?.age ?? 0) + 1
    this.entries.set(key, { ...entry, age })
    this.#bytes += sizeOf(entry)
    for (const [oldest, { whole }] of this.entries) {
      if (this.entries.size <= MOST_ENTRIES && this.#bytes <= MOST_BYTES) break
      if (whole) this.unkept += 1
      this.drop(oldest)
    }
  }

  drop(key: string): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.#bytes -= sizeOf(entry)
    this.entries.delete(key)
  }

  /** Ends the answers of a resource that was written; if none is named, all that rows give. */
  end(resource?: string): void {
    for (const [key, { resource: own, whole }] of [...this.entries])
      if (resource === undefined ? !whole : own === resource) this.drop(key)
  }

  /** Resolves once it is on disk. */
  save(): Promise<void> {
    return this.#save()
  }

  readonly #save = this.#turns.shared(async () => {
    const text = this.#text()
    if (this.#file === undefined || text === this.#written) return
    await this.cleaner.save(this.#file)
    await replaceFiles([{ target: this.#file, chunks: [Buffer.from(text)] }], async () => {})
    this.#written = text
  })

  #text(): string {
    const { collections, routes, entries, cleaner } = this
    const parts = {
      collections: sorted(collections),
      routes: sorted(routes),
      answers: sorted(entries),
      redact: cleaner.names,
    }
    return `${JSON.stringify(parts, null, 2)}\n`
  }
}

const EMPTY = { collections: new Map(), routes: new Map(), entries: new Map() }

function sorted(map: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sizeOf({ whole }: Pick<Entry, 'whole'>): number {
  return whole ? Buffer.byteLength(JSON.stringify(whole.body)) : 0
}
