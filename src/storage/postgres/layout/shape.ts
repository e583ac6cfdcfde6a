import { BOOLEAN, MOST_PATHS, NUMBER, type PathFact, type RowFacts, TEXT } from './row-facts.ts'

/** Columns for numbers, `n0` to `n15`, and for texts, `t0` to `t15`, of each table. */
export const SLOTS = 16

/** All slots were taken when the first such value came. */
const NONE = -1

/** What the rows of a collection have at a path. */
export interface ColumnFacts {
  /** How many rows have it. */
  count: number
  /** What it ever held, since there were no rows. */
  bits: number
  /** The slot of its numbers. */
  n: number | null
  /** The slot of its texts and booleans. */
  t: number | null
}

/**
 * What the rows of a collection look like. A path gets a slot with the first number or text that it ever has: no older
 * row can have one, so nothing is ever filled in later. Changed only under the lock of a writer, on a copy.
 */
export class Shape {
  readonly #columns: Map<string, ColumnFacts>
  #numbers: number
  #texts: number
  /** Rows that are not described: not objects, or too much in them. */
  odd: number
  /** Rows with a name that has a dot. */
  dotted: number
  /** Described rows that have too much text to be found by their words. */
  wordless: number

  private constructor({ columns, numbers, texts, odd, dotted, wordless }: Stored) {
    this.#columns = new Map(columns.map(([path, count, bits, n, t]) => [path, { count, bits, n, t }]))
    this.#numbers = numbers
    this.#texts = texts
    this.odd = odd
    this.dotted = dotted
    this.wordless = wordless
  }

  static empty(): Shape {
    return new Shape({ columns: [], numbers: 0, texts: 0, odd: 0, dotted: 0, wordless: 0 })
  }

  /** Reads what `toText` wrote. */
  static of(text: string): Shape {
    // Only ever written by `toText`, under a format version that fits.
    return new Shape(JSON.parse(text))
  }

  toText(): string {
    const columns = [...this.#columns].map(
      ([path, { count, bits, n, t }]): StoredColumn => [path, count, bits, n, t],
    )
    const stored: Stored = {
      columns,
      numbers: this.#numbers,
      texts: this.#texts,
      odd: this.odd,
      dotted: this.dotted,
      wordless: this.wordless,
    }
    return JSON.stringify(stored)
  }

  copy(): Shape {
    return Shape.of(this.toText())
  }

  /** What is told of rows that hide some fields. Their words may be those of hidden fields, so they do not count. */
  without(hidden: readonly string[]): Shape {
    if (hidden.length === 0) return this
    const shown = this.copy()
    for (const path of this.#columns.keys()) {
      if (hidden.some((name) => path === name || path.startsWith(`${name}.`))) shown.#columns.delete(path)
    }
    shown.wordless++
    return shown
  }

  /** Undefined if no row ever had it. */
  column(path: string): ColumnFacts | undefined {
    return this.#columns.get(path)
  }

  /** The path whose values a slot has. */
  pathOf(slot: string): string | undefined {
    for (const [path, { n, t }] of this.#columns) if (slot === `n${n}` || slot === `t${t}`) return path
    return undefined
  }

  /** Takes in a row. False if it is odd: not described, so that it has to be looked at itself. */
  add(facts: RowFacts | undefined): facts is RowFacts {
    if (!facts || !this.#hasRoomFor(facts)) {
      this.odd++
      return false
    }
    if (facts.hasDots) this.dotted++
    if (facts.words === null) this.wordless++
    for (const [path, fact] of facts.paths) this.#addTo(path, fact)
    return true
  }

  /** Takes out a row that was taken in. */
  remove(facts: RowFacts | undefined): void {
    // Where there was no room for its paths, at least one of them is still missing: columns only ever come.
    if (!facts || ![...facts.paths.keys()].every((path) => this.#columns.has(path))) {
      this.odd--
      return
    }
    if (facts.hasDots) this.dotted--
    if (facts.words === null) this.wordless--
    for (const path of facts.paths.keys()) {
      const column = this.#columns.get(path)
      if (column) column.count--
    }
  }

  #hasRoomFor({ paths }: RowFacts): boolean {
    let size = this.#columns.size
    if (size + paths.size <= MOST_PATHS) return true
    for (const path of paths.keys()) if (!this.#columns.has(path)) size++
    return size <= MOST_PATHS
  }

  #addTo(path: string, { bits, value }: PathFact): void {
    const column = this.#columns.get(path) ?? { count: 0, bits: 0, n: null, t: null }
    this.#columns.set(path, column)
    column.count++
    column.bits |= bits
    if (value === undefined) return
    if (bits & NUMBER) column.n ??= this.#numbers < SLOTS ? this.#numbers++ : NONE
    if (bits & (TEXT | BOOLEAN)) column.t ??= this.#texts < SLOTS ? this.#texts++ : NONE
  }
}

type StoredColumn = [path: string, count: number, bits: number, n: number | null, t: number | null]

interface Stored {
  readonly columns: readonly StoredColumn[]
  readonly numbers: number
  readonly texts: number
  readonly odd: number
  readonly dotted: number
  readonly wordless: number
}
