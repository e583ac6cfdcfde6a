import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import type { RowOrder } from './row-order.ts'

/** Rows per block: larger blocks are searched faster, but cost more to rebuild when a row changes. */
export const BLOCK = 64

/** Characters one index may keep: one byte each, or two if any in the block is beyond Latin-1. */
const MOST_CHARACTERS = 2 ** 24

/** Characters per row: a longer row is tested individually, and so are its neighbors in the block. */
const MOST_IN_ROW = 2 ** 14

/** The texts of several rows joined, line by line and in lower case, so that one search covers them all. */
export interface TextBlock {
  readonly text: string
  /** Where the text of each row ends. */
  readonly ends: readonly number[]
  /** If so, comparing in lower case is the same as ignoring case. */
  readonly isAscii: boolean
}

/** The values of a row, separated by line breaks; undefined if they have more than `most` characters. */
export type TextOf = (row: Row, most: number) => string | undefined

const TOO_LONG = 'too long'

/** The searchable text of every row, in blocks that are built when first needed. */
export class TextIndex {
  readonly #order: RowOrder
  readonly #textOf: TextOf
  readonly #blocks: (TextBlock | typeof TOO_LONG | undefined)[] = []
  #size = 0

  constructor(order: RowOrder, textOf: TextOf) {
    this.#order = order
    this.#textOf = textOf
  }

  /** The block of the ranks from `number * BLOCK`; undefined if it exceeds the memory limit, or a row is too long. */
  block(number: number): TextBlock | undefined {
    const known = this.#blocks[number]
    if (known === TOO_LONG) return undefined
    if (known || this.#size > MOST_CHARACTERS) return known
    const originals: string[] = []
    for (const row of this.#order.slots.slice(number * BLOCK, (number + 1) * BLOCK)) {
      const text = row === TOMBSTONE ? '' : this.#textOf(row, MOST_IN_ROW)
      if (text === undefined) {
        this.#blocks[number] = TOO_LONG
        return undefined
      }
      originals.push(text)
    }
    const texts = originals.map((text) => text.toLowerCase())
    let end = -1
    const ends = texts.map((text) => {
      end += text.length + 1
      return end
    })
    const block = { text: texts.join('\n'), ends, isAscii: originals.every(isAscii) }
    this.#blocks[number] = block
    this.#size += block.text.length
    return block
  }

  /** A copy of the current blocks, for a search that continues while rows change. */
  known(): readonly (TextBlock | undefined)[] {
    return this.#blocks.map((block) => (block === TOO_LONG ? undefined : block))
  }

  /** Call for every row that changes. Its block is rebuilt on the next read. */
  forget(rank: number): void {
    const number = Math.floor(rank / BLOCK)
    const known = this.#blocks[number]
    if (known !== undefined && known !== TOO_LONG) this.#size -= known.text.length
    this.#blocks[number] = undefined
  }
}

/** Checked before lowercasing: the Kelvin sign becomes an ASCII letter. */
function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
  return /^[\x00-\x7f]*$/.test(text)
}

/** The positions of the rows in the block that contain the search text, which must not contain a line break. */
export function findInBlock({ text, ends }: TextBlock, search: string): readonly number[] {
  const places: number[] = []
  let place = 0
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, ends[place - 1])) {
    while ((ends[place] ?? text.length) < at) place++
    places.push(place)
    place++
    if (place >= ends.length) break
  }
  return places
}
