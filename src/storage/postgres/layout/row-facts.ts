import { isRow } from '../../is-row.ts'
import { searchText } from '../../query/search.ts'
import { clean, isClean, isNarrow, MOST_CHARACTERS } from './clean-text.ts'

/** What a path of a row leads to. */
export const NUMBER = 1
export const TEXT = 2
export const BOOLEAN = 4
export const NULL = 8
export const LIST = 16
export const OBJECT = 32
/** The path leads through a list, where there may be several values. */
export const INSIDE_LIST = 64
/** Texts that are not stored whole beside the row, not as they are, or that sort otherwise than in JavaScript. */
export const LONG = 128
export const UNCLEAN = 256
export const WIDE = 512

/** A row with more is not described, and always looked at itself. */
const MOST_VALUES = 20_000
const MOST_LEVELS = 12
export const MOST_PATHS = 300

/** What one row has at a path. */
export interface PathFact {
  bits: number
  /** Unless it is in a list. */
  value?: number | string | boolean
}

/** What one row has, by dotted path. */
export interface RowFacts {
  readonly paths: ReadonlyMap<string, PathFact>
  /** A name in it has a dot, so that a path may mean two things. */
  readonly hasDots: boolean
  /** What a search finds it by, in lower case, one value per line; null if that is too much. */
  readonly words: string | null
}

/** A row with more text in it is searched itself. */
const MOST_SEARCHABLE = 20_000

export function wordsOf(row: unknown): string | null {
  const words = searchText(row, MOST_SEARCHABLE)
  return words === undefined ? null : clean(words.toLowerCase())
}

/** Undefined for what is not an object, or has too much in it. */
export function factsOf(row: unknown): RowFacts | undefined {
  if (!isRow(row)) return undefined
  const survey = new Survey()
  survey.enter(row, '', 0, false)
  if (survey.isTooMuch) return undefined
  return { paths: survey.paths, hasDots: survey.hasDots, words: wordsOf(row) }
}

class Survey {
  readonly paths = new Map<string, PathFact>()
  hasDots = false
  isTooMuch = false
  #seen = 0

  /** @param prefix ends with a dot, unless it is empty */
  enter(object: object, prefix: string, level: number, isInList: boolean): void {
    if (level > MOST_LEVELS) this.isTooMuch = true
    for (const [name, value] of Object.entries(object)) {
      if (this.isTooMuch) return
      if (value === undefined) continue
      if (name.includes('.')) this.hasDots = true
      this.#note(value, `${prefix}${name}`, level, isInList)
    }
  }

  #note(value: unknown, path: string, level: number, isInList: boolean): void {
    const fact = this.paths.get(path) ?? { bits: 0 }
    this.paths.set(path, fact)
    if (++this.#seen > MOST_VALUES || this.paths.size > MOST_PATHS) this.isTooMuch = true
    if (isInList) fact.bits |= INSIDE_LIST
    fact.bits |= bitsOf(value)
    if (Array.isArray(value)) this.#enterList(value, `${path}.`, level + 1)
    else if (typeof value === 'object' && value !== null) this.enter(value, `${path}.`, level + 1, isInList)
    else if (!isInList && isScalar(value)) fact.value = value
  }

  #enterList(list: readonly unknown[], prefix: string, level: number): void {
    if (level > MOST_LEVELS) this.isTooMuch = true
    for (const entry of list) {
      if (++this.#seen > MOST_VALUES) this.isTooMuch = true
      if (this.isTooMuch) return
      if (Array.isArray(entry)) this.#enterList(entry, prefix, level + 1)
      else if (typeof entry === 'object' && entry !== null) this.enter(entry, prefix, level, true)
    }
  }
}

function bitsOf(value: unknown): number {
  if (value === null) return NULL
  if (Array.isArray(value)) return LIST
  // Numbers that JSON cannot hold are null once they are stored.
  if (typeof value === 'number') return Number.isFinite(value) ? NUMBER : NULL
  if (typeof value === 'boolean') return BOOLEAN
  if (typeof value !== 'string') return OBJECT
  return (
    TEXT |
    (value.length > MOST_CHARACTERS ? LONG : 0) |
    (isClean(value) ? 0 : UNCLEAN) |
    (isNarrow(value) ? 0 : WIDE)
  )
}

function isScalar(value: unknown): value is number | string | boolean {
  return Number.isFinite(value) || typeof value === 'string' || typeof value === 'boolean'
}
