import { setImmediate as nextTurn } from 'node:timers/promises'
import { piecesOfList, piecesOfObject, piecesWithin, textOfRowsWithin } from './pretty-json.ts'
import { RowsImage } from './rows-image.ts'
import type { Table, TableChange } from './table.ts'
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

/** A collection as it was written last time. */
interface Written {
  readonly blocks: readonly Block[]
  /** Whose rows they were, and the change that was written with them, where that is known. */
  readonly table?: Table | undefined
  readonly change?: TableChange | undefined
}

/** Blocks of last time by the first row of each. */
type Blocks = ReadonlyMap<unknown, Block>

/**
 * Data as `JSON.stringify(data, null, 2)` writes it, in pieces. Rows are never changed, only replaced: so where
 * the same rows stand together as last time, their bytes are taken from there.
 */
export class Serializer {
  #collections = new Map<string, Written>()

  async serialize(data: Data): Promise<readonly Uint8Array[]> {
    const collections = new Map<string, Written>()
    const parts: [name: string, pieces: readonly Uint8Array[]][] = []
    for (const [name, value] of Object.entries(data)) {
      const written = await writeRows(value, this.#collections.get(name))
      if (written === undefined || written.blocks.length === 0) {
        parts.push([name, piecesWithin(value)])
        continue
      }
      collections.set(name, written)
      const blocks = written.blocks.map(({ bytes }) => bytes)
      parts.push([name, piecesOfList(blocks, '  ')])
    }
    this.#collections = collections
    return piecesOfObject(parts)
  }
}

/** Undefined for what is no collection. */
async function writeRows(value: unknown, last: Written | undefined): Promise<Written | undefined> {
  if (Array.isArray(value)) return { blocks: await toBlocks(value, last) }
  if (!(value instanceof RowsImage)) return undefined
  const { table, change = table.lastChange } = value
  const isBase = last !== undefined && last.table === table && last.change === table.lastChange
  if (isBase && value.change === undefined) return last
  const blocks =
    isBase && value.change?.onlyAdds
      ? await append(last.blocks, value.change.added)
      : await toBlocks(value.toJSON(), last)
  return { blocks, table, change }
}

/** Looks at no row but those of the last block, which may have room for more. */
async function append(blocks: readonly Block[], added: readonly unknown[]): Promise<readonly Block[]> {
  const last = blocks.at(-1)
  if (last === undefined || last.rows.length >= ROWS_PER_BLOCK) return [...blocks, ...(await toBlocks(added))]
  return [...blocks.slice(0, -1), ...(await toBlocks([...last.rows, ...added]))]
}

/** Takes over the blocks that are still as they were, and makes those in between anew. */
async function toBlocks(rows: readonly unknown[], last?: Written): Promise<readonly Block[]> {
  const known: Blocks = new Map(last?.blocks.map((block) => [block.rows[0], block]))
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
  return blockOf(rows.slice(start, end))
}

function blockOf(rows: readonly unknown[]): Block {
  return { rows, bytes: Buffer.from(textOfRowsWithin(rows)) }
}
