import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import type { StorageErrorCode } from '../../kernel/catalogue/errors.ts'
import type { Draft } from '../changes/draft.ts'
import { byId, fieldText } from '../data/lookup.ts'
import { Table } from '../data/table.ts'
import { idOf } from '../id-of.ts'
import type { FieldFault } from '../resource-rules.ts'
import type { Row } from '../types.ts'
import { isFixed } from './check-access.ts'
import type { CompiledReference, CompiledRules, RuleSet } from './compiled-rules.ts'
import { rowTest } from './reachable-rows.ts'
import type { Access } from './rights.ts'
import { hides } from './served-fields.ts'

interface Written {
  readonly before: Row | undefined
  readonly label: Label
}

export type WrittenRows = Map<Row, Written>

/** A change under the rules: the rows it wrote and removed so far, and their errors. */
export class RuleCheck {
  readonly rules: CompiledRules
  readonly draft: Draft
  readonly faults = new FieldErrors('VALIDATION_FAILED')
  readonly written = new Map<string, WrittenRows>()
  readonly removed = new Map<string, Set<Row>>()
  prefix = ''
  readonly #access: Access | undefined
  #now: string | undefined

  constructor(rules: CompiledRules, draft: Draft, access?: Access) {
    this.rules = rules
    this.draft = draft
    this.#access = access
  }

  async readTest(resource: string): Promise<(row: Row) => boolean> {
    return this.#access ? rowTest(this.draft, this.#access, resource, 'read') : () => true
  }

  /** A client may only reference rows that it may read; the owner is set by the server. */
  async referenceTest({ collection, field, resource }: CompiledReference): Promise<(row: Row) => boolean> {
    const isServerSet = this.#access !== undefined && isFixed(this.#access, collection, field)
    return isServerSet ? () => true : this.readTest(resource)
  }

  get now(): string {
    this.#now ??= this.rules.now().toISOString()
    return this.#now
  }

  of(resource: string): RuleSet | undefined {
    return this.rules.of(resource)
  }

  label(at?: number): Label {
    return { prefix: at === undefined ? this.prefix : `${this.prefix}${at}.` }
  }

  /** Records a row and its errors. @param judged with hidden values as they were sent */
  addWritten(
    collection: string,
    old: Row | undefined,
    row: Row,
    label: Label,
    { judged, isWhole }: { readonly judged: Row | undefined; readonly isWhole: boolean },
  ): void {
    this.check(collection, row, label, judged)
    const faults = this.of(collection)?.faultsOf?.(row, old, isWhole) ?? []
    for (const fault of faults) this.faults.add(label, fault)
    this.addReplaced(collection, old, row, label)
  }

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

  async goneIds(
    collection: string,
    removed: Iterable<Row> = this.removed.get(collection) ?? [],
  ): Promise<ReadonlySet<string>> {
    const { naming, pace } = this.draft
    const idName = idOf(collection, naming)
    const find = await this.finder(collection)
    const ids = new Set<string>()
    for (const row of removed) {
      const id = fieldText(row, idName)
      if (id !== undefined && !find(id)) ids.add(id)
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    return ids
  }

  async finder(collection: string): Promise<(id: string) => Row | undefined> {
    const table = this.draft.table(collection) ?? Table.of([])
    const find = await byId(table, idOf(collection, this.draft.naming))
    return (id) => find(id)?.row
  }

  check(resource: string, row: Row, label: Label, judged = row): void {
    for (const fault of this.of(resource)?.schema?.faultsOf(judged) ?? []) {
      // Hidden values that stay were checked when they were sent.
      if (judged !== row || !hides(row, fault.path)) this.faults.add(label, fault)
    }
  }
}

/** Errors to list; the rest is counted. */
const MOST_ERRORS = 100

const MOST_NAMED = 3

/** Finding more would keep other writes waiting. */
const MOST_COUNTED = 100_000

export interface Label {
  /** Before names of fields: `1.` for the second row of a list. */
  readonly prefix: string
  /** For rows that the client did not send, such as those that a filter selected. */
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

  add({ prefix, name }: Label, { path, message }: FieldFault): void {
    if (this.#errors.size >= MOST_ERRORS) {
      if (++this.#count >= MOST_COUNTED) this.throwIfAny()
      return
    }
    const key = path === '' ? prefix.replace(/\.$/, '') : `${prefix}${path}`
    if (this.#errors.has(key)) return
    this.#errors.set(key, message)
    this.#count++
    const subject = key === '' ? 'The item' : key
    this.#sentences.push(name === undefined ? `${subject} ${message}` : `In ${name}, ${subject} ${message}`)
  }

  throwIfAny(): void {
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
