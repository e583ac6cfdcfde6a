import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Data } from './types.ts'

/** Small enough that a changed row costs little to write out again, large enough that a file has few pieces. */
const ROWS_PER_BLOCK = 128

/** After so many blocks written out, others get their turn on the event loop. */
const BLOCKS_PER_TURN = 16

/** Rows that stand together, and their text, which begins with the comma after the block before. */
interface Block {
  readonly rows: readonly unknown[]
  readonly bytes: Uint8Array
}

const COMMA = ',\n'

/** The blocks of a collection as it was last time, by the first row of each. */
type Blocks = ReadonlyMap<unknown, Block>

/**
 * Data as `JSON.stringify(data, null, 2)` writes it, in pieces. Rows are never changed, only replaced: so where
 * the same rows stand together as last time, their bytes are taken from there.
 */
export class Serializer {
  #collections = new Map<string, Blocks>()

  async serialize(data: Data): Promise<readonly Uint8Array[]> {
    const collections = new Map<string, Blocks>()
    const pieces: Uint8Array[] = []
    let separator = '{\n  '
    for (const [name, value] of Object.entries(data)) {
      const start = `${separator}${JSON.stringify(name)}: `
      separator = ',\n  '
      if (!Array.isArray(value) || value.length === 0) {
        pieces.push(Buffer.from(start + indent(JSON.stringify(value, null, 2))))
        continue
      }
      const blocks = await toBlocks(value, this.#collections.get(name) ?? new Map())
      collections.set(name, new Map(blocks.map((block) => [block.rows[0], block])))
      pieces.push(Buffer.from(`${start}[\n`), ...joined(blocks), Buffer.from('\n  ]'))
    }
    this.#collections = collections
    pieces.push(Buffer.from(separator === '{\n  ' ? '{}' : '\n}'))
    return pieces
  }
}

/** Takes over the blocks that are still as they were, and makes those in between anew. */
async function toBlocks(rows: readonly unknown[], known: Blocks): Promise<readonly Block[]> {
  const blocks: Block[] = []
  let made = 0
  for (let start = 0; start < rows.length; ) {
    const old = known.get(rows[start])
    const block = old && isStillThere(old, rows, start, known) ? old : makeBlock(rows, start, known)
    if (block !== old && ++made % BLOCKS_PER_TURN === 0) await nextTurn()
    blocks.push(block)
    start += block.rows.length
  }
  return blocks
}

/** A short block that has new neighbours is given up, so that they become one: else each insert left one behind. */
function isStillThere(block: Block, rows: readonly unknown[], start: number, known: Blocks): boolean {
  const end = start + block.rows.length
  const mayGrow = block.rows.length < ROWS_PER_BLOCK / 2 && end < rows.length && !known.has(rows[end])
  if (mayGrow) return false
  for (let at = start; at < end; at++) if (rows[at] !== block.rows[at - start]) return false
  return true
}

/** As many rows as a block holds, or up to where a known block may begin. */
function makeBlock(rows: readonly unknown[], start: number, known: Blocks): Block {
  let end = start + 1
  while (end < rows.length && end - start < ROWS_PER_BLOCK && !known.has(rows[end])) end++
  const block = rows.slice(start, end)
  // Inside an object, as the rows are in the file, they come out with their indentation.
  const text = JSON.stringify({ x: block }, null, 2).slice('{\n  "x": [\n'.length, -'\n  ]\n}'.length)
  return { rows: block, bytes: Buffer.from(COMMA + text) }
}

/** Text within JSON has no line ends of its own: all of them are layout. */
function indent(json: string): string {
  return json.replaceAll('\n', '\n  ')
}

/** The first block has none before it, and so no comma. */
function joined(blocks: readonly Block[]): readonly Uint8Array[] {
  return blocks.map(({ bytes }, index) => (index === 0 ? bytes.subarray(COMMA.length) : bytes))
}
