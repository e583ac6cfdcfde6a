import { LONG, sizeUpTo } from '../../json/json-size.ts'
import { type Work, workInSlices } from '../../work/in-slices.ts'
import { withHidden } from '../hidden/hidden-fields.ts'
import type { Collection, TableChange } from '../table/collection.ts'
import type { Data, Row } from '../types.ts'
import { type List, PrettyWriter } from './pretty-writer.ts'
import { RowsImage } from './rows-image.ts'

/** Small enough that a changed row is cheap to serialize again, large enough that a file has few pieces. */
const ROWS_PER_BLOCK = 128

/** This many characters also fill a block, and so does one long row: a change to it need not reserialize 127 others. */
const LARGE_BLOCK = 512 * 1024

/** Consecutive rows and their JSON, which starts with the comma after the previous block. */
interface Block {
  readonly rows: readonly unknown[]
  readonly pieces: readonly Uint8Array[]
  readonly isFull: boolean
}

/** A collection as last written. */
interface Written {
  readonly blocks: readonly Block[]
  /** The table and the change that were written, if known. */
  readonly table?: Collection | undefined
  readonly change?: TableChange | undefined
}

/** The last blocks, by their first row. */
type Blocks = ReadonlyMap<unknown, Block>

/**
 * Serializes like `JSON.stringify(data, null, 2)`, in pieces. Rows and objects are immutable: if
 * they are the same as last time, their bytes are reused.
 */
export class Serializer {
  #collections = new Map<string, Written>()
  #objects = new WeakMap<object, readonly Uint8Array[]>()

  async serialize(data: Data): Promise<readonly Uint8Array[]> {
    return workInSlices(this.#write(data))
  }

  *#write(data: Data): Work<readonly Uint8Array[]> {
    const collections = new Map<string, Written>()
    const parts: [name: string, pieces: readonly Uint8Array[]][] = []
    for (const [name, value] of Object.entries(data)) {
      const written = yield* writeRows(value, this.#collections.get(name))
      if (written === undefined || written.blocks.length === 0) {
        parts.push([name, yield* this.#writeObject(value)])
        continue
      }
      collections.set(name, written)
      parts.push([name, piecesOfList(written.blocks)])
    }
    this.#collections = collections
    return piecesOfObject(parts)
  }

  *#writeObject(value: unknown): Work<readonly Uint8Array[]> {
    const isObject = typeof value === 'object' && value !== null && !(value instanceof RowsImage)
    const known = isObject ? this.#objects.get(value) : undefined
    const pieces = known ?? (yield* gather(new PrettyWriter().write(value, 1)))
    if (isObject) this.#objects.set(value, pieces)
    return pieces
  }
}

/** Undefined if it is not a collection. */
function* writeRows(value: unknown, last: Written | undefined): Work<Written | undefined> {
  if (Array.isArray(value)) return { blocks: yield* toBlocks(value, last) }
  if (!(value instanceof RowsImage)) return undefined
  const { table, change = table.lastChange } = value
  const isBase = last !== undefined && last.table === table && last.change === table.lastChange
  if (isBase && value.change === undefined) return last
  const blocks =
    isBase && value.change?.onlyAdds
      ? yield* append(last.blocks, value.change.added)
      : yield* toBlocks(value.rows, last)
  return { blocks, table, change }
}

/** Checks only the rows of the last block, which may have room for more. */
function* append(blocks: readonly Block[], added: readonly unknown[]): Work<readonly Block[]> {
  const last = blocks.at(-1)
  if (last === undefined || last.isFull) return [...blocks, ...(yield* toBlocks(added))]
  return [...blocks.slice(0, -1), ...(yield* toBlocks([...last.rows, ...added]))]
}

/** Reuses unchanged blocks, and rebuilds the ones in between. */
function* toBlocks(rows: readonly unknown[], last?: Written): Work<readonly Block[]> {
  const known: Blocks = new Map(last?.blocks.map((block) => [block.rows[0], block]))
  const blocks: Block[] = []
  for (let start = 0; start < rows.length; ) {
    const old = known.get(rows[start])
    const block = old && isStillThere(old, rows, start, known) ? old : yield* makeBlock(rows, start, known)
    blocks.push(block)
    start += block.rows.length
  }
  return blocks
}

/** A short block with new neighbors is merged with them: otherwise each insert would leave one behind. */
function isStillThere(block: Block, rows: readonly unknown[], start: number, known: Blocks): boolean {
  const end = start + block.rows.length
  const isShort = !block.isFull && block.rows.length < ROWS_PER_BLOCK / 2
  if (isShort && end < rows.length && !known.has(rows[end])) return false
  for (let at = start; at < end; at++) if (rows[at] !== block.rows[at - start]) return false
  return true
}

/** As many rows as a block holds, or up to the start of a known block. */
function* makeBlock(rows: readonly unknown[], start: number, known: Blocks): Work<Block> {
  let end = start
  let size = 0
  do {
    const own = sizeUpTo(LONG, rows[end], 2)
    size += own < LONG ? own : LARGE_BLOCK
    end++
  } while (end < rows.length && end - start < ROWS_PER_BLOCK && size < LARGE_BLOCK && !known.has(rows[end]))
  const own = rows.slice(start, end)
  const pieces = yield* gather(new PrettyWriter().writeItems(asStored(own), 1))
  return { rows: own, pieces, isFull: own.length >= ROWS_PER_BLOCK || size >= LARGE_BLOCK }
}

function asStored(rows: readonly unknown[]): List {
  return { length: rows.length, at: (place) => withHidden(rows[place] as Row) }
}

function* gather(pieces: Iterable<Uint8Array>): Work<readonly Uint8Array[]> {
  const gathered: Uint8Array[] = []
  for (const piece of pieces) {
    gathered.push(piece)
    yield
  }
  return gathered
}

/** The first block needs no leading comma. */
function piecesOfList(blocks: readonly Block[]): readonly Uint8Array[] {
  const [first, ...others] = blocks.flatMap(({ pieces }) => pieces)
  const start = first === undefined ? [] : [first.subarray(','.length)]
  return [Buffer.from('['), ...start, ...others, Buffer.from('\n  ]')]
}

/** An object from its keys and serialized values; keys without a value are left out. */
function piecesOfObject(
  parts: readonly (readonly [name: string, pieces: readonly Uint8Array[]])[],
): readonly Uint8Array[] {
  const filled = parts.filter(([, content]) => content.length > 0)
  if (filled.length === 0) return [Buffer.from('{}')]
  const pieces = filled.flatMap(([name, content], index) => [
    Buffer.from(`${index === 0 ? '{' : ','}\n  ${JSON.stringify(name)}: `),
    ...content,
  ])
  return [...pieces, Buffer.from('\n}')]
}
