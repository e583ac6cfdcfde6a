import { compileFind, startOfText } from '../../kernel/catalogue/text.ts'
import type { Leaf } from '../data/tree-nodes.ts'
import type { Condition, Where } from '../types.ts'
import { compilePath, type FieldPath, somePath } from './path.ts'

/** As in json-server 0.17.4: a value at any depth contains the text, ignoring case; 0, false and '' do not count. */
export function compileSearch(search: string): (row: unknown) => boolean {
  // Converting numbers dominates the cost, and most searches cannot match one.
  const mayBeNumber = /^[-+.\deinfaty]*$/.test(search)
  const isIn = compileFind(search)

  function holds(value: unknown): boolean {
    if (typeof value === 'string') return isIn(value.toLowerCase())
    if (!value || (typeof value === 'number' && !mayBeNumber)) return false
    return isIn(String(value).toLowerCase())
  }
  return (row) => someValue(row, holds)
}

export function searchText(row: unknown, most: number): string | undefined {
  return linesOf(most, (isTooLong) => someValue(row, (value) => Boolean(value) && isTooLong(String(value))))
}

/** The texts that `visit` passes on, one per line; undefined if it ends early, since they are too long together. */
function linesOf(most: number, visit: (isTooLong: (text: string) => boolean) => boolean): string | undefined {
  const texts: string[] = []
  let size = 0
  const isLong = visit((text) => {
    texts.push(text)
    size += text.length + 1
    return size > most
  })
  return isLong ? undefined : texts.join('\n')
}

function someValue(row: unknown, passes: (value: unknown) => boolean): boolean {
  // Not recursive: data may be nested deeper than the call stack allows.
  const pending: unknown[] = [row]
  while (pending.length > 0) {
    const value = pending.pop()
    if (Array.isArray(value)) for (const item of value) pending.push(item)
    else if (typeof value !== 'object' || value === null) {
      if (passes(value)) return true
    } else {
      for (const key in value) {
        const field: unknown = (value as Record<string, unknown>)[key]
        if (typeof field === 'object') pending.push(field)
        else if (passes(field)) return true
      }
    }
  }
  return false
}

export interface Phrase {
  readonly text: string
  /** The condition it comes from; if absent, the search over the whole row. */
  readonly condition?: Condition
}

/** Longer texts are searched row by row: in a whole leaf, it might take too long. */
const LONGEST = 64

export function findPhrase(where: readonly Where[], search: string | undefined): Phrase | undefined {
  if (search && search.length <= LONGEST && !search.includes('\n')) return { text: search }
  for (const condition of where) {
    if (!('path' in condition)) continue
    const [text] = condition.values
    const isOne = condition.op === 'like' && condition.values.length === 1
    if (isOne && text !== undefined && text.length <= LONGEST && isPlain(text))
      return { text: text.toLowerCase(), condition }
  }
  return undefined
}

/** A literal in ASCII: beyond it, lowercasing differs from how patterns ignore case. */
function isPlain(pattern: string): boolean {
  return /^[\w ,:;@#%&=<>!'"/-]+$/.test(pattern)
}

/** The texts of a leaf's rows in lower case, one per line, so that one search covers them all. */
interface TextBlock {
  readonly text: string
  readonly ends: readonly number[]
  readonly isAscii: boolean
}

/** Leaves with a longer row are tested row by row. */
const MOST_IN_ROW = 2 ** 14
const MOST_CHARACTERS = 2 ** 25
const MOST_COLUMNS = 8

const TOO_LONG = 'too long'

/** By column and leaf: an unchanged leaf has the same texts. */
let blocks = new Map<string, WeakMap<Leaf, TextBlock | typeof TOO_LONG>>()
let characters = 0

export function textsOf(leaf: Leaf, { condition }: Phrase): TextBlock | undefined {
  const column = condition ? `column ${condition.path}` : 'row'
  const cached = blocks.get(column)?.get(leaf)
  if (cached) return cached === TOO_LONG ? undefined : cached
  const path = condition && compilePath(condition.path)
  const block = blockOf(leaf, path ? (row, most) => textsAt(row, path, most) : searchText)
  characters += block === TOO_LONG ? 0 : block.text.length
  // Texts of collected leaves still count, so the cache is cleared now and then.
  if (characters > MOST_CHARACTERS || blocks.size > MOST_COLUMNS) {
    blocks = new Map()
    characters = 0
  }
  const ofColumn = blocks.get(column) ?? new WeakMap()
  blocks.set(column, ofColumn.set(leaf, block))
  return block === TOO_LONG ? undefined : block
}

function blockOf(
  { items }: Leaf,
  textOf: (row: unknown, most: number) => string | undefined,
): TextBlock | typeof TOO_LONG {
  const originals: string[] = []
  for (const row of items) {
    const text = textOf(row, MOST_IN_ROW)
    if (text === undefined) return TOO_LONG
    originals.push(text)
  }
  const texts = originals.map((text) => text.toLowerCase())
  let end = -1
  const ends = texts.map((text) => {
    end += text.length + 1
    return end
  })
  return { text: texts.join('\n'), ends, isAscii: originals.every(isAscii) }
}

/** Before lowercasing: the Kelvin sign becomes an ASCII letter. */
function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
  return /^[\x00-\x7f]*$/.test(text)
}

function textsAt(row: unknown, path: FieldPath, most: number): string | undefined {
  return linesOf(most, (isTooLong) => somePath(row, path, (value) => isTooLong(startOfText(value, most))))
}

/** Positions of the rows that contain the text, which must not contain a line break. */
export function findInBlock({ text, ends }: TextBlock, search: string): readonly number[] {
  const positions: number[] = []
  let position = 0
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, ends[position - 1])) {
    while ((ends[position] ?? text.length) < at) position++
    positions.push(position)
    position++
    if (position >= ends.length) break
  }
  return positions
}
