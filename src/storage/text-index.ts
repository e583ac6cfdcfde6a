import { GONE, type RowOrder } from './row-order.ts'
import type { Row } from './types.ts'

/** How many rows share a text: the more, the faster the search, and the more to write anew when one changes. */
export const BLOCK = 64

/** What one index may keep, in characters: one byte each, or two where any of a block is beyond Latin-1. */
const MOST_CHARACTERS = 2 ** 24

/** The texts of some rows in one, line by line and in lower case: one search looks through all of them. */
export interface TextBlock {
  readonly text: string
  /** Where the text of each row ends. */
  readonly ends: readonly number[]
  /** Then letters are the same without regard to case when they are the same in lower case. */
  readonly isAscii: boolean
}

/** What a search looks through: the text of every row, kept in blocks, each written when it is first needed. */
export class TextIndex {
  readonly #order: RowOrder
  readonly #textOf: (row: Row) => string
  readonly #blocks: (TextBlock | undefined)[] = []
  #size = 0

  /** @param textOf the values of a row, separated by line breaks */
  constructor(order: RowOrder, textOf: (row: Row) => string) {
    this.#order = order
    this.#textOf = textOf
  }

  /** The block of the ranks from `number * BLOCK`; undefined where there is no memory left for it. */
  block(number: number): TextBlock | undefined {
    const known = this.#blocks[number]
    if (known || this.#size > MOST_CHARACTERS) return known
    const rows = this.#order.slots.slice(number * BLOCK, (number + 1) * BLOCK)
    const originals = rows.map((row) => (row === GONE ? '' : this.#textOf(row)))
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

  /** The blocks as they are now, for a search that goes on while rows change. */
  known(): readonly (TextBlock | undefined)[] {
    return this.#blocks.slice()
  }

  /** To be told of every row that changes. */
  forget(rank: number): void {
    const number = Math.floor(rank / BLOCK)
    this.#size -= this.#blocks[number]?.text.length ?? 0
    this.#blocks[number] = undefined
  }
}

/** Asked before letters change: the Kelvin sign is an ASCII letter in lower case. */
function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
  return /^[\x00-\x7f]*$/.test(text)
}

/** Calls back with the place of each row in the block that holds the search, which must have no line break. */
export function findInBlock({ text, ends }: TextBlock, search: string, found: (place: number) => void): void {
  let place = 0
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, ends[place - 1])) {
    while ((ends[place] ?? text.length) < at) place++
    found(place)
    place++
    if (place >= ends.length) return
  }
}
