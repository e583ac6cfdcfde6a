import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import type { RowOrder } from './row-order.ts'

/** How many rows share a text: the more, the faster the search, and the more to write anew when one changes. */
export const BLOCK = 64

/** What one index may keep, in characters: one byte each, or two where any of a block is beyond Latin-1. */
const MOST_CHARACTERS = 2 ** 24

/** What one row may have in it, in characters: one that has more is tested by itself, and so are its neighbours. */
const MOST_IN_ROW = 2 ** 14

/** The texts of some rows in one, line by line and in lower case: one search looks through all of them. */
export interface TextBlock {
  readonly text: string
  /** Where the text of each row ends. */
  readonly ends: readonly number[]
  /** Then letters are the same without regard to case when they are the same in lower case. */
  readonly isAscii: boolean
}

/** The values of a row, separated by line breaks; undefined where they have more than `most` characters. */
export type TextOf = (row: Row, most: number) => string | undefined

const TOO_LONG = 'too long'

/** What a search looks through: the text of every row, kept in blocks, each written when it is first needed. */
export class TextIndex {
  readonly #order: RowOrder
  readonly #textOf: TextOf
  readonly #blocks: (TextBlock | typeof TOO_LONG | undefined)[] = []
  #size = 0

  constructor(order: RowOrder, textOf: TextOf) {
    this.#order = order
    this.#textOf = textOf
  }

  /** The block of the ranks from `number * BLOCK`; undefined where there is no memory left for it, or a row in it is too long. */
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

  /** The blocks as they are now, for a search that goes on while rows change. */
  known(): readonly (TextBlock | undefined)[] {
    return this.#blocks.map((block) => (block === TOO_LONG ? undefined : block))
  }

  /** To be told of every row that changes. */
  forget(rank: number): void {
    const number = Math.floor(rank / BLOCK)
    const known = this.#blocks[number]
    if (known !== undefined && known !== TOO_LONG) this.#size -= known.text.length
    this.#blocks[number] = undefined
  }
}

/** Asked before letters change: the Kelvin sign is an ASCII letter in lower case. */
function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
  return /^[\x00-\x7f]*$/.test(text)
}

/** The places of the rows in the block that hold the search, which must have no line break. */
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
