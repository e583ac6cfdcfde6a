import { fieldText } from '../../index/id-index.ts'
import type { Collection, TableChange } from '../../table/collection.ts'
import type { IndexUse, KeyColumn, Lookup, Row } from '../../types.ts'
import type { Resource } from '../layout/catalog.ts'
import { BOOLEAN, NULL, NUMBER, TEXT } from '../layout/row-facts.ts'
import type { Shape } from '../layout/shape.ts'
import { FEW_ROWS, GAP } from '../layout/tables.ts'
import { Missing } from './missing.ts'
import { parseRow } from './parse-row.ts'

/**
 * What was fetched of a collection. Asked for more, it notes what is missing and answers as if that were not there: once
 * that was fetched, the work that asked for it is done again.
 */
export class FetchedTable implements Collection {
  readonly resource: Resource
  /** Of what questions find. */
  readonly shape: Shape
  /** Fields that questions do not find. */
  readonly hidden: readonly string[]
  readonly missing = new Missing()
  /** The slots that were asked for. */
  readonly slots = new Set<string>()
  /** Unknown, so that nobody relies on ids being unique. */
  readonly hasDuplicates = true
  readonly knowsPositions = true
  readonly lastChange = undefined
  /** What a draft made of it. */
  change: TableChange | undefined
  readonly #id: string
  readonly #rows = new Map<number, Row>()
  readonly #positions = new Map<Row, number>()
  readonly #places = new Map<number, number>()
  readonly #byId = new Map<string, readonly Row[]>()
  readonly #byKey = new Map<string, Map<string, readonly Row[]>>()
  #all: readonly Row[] | undefined
  #highest: { readonly id: unknown } | undefined

  constructor(resource: Resource, id: string, hidden: readonly string[] = []) {
    this.resource = resource
    this.shape = resource.shape.without(hidden)
    this.#id = id
    this.hidden = hidden
  }

  get version(): number {
    return this.resource.version
  }

  get length(): number {
    return this.resource.rows
  }

  get isWhole(): boolean {
    return this.#all !== undefined
  }

  get rows(): readonly Row[] {
    if (this.resource.rows === 0) return []
    if (!this.#all) this.missing.all = true
    return this.#all ?? []
  }

  find(id: string): Row | undefined {
    return this.#withId(id)[0]
  }

  twinsOf(id: string): readonly Row[] {
    const rows = this.#withId(id)
    return rows.length > 1 ? rows : []
  }

  positionOfRow(row: Row): number {
    const position = this.#positions.get(row)
    if (position === undefined) return -1
    if (this.resource.isDense) return position / GAP
    const place = this.#places.get(position)
    if (place === undefined) this.missing.places.add(position)
    return place ?? -1
  }

  /** Where a row stands in its table; undefined if it is not from there. */
  posOf(row: Row): number | undefined {
    return this.#positions.get(row)
  }

  highestId(): unknown {
    if (this.resource.rows === 0) return undefined
    if (!this.#highest) this.missing.highest = true
    return this.#highest?.id
  }

  /** Objects and lists as ids count as none. */
  get hasNumbersOnly(): boolean {
    return !((this.idBits ?? TEXT) & (TEXT | BOOLEAN))
  }

  /** What ids there ever were; undefined if the shape does not tell. */
  get idBits(): number | undefined {
    const { shape } = this.resource
    if (shape.odd > 0 || this.#id.includes('.')) return undefined
    return shape.column(this.#id)?.bits ?? 0
  }

  /** Rows by a computed key. */
  keyed(column: KeyColumn): Lookup {
    const known = this.#byKey.get(column.name) ?? new Map<string, readonly Row[]>()
    this.#byKey.set(column.name, known)
    return (key) => {
      if (this.resource.rows === 0) return []
      const rows = known.get(key)
      if (!rows) this.missing.noteKey(column, key)
      return rows ?? []
    }
  }

  /** Kept until it is saved. */
  apply(change: TableChange): void {
    this.change = change
  }

  /** The row at a position, to look at. */
  look(pos: number, body: string): Row {
    return this.#rows.get(pos) ?? parseRow(body, this.hidden)
  }

  /** The row at a position, to keep: the same object each time. */
  adopt(pos: number, body: string, row = this.look(pos, body)): Row {
    const known = this.#rows.get(pos)
    if (known !== undefined) return known
    this.#rows.set(pos, row)
    if (typeof row === 'object' && row !== null) this.#positions.set(row, pos)
    return row
  }

  /** Takes note of the slots that a statement uses, and of words. Returns the indexes that it can use. */
  noteSlots(slots: ReadonlySet<string>): readonly IndexUse[] {
    for (const slot of slots) this.slots.add(slot)
    if (this.length < FEW_ROWS) return []
    return [...slots].map((slot) =>
      slot === 'words'
        ? { kind: 'text', path: 'q' }
        : { kind: 'sorted', path: this.shape.pathOf(slot) ?? '' },
    )
  }

  /** A row that was adopted. */
  rowAt(pos: number): Row | undefined {
    return this.#rows.get(pos)
  }

  /** Of all rows, in order; all have to be here. */
  get positions(): readonly number[] {
    return this.#all ? [...this.#rows.keys()].sort((a, b) => a - b) : []
  }

  learnAll(rows: readonly Row[]): void {
    this.#all = rows
  }

  learnPlace(pos: number, place: number): void {
    this.#places.set(pos, place)
  }

  learnHighest(id: unknown): void {
    this.#highest = { id }
  }

  /** @param rows in order; all that may have one of these ids */
  learnIds(ids: Iterable<string>, rows: readonly Row[]): void {
    const wanted = new Map([...ids].map((id): [string, Row[]] => [id, []]))
    for (const row of rows) {
      const id = fieldText(row, this.#id)
      if (id !== undefined) wanted.get(id)?.push(row)
    }
    for (const [id, found] of wanted) this.#byId.set(id, found)
  }

  /** @param rows in order; all that may have one of these keys */
  learnKeys(column: KeyColumn, keys: Iterable<string>, rows: readonly Row[]): void {
    const known = this.#byKey.get(column.name) ?? new Map<string, readonly Row[]>()
    this.#byKey.set(column.name, known)
    const wanted = new Map([...keys].map((key) => [key, new Set<Row>()]))
    for (const row of rows) for (const key of column.keysOf(row)) wanted.get(key)?.add(row)
    for (const [key, found] of wanted) known.set(key, [...found])
  }

  #withId(id: string): readonly Row[] {
    const known = this.#byId.get(id)
    if (known) return known
    if (this.resource.rows === 0 || this.#isAbove(id)) return []
    this.missing.ids.add(id)
    return []
  }

  /** Where all ids are numbers, none is above the highest: a new row needs no look. */
  #isAbove(id: string): boolean {
    if ((this.idBits ?? TEXT) & ~(NUMBER | NULL) || !this.#highest) return false
    const { id: highest } = this.#highest
    const number = Number(id)
    return (
      String(number) === id && (highest === undefined || (typeof highest === 'number' && number > highest))
    )
  }
}
