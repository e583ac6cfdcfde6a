import { startOfText } from '../../kernel/catalogue/text.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import { valueColumn } from '../data/columns.ts'
import { AFTER, BEFORE, type Index, type IndexKey, type Range, rangeOf } from '../data/index.ts'
import type { Table } from '../data/table.ts'
import type { CursorPlace, CursorValue, Row, SortKey, Window } from '../types.ts'
import { valuesIn } from './candidates.ts'
import { compilePath, readPath } from './path.ts'

type CursorWindow = Extract<Window, { readonly kind: 'cursor' }>

/** A field to sort by, or what is sorted by instead: a value for each row, by its position. */
export interface CursorKey extends SortKey {
  readonly valueAt?: ((position: number) => unknown) | undefined
}

export interface CursorPage {
  readonly items: readonly Row[]
  /** The last row, if others follow. */
  readonly cursor: CursorPlace | undefined
}

/** Characters of all keys in a cursor: it has to fit into a URL. */
const MOST_CHARACTERS = 1200

/** The keys that a page is sorted by: rows that are equal in all of them come by their ids. */
export function cursorKeys(sort: readonly CursorKey[], id: string): readonly CursorKey[] {
  return sort.some(({ path }) => path === id) ? sort : [...sort, { path: id, order: 'asc' }]
}

/** The next rows of those given. Finds them in one pass: sorting all of them for each page would take far longer. */
export async function cursorPage(
  rows: readonly Row[],
  keys: readonly CursorKey[],
  { size, after }: CursorWindow,
): Promise<CursorPage> {
  const reader = new PlaceReader(keys, after)
  return reader.page(await reader.firstOf(rows, size + 1), size)
}

/** The next rows of a whole table, by the index of the first key; undefined if that has no order. */
export async function cursorPageByIndex(
  table: Table,
  keys: readonly CursorKey[],
  { size, after }: CursorWindow,
): Promise<CursorPage | undefined> {
  const [first] = keys
  if (!first) return undefined
  const index = await table.derive(valueColumn(first.path))
  if (valuesIn(index).hasUnordered) return undefined
  const reader = new PlaceReader(keys, after)
  const isDown = first.order === 'desc'
  const begun = after?.values[0]
  let at = begun === undefined ? (isDown ? index.size - 1 : 0) : startAt(index, begun, isDown)
  const taken: Placed[] = []
  while (taken.length <= size && at >= 0 && at < index.size) {
    const { start, end } = reader.groupAt(index, at)
    const ranks = [...index.ranks(start, end)].sort((one, other) => one - other)
    for (const one of await reader.firstOf(table.pick(ranks), size + 1 - taken.length)) taken.push(one)
    at = isDown ? start - 1 : end
  }
  return reader.page(taken, size)
}

/** A position among the rows whose first key is that of the place, or the next one. */
function startAt(index: Index, value: CursorValue, isDown: boolean): number {
  const key = keyIn(value)
  if (!isDown) return index.positionOf(key, BEFORE)
  const start = index.positionOf(key, BEFORE)
  const isThere = start < index.size && startsWith(index.entryAt(start).item, key)
  return isThere ? start : index.positionOf(key, AFTER) - 1
}

function startsWith(item: unknown, key: IndexKey): boolean {
  return item === key || (typeof item === 'string' && typeof key === 'string' && item.startsWith(key))
}

interface Placed {
  readonly row: Row
  readonly values: readonly CursorValue[]
  readonly position: number
}

class PlaceReader {
  readonly #keys: readonly CursorKey[]
  readonly #after: CursorPlace | undefined
  readonly #longest: number
  readonly #readers: readonly ((row: Row, position: number) => unknown)[]
  readonly #pace = new TimeSlice()
  /** How many rows there are at the very place. */
  #seen = 0

  constructor(keys: readonly CursorKey[], after: CursorPlace | undefined) {
    this.#keys = keys
    this.#after = after
    this.#longest = Math.floor(MOST_CHARACTERS / keys.length)
    this.#readers = keys.map(({ path: text, valueAt }) => {
      const path = compilePath(text)
      return valueAt ? (_, position) => valueAt(position) : (row) => readPath(row, path)
    })
  }

  /** The first rows after the place, in order. */
  async firstOf(rows: readonly Row[], count: number): Promise<readonly Placed[]> {
    const most = 2 * count + 64
    let found: Placed[] = []
    let last: Placed | undefined
    for (const [position, row] of rows.entries()) {
      if (this.#pace.isUsedUp) await this.#pace.yieldToEventLoop()
      const placed = {
        row,
        position,
        values: this.#readers.map((read) => this.#valueOf(read(row, position))),
      }
      if (!this.#isAfter(placed) || (last && this.#compare(placed.values, last.values) >= 0)) continue
      found.push(placed)
      if (found.length < most) continue
      found = this.#firstIn(found, count)
      last = found.at(-1)
    }
    return this.#firstIn(found, count)
  }

  page(found: readonly Placed[], size: number): CursorPage {
    const shown = found.slice(0, size)
    const last = shown.at(-1)
    const items = shown.map(({ row }) => row)
    if (!last || found.length <= size) return { items, cursor: undefined }
    const same = shown.filter(({ values }) => this.#compare(values, last.values) === 0).length
    const before = this.#after
    const isSame = before !== undefined && this.#compare(before.values, last.values) === 0
    return { items, cursor: { values: last.values, seen: same + (isSame ? before.seen : 0) } }
  }

  /** The entries around a position whose rows are equal in the first key, as far as a cursor has it. */
  groupAt(index: Index, position: number): Range {
    const { item } = index.entryAt(position)
    let { start, end } = rangeOf(index, item)
    if (typeof item !== 'string' || item.length < this.#longest) return { start, end }
    const beginning = item.slice(0, this.#longest)
    while (start > 0 && startsWith(index.entryAt(start - 1).item, beginning)) start--
    while (end < index.size && startsWith(index.entryAt(end).item, beginning)) end++
    return { start, end }
  }

  #firstIn(found: readonly Placed[], count: number): Placed[] {
    const inOrder = (one: Placed, other: Placed) =>
      this.#compare(one.values, other.values) || one.position - other.position
    return found.toSorted(inOrder).slice(0, count)
  }

  /** Of rows at the very place, as many come before it as were shown. */
  #isAfter({ values }: Placed): boolean {
    if (!this.#after) return true
    const order = this.#compare(values, this.#after.values)
    return order === 0 ? ++this.#seen > this.#after.seen : order > 0
  }

  #compare(one: readonly CursorValue[], other: readonly CursorValue[]): number {
    for (const [at, { order }] of this.#keys.entries()) {
      const [[kind, value], [otherKind, otherValue]] = [one[at] ?? MISSING, other[at] ?? MISSING]
      const less = kind === otherKind ? value < otherValue : kind < otherKind
      if (kind === otherKind && value === otherValue) continue
      return less === (order === 'asc') ? -1 : 1
    }
    return 0
  }

  #valueOf(value: unknown): CursorValue {
    if (typeof value === 'number' && !Number.isNaN(value)) return [0, value + 0]
    if (typeof value === 'string') return [1, value.slice(0, this.#longest)]
    if (typeof value === 'boolean') return [2, Number(value)]
    if (value === null) return [4, 0]
    return value === undefined ? MISSING : [3, startOfText(value, this.#longest).slice(0, this.#longest)]
  }
}

const MISSING: CursorValue = [5, 0]

function keyIn([kind, value]: CursorValue): IndexKey {
  if (kind === 2) return value === 1
  if (kind === 4) return null
  return kind === 5 ? undefined : value
}
