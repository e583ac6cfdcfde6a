import { type Leaf, MOST_ITEMS } from '../data/tree-nodes.ts'
import type { Condition, Where } from '../types.ts'
import { compilePath } from './path.ts'
import { searchText, textsAt } from './search.ts'

export interface Phrase {
  readonly text: string
  readonly hashes: readonly number[]
  /** The condition it comes from; if absent, the search over the whole row. */
  readonly condition?: Condition
}

/** Longer texts are searched row by row: in a whole leaf, it might take too long. */
const LONGEST = 64

export function findPhrase(where: readonly Where[], search: string | undefined): Phrase | undefined {
  if (search && search.length <= LONGEST && !search.includes('\n')) return phraseOf(search)
  for (const condition of where) {
    if (!('path' in condition)) continue
    const [text] = condition.values
    const isOne = (condition.op === 'like' || condition.op === 'contains') && condition.values.length === 1
    if (isOne && text !== undefined && text.length <= LONGEST && isPlain(text))
      return phraseOf(text.toLowerCase(), condition)
  }
  return undefined
}

function phraseOf(text: string, condition?: Condition): Phrase {
  return { text, hashes: trigramHashes(text), ...(condition && { condition }) }
}

/** A literal in ASCII: beyond it, lowercasing differs from how patterns ignore case. */
function isPlain(pattern: string): boolean {
  return /^[\w ,:;@#%&=<>!'"/-]+$/.test(pattern)
}

/** The texts of a leaf's rows, in lower case. */
interface TextBlock {
  readonly texts: readonly string[]
  readonly length: number
  readonly isAscii: boolean
  /** For each hash of three letters, a bit per row that has it. Only rows with all those of a phrase are searched. */
  readonly trigrams: Uint32Array
}

/** Leaves with a longer row are tested row by row. */
const MOST_IN_ROW = 2 ** 14
const MOST_BYTES = 2 ** 27
const MOST_COLUMNS = 8

const TOO_LONG = 'too long'

/** By column and leaf: an unchanged leaf has the same texts. */
let blocks = new Map<string, WeakMap<Leaf, TextBlock | typeof TOO_LONG>>()
let bytes = 0

export function textsOf(leaf: Leaf, { condition }: Phrase): TextBlock | undefined {
  const column = condition ? `column ${condition.path}` : 'row'
  const cached = blocks.get(column)?.get(leaf)
  if (cached) return cached === TOO_LONG ? undefined : cached
  const path = condition && compilePath(condition.path)
  const block = blockOf(leaf, path ? (row, most) => textsAt(row, path, most) : searchText)
  bytes += block === TOO_LONG ? 0 : block.length + block.trigrams.byteLength
  // Texts of collected leaves still count, so the cache is cleared now and then.
  if (bytes > MOST_BYTES || blocks.size > MOST_COLUMNS) {
    blocks = new Map()
    bytes = 0
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
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return { texts, length, isAscii: originals.every(isAscii), trigrams: trigramsIn(texts, length) }
}

/** Before lowercasing: the Kelvin sign becomes an ASCII letter. */
function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
  return /^[\x00-\x7f]*$/.test(text)
}

/** Positions of the rows that contain the text. */
export function findInBlock({ texts, trigrams }: TextBlock, { text, hashes }: Phrase): readonly number[] {
  const positions: number[] = []
  const mask = trigrams.length / WORDS - 1
  for (let word = 0; word < WORDS; word++) {
    let rows = -1
    for (const hash of hashes) rows &= trigrams[(hash & mask) * WORDS + word] ?? 0
    while (rows !== 0) {
      const position = word * 32 + 31 - Math.clz32(rows & -rows)
      rows &= rows - 1
      if (texts[position]?.includes(text)) positions.push(position)
    }
  }
  return positions
}

const WORDS = MOST_ITEMS / 32
/** For each letter of a row, so that a word of eight letters passes by chance in one of ten thousand rows. */
const HASHES = 4
const MOST_HASHES = 1024

function trigramsIn(texts: readonly string[], length: number): Uint32Array {
  const most = Math.ceil(Math.log2((HASHES * (length + 1)) / texts.length))
  const hashes = Math.min(2 ** Math.max(0, most), MOST_HASHES)
  const trigrams = new Uint32Array(hashes * WORDS)
  for (const [position, text] of texts.entries()) {
    const word = position >>> 5
    const bit = 1 << (position & 31)
    for (let at = 2; at < text.length; at++) {
      const place = (hashAt(text, at) & (hashes - 1)) * WORDS + word
      trigrams[place] = (trigrams[place] ?? 0) | bit
    }
  }
  return trigrams
}

/** The hashes of each three letters in a row. */
function trigramHashes(text: string): readonly number[] {
  const hashes: number[] = []
  for (let at = 2; at < text.length; at++) hashes.push(hashAt(text, at))
  return hashes
}

function hashAt(text: string, at: number): number {
  const letters =
    text.charCodeAt(at - 2) * 0x9e3b + text.charCodeAt(at - 1) * 0x85eb + text.charCodeAt(at) * 0xc2b3
  return Math.imul(letters, 0x2c1b3c6d) >>> 16
}
