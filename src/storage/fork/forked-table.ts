import { sizeUpTo } from '../../json/json-size.ts'
import { workAtOnce } from '../../work/in-slices.ts'
import { fieldText } from '../index/id-index.ts'
import { type Collection, newVersion, type TableChange } from '../table/collection.ts'
import { Table } from '../table/table.ts'
import { TableDraft } from '../table/table-draft.ts'
import type { Row } from '../types.ts'
import type { TableOrigin, TableSnapshot } from './table-snapshot.ts'

/** Up to this many changed rows, or this share of all, a fork keeps its difference only. */
const MOST_CHANGES = 1000
const LARGEST_SHARE = 1 / 32

/** Estimates in bytes: what a changed row costs beside itself, and each row of a table that is the fork's own. */
const CHANGE = 200
const PLACE = 100

/** A copy of a collection: a snapshot that others share, and the difference to it. Once that is large, a table of its own. */
export class ForkedTable implements Collection {
  readonly #id: string
  readonly #snapshot: TableSnapshot
  readonly #draft: TableDraft
  /** Once there is one, the snapshot and the draft no longer count. */
  #own: Table | undefined
  version = newVersion()
  lastChange: TableChange | undefined
  readonly #sizes = new WeakMap<Row, number>()
  #bytes = 0

  constructor({ snapshot, changes }: TableOrigin, id: string) {
    this.#id = id
    this.#snapshot = snapshot
    this.#draft = new TableDraft(snapshot, { id })
    for (const change of changes) this.#change(change)
    this.#bytes = 0
  }

  /** The memory that its own rows take, estimated. */
  get bytes(): number {
    return this.#bytes + (this.#own ? this.#own.length * PLACE : this.#draft.states.size * CHANGE)
  }

  /** The table whose indexes answer queries. Another one after the origin has changed, and in the end its own. */
  get table(): Table {
    return this.#own ?? this.#snapshot.table
  }

  /** The difference to `table`; undefined if there is none. */
  get difference(): TableDraft | undefined {
    return !this.#own && this.#draft.isChanged ? this.#draft : undefined
  }

  get rows(): readonly Row[] {
    return this.difference?.rows ?? this.table.rows
  }

  get length(): number {
    return this.difference?.length ?? this.table.length
  }

  find(id: string): Row | undefined {
    return this.#own ? this.#own.find(id) : this.#draft.find(id)
  }

  positionOfRow(row: Row): number {
    const { difference } = this
    if (!difference) return this.table.positionOfRow(row)
    const { states, standing } = difference
    return states.now(states.originOf(row)) === row ? workAtOnce(standing.of(row)) : -1
  }

  get hasDuplicates(): boolean {
    return this.table.hasDuplicates
  }

  twinsOf(id: string): readonly Row[] {
    const twins = this.table.twinsOf(id)
    if (!this.difference || twins.length === 0) return twins
    const now = this.rows.filter((row) => fieldText(row, this.#id) === id)
    return now.length > 1 ? now : []
  }

  highestId(): unknown {
    return this.#own ? this.#own.highestId() : this.#draft.highestId()
  }

  get hasNumbersOnly(): boolean {
    if (this.#own) return this.#own.hasNumbersOnly
    return this.#snapshot.hasNumbersOnly && this.#draft.addsNumbersOnly
  }

  apply(change: TableChange): void {
    this.version = newVersion()
    this.lastChange = change
    this.#count(change)
    this.#change(change)
  }

  #change(change: TableChange): void {
    const { added, replaced, removed, places } = change
    const size = this.#draft.states.size + added.length + replaced.size + removed.size
    const isLarge = size > Math.max(MOST_CHANGES, this.length * LARGEST_SHARE)
    // Rows that are not in natural order would have to be kept as a list anyway.
    if (isLarge || places.size > 0) this.#own ??= new Table(this.rows.slice(), this.#id)
    if (this.#own) {
      this.#own.apply(change)
      return
    }
    const draft = this.#draft
    for (const [old, next] of replaced) draft.replace(old, next)
    if (removed.size > 0) draft.remove([...removed])
    draft.append(added)
    draft.settle()
    if (draft.hasNewTwins) this.#own = new Table(draft.rows.slice(), this.#id)
  }

  #count({ added, replaced, removed }: TableChange): void {
    for (const row of added) this.#bytes += this.#measure(row)
    for (const [old, next] of replaced) this.#bytes += this.#measure(next) - this.#sizeOf(old)
    for (const row of removed) this.#bytes -= this.#sizeOf(row)
  }

  #measure(row: Row): number {
    const size = sizeUpTo(Number.POSITIVE_INFINITY, row)
    this.#sizes.set(row, size)
    return size
  }

  /** Rows of the origin are not the fork's own. */
  #sizeOf(row: Row): number {
    return this.#sizes.get(row) ?? 0
  }
}
