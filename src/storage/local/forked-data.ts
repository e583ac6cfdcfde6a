import { sizeUpTo } from '../../json/json-size.ts'
import { workAtOnce } from '../../work/in-slices.ts'
import { copyOf, countCopies, type DataOrigin, openOrigin, originOfData } from '../fork/data-origin.ts'
import type { ForkedTable } from '../fork/forked-table.ts'
import type { HiddenNames } from '../hidden/conceal.ts'
import type { Collection } from '../table/collection.ts'
import { Table } from '../table/table.ts'
import type { Data, Naming, Row } from '../types.ts'
import { LocalData } from './local-data.ts'

/** A copy of some data that shares with it what neither has changed. */
export class ForkedData extends LocalData {
  #origin: DataOrigin
  /** Where the current content starts: another one after everything was replaced. */
  #start: DataOrigin
  /** Empty once others hold the data. */
  #tables: Map<string, ForkedTable>
  /** Bytes of content that replaced everything. */
  #adopted = 0
  #expected = 0

  /** @param hidden what the rows hide */
  constructor(origin: DataOrigin, naming: Naming, hidden?: HiddenNames) {
    const { data, tables } = openOrigin(origin)
    super(data, { ...naming, isOwned: true, hidden })
    this.#origin = origin
    this.#start = origin
    this.#tables = tables
  }

  /** The memory that its own rows take, estimated. */
  get bytes(): number {
    // Others may have changed it in place.
    if (!this.isOwned) return sizeUpTo(Number.POSITIVE_INFINITY, this.data)
    let bytes = this.#adopted
    for (const table of this.#tables.values()) bytes += table.bytes
    for (const [name, part] of this.#start.parts) {
      if (!('value' in part) || this.data[name] === part.value) continue
      bytes += sizeUpTo(Number.POSITIVE_INFINITY, this.data[name])
    }
    return bytes
  }

  /** Also when the origin's owner overtakes a table: what was found through its indexes may be wrong then. */
  override get version(): number {
    return super.version + countCopies(this.#start)
  }

  override kindOf(name: string): 'collection' | 'object' | undefined {
    return this.#tables.has(name) ? 'collection' : super.kindOf(name)
  }

  override table(collection: string): Collection | undefined {
    return this.#tables.get(collection) ?? super.table(collection)
  }

  /** Others may change rows in place from now on, so they get a copy of every row. */
  override share(): void {
    if (this.isOwned) this.#giveCopy(this.data)
    super.share()
  }

  /** Tells how many bytes the content has that comes next: to measure it takes a while. */
  expect(bytes: number): void {
    this.#expected = bytes
  }

  override hide(hidden: HiddenNames): readonly string[] {
    const names = super.hide(hidden)
    // What it goes back to hides the same.
    if (names.length > 0) {
      this.#origin = this.#originIn(workAtOnce(this.prepared(openOrigin(this.#origin).data)))
    }
    return names
  }

  protected override take(content: Data): readonly string[] {
    this.#adopted = this.#expected
    return this.isOwned ? this.#startAt(this.#originIn(content)) : super.take(content)
  }

  /** Goes back to what it was a copy of. Returns the names from before and after. */
  reset(): readonly string[] {
    this.#adopted = 0
    return this.isOwned ? this.#startAt(this.#origin) : this.#giveCopy(openOrigin(this.#origin).data)
  }

  #startAt(origin: DataOrigin): readonly string[] {
    const { data, tables } = openOrigin(origin)
    this.#start = origin
    this.#tables = tables
    return super.take(data)
  }

  #giveCopy(content: Data): readonly string[] {
    const copy = copyOf(content)
    this.#tables = new Map()
    return super.take(copy)
  }

  #originIn(fresh: Data): DataOrigin {
    const { id } = this.naming
    return originOfData(fresh, id, (name) => {
      const rows = name === '$schema' ? undefined : fresh[name]
      return Array.isArray(rows) ? new Table(rows as Row[], id) : undefined
    })
  }
}
