import { StorageError, type StorageErrorCode } from '../../catalogue/error-classes.ts'
import type { Pace } from '../../util/pace.ts'
import type { Guard } from '../access/guard.ts'
import { hides } from '../access/hidden-fields.ts'
import type { Column } from '../data/index.ts'
import { byId, fieldText, type Lookup } from '../data/lookup.ts'
import type { Source } from '../data/source.ts'
import { Table } from '../data/table.ts'
import type { FieldFault } from '../resource-rules.ts'
import type { Row } from '../types.ts'
import type { CompiledRules, Pointer, Ruled } from './compiled-rules.ts'

export interface RuledDraft extends Source {
  readonly pace: Pace
  /** Rows by a computed key. Valid until the next change. */
  keyed(collection: string, column: Column): Promise<Lookup>
  replace(collection: string, rows: readonly Row[], next: readonly Row[]): Promise<void>
}

interface Written {
  readonly before: Row | undefined
  readonly label: Label
}

/** By row as the change leaves it, in the order of writing. */
export type WrittenRows = Map<Row, Written>

/** One change under the rules: what it did so far, and what is wrong with that. */
export class Ruling {
  readonly rules: CompiledRules
  readonly draft: RuledDraft
  readonly faults = new FieldErrors('VALIDATION_FAILED')
  readonly written = new Map<string, WrittenRows>()
  readonly removed = new Map<string, Set<Row>>()
  /** Where the current part of a batch stands: `2.`. */
  prefix = ''
  readonly #guard: Guard | undefined
  #now: string | undefined

  /** @param guard for a client that may not know of all rows */
  constructor(rules: CompiledRules, draft: RuledDraft, guard?: Guard) {
    this.rules = rules
    this.draft = draft
    this.#guard = guard
  }

  /** Whether the client may know of this row. */
  maySay(resource: string, row: Row): boolean {
    return this.#guard?.sees(resource, row) ?? true
  }

  /** Whether a field may point at this row: a client can only name what it may know of; the server names the owner. */
  mayName({ collection, field, resource }: Pointer, row: Row): boolean {
    return this.maySay(resource, row) || this.#guard?.isFixed(collection, field) === true
  }

  /** The same for all rows of a change. */
  get now(): string {
    this.#now ??= this.rules.now().toISOString()
    return this.#now
  }

  of(resource: string): Ruled | undefined {
    return this.rules.of(resource)
  }

  /** @param at its place in a list that the client sent */
  label(at?: number): Label {
    return { prefix: at === undefined ? this.prefix : `${this.prefix}${at}.` }
  }

  /** Records a row, and what is wrong with it; `judged` is the same with what it hides as it was sent. */
  addWritten(
    collection: string,
    old: Row | undefined,
    row: Row,
    label: Label,
    { judged, isWhole = false }: { judged?: Row | undefined; isWhole?: boolean } = {},
  ): void {
    this.check(collection, row, label, judged)
    const faults = this.of(collection)?.faultsOf?.(row, old, isWhole) ?? []
    for (const fault of faults) this.faults.add(label, fault)
    this.addReplaced(collection, old, row, label)
  }

  /** Records a row whose fields need no check. */
  addReplaced(collection: string, old: Row | undefined, row: Row, label: Label): void {
    const rows = this.written.get(collection) ?? new Map()
    this.written.set(collection, rows)
    const earlier = old && rows.get(old)
    if (old) rows.delete(old)
    rows.set(row, { before: earlier ? earlier.before : old, label })
  }

  addRemoved(collection: string, rows: readonly Row[]): void {
    const removed = this.removed.get(collection) ?? new Set()
    this.removed.set(collection, removed)
    for (const row of rows) {
      this.written.get(collection)?.delete(row)
      removed.add(row)
    }
  }

  /** Ids of removed rows that no row has now: one may be there again, or another row may have the same. */
  async goneIds(
    collection: string,
    removed: Iterable<Row> = this.removed.get(collection) ?? [],
  ): Promise<ReadonlySet<string>> {
    const { naming, pace } = this.draft
    const find = await this.finder(collection)
    const ids = new Set<string>()
    for (const row of removed) {
      const id = fieldText(row, naming.id)
      if (id !== undefined && !find(id)) ids.add(id)
      if (pace.isDue) await pace.turn()
    }
    return ids
  }

  /** Finds rows by id, until the next change. */
  async finder(collection: string): Promise<(id: string) => Row | undefined> {
    const find = await byId((await this.draft.table(collection)) ?? Table.of([]), this.draft.naming.id)
    return (id) => find(id)?.row
  }

  check(resource: string, row: Row, label: Label, judged = row): void {
    for (const fault of this.of(resource)?.schema?.faultsOf(judged) ?? []) {
      // What is hidden and stays as it is was judged when it was sent.
      if (judged !== row || !hides(row, fault.path)) this.faults.add(label, fault)
    }
  }
}

/** Nobody reads more of them. The others are counted. */
const MOST_ERRORS = 100

/** The message names this many. */
const MOST_NAMED = 3

/** To find more of them would keep other writes waiting. */
const MOST_COUNTED = 100_000

/** Where a row stands in what the client sent, and what to call it. */
export interface Label {
  /** Before the names of its fields: `1.` for the second row of a list. */
  readonly prefix: string
  /** For rows that the client did not send, such as those that a filter found. */
  readonly name?: string | undefined
}

export class FieldErrors {
  readonly #code: StorageErrorCode
  readonly #errors = new Map<string, string>()
  readonly #sentences: string[] = []
  #count = 0

  constructor(code: StorageErrorCode) {
    this.#code = code
  }

  /** Throws if there are more than are counted. */
  add({ prefix, name }: Label, { path, message }: FieldFault): void {
    if (this.#errors.size >= MOST_ERRORS) {
      if (++this.#count >= MOST_COUNTED) this.refuse()
      return
    }
    const key = path === '' ? prefix.replace(/\.$/, '') : `${prefix}${path}`
    if (this.#errors.has(key)) return
    this.#errors.set(key, message)
    this.#count++
    const subject = key === '' ? 'The item' : key
    this.#sentences.push(name === undefined ? `${subject} ${message}` : `In ${name}, ${subject} ${message}`)
  }

  refuse(): void {
    if (this.#count === 0) return
    const named = this.#sentences.slice(0, MOST_NAMED).join('; ')
    const errors = Object.fromEntries(this.#errors)
    throw new StorageError(this.#code, `${named}${this.#others()}. Nothing was changed.`, { errors })
  }

  #others(): string {
    if (this.#count <= MOST_NAMED) return ''
    const more = (this.#count - MOST_NAMED).toLocaleString('en-US')
    const isCut = this.#count > this.#errors.size
    return `; and ${this.#count >= MOST_COUNTED ? 'at least ' : ''}${more} more${isCut ? ` (errors has the first ${MOST_ERRORS})` : ''}`
  }
}
