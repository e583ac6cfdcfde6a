import { expect } from 'vitest'
import type { Data } from '../child/real-server.ts'

/** What a row holds besides its id; undefined stands for no row. */
export type Content = Readonly<Record<string, unknown>> | undefined

interface Entry {
  /** What the server last confirmed. */
  confirmed: Content
  /** A request without a response yet: it may have been applied or not, but not halfway. */
  asked?: { readonly content: Content; readonly batch: string }
}

/**
 * The clients' view: every write that was sent, and every one that was confirmed. Rows are
 * identified by their field `key`, which only one client uses, one request at a time.
 */
export class Ledger {
  readonly #entries = new Map<string, Entry>()
  confirmations = 0

  /** Call before a write is sent. Keys of one batch are written by one request. */
  ask(contents: Readonly<Record<string, Content>>): void {
    const batch = Object.keys(contents).join()
    for (const [key, content] of Object.entries(contents)) {
      const entry = this.#entries.get(key) ?? { confirmed: undefined }
      this.#entries.set(key, { ...entry, asked: { content, batch } })
    }
  }

  confirm(...keys: readonly string[]): void {
    this.confirmations += 1
    this.#settle(keys, (entry) => ({ confirmed: entry.asked?.content }))
  }

  /** The server said that nothing was changed. */
  refuse(...keys: readonly string[]): void {
    this.#settle(keys, ({ confirmed }) => ({ confirmed }))
  }

  /** Compares with what is stored, and records the outcome of unanswered writes. */
  check(data: Data, collection = 'items'): void {
    const rows = rowsOf(data[collection])
    const ids = rows.map(({ id }) => String(id))
    expect(new Set(ids).size, 'every id once').toBe(ids.length)
    const stored = new Map(rows.map(({ id, ...content }) => [String(content.key), content]))
    expect(stored.size, 'every key once').toBe(rows.length)

    const faults: unknown[] = []
    const fates = new Map<string, Set<boolean>>()
    for (const [key, entry] of this.#entries) {
      const found = stored.get(key)
      const isAsConfirmed = isSame(found, entry.confirmed)
      const isAsAsked = entry.asked !== undefined && isSame(found, entry.asked.content)
      if (!isAsConfirmed && !isAsAsked) faults.push({ key, found, ...entry })
      if (entry.asked) {
        const fate = fates.get(entry.asked.batch) ?? new Set()
        fates.set(entry.asked.batch, fate.add(isAsAsked))
      }
      this.#entries.set(key, { confirmed: found })
    }
    expect(faults, 'rows that are neither as confirmed nor as asked for').toEqual([])
    expect(
      [...fates].filter(([, fate]) => fate.size > 1),
      'batches that happened by half',
    ).toEqual([])
    const strangers = [...stored.keys()].filter((key) => !this.#entries.has(key))
    expect(strangers, 'rows that nobody asked for').toEqual([])
  }

  #settle(keys: readonly string[], next: (entry: Entry) => Entry): void {
    for (const key of keys) {
      const entry = this.#entries.get(key)
      if (entry) this.#entries.set(key, next(entry))
    }
  }
}

function rowsOf(value: unknown): readonly Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error('There is no such collection')
  return value
}

/** Compares fields by value: they hold only strings and numbers. */
function isSame(a: Content, b: Content): boolean {
  if (a === undefined || b === undefined) return a === b
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}
