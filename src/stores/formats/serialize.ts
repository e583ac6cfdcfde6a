import type { Database, Part } from '../../core/engine/data/database.ts'
import { Table } from '../../core/engine/data/table.ts'
import type { Leaf } from '../../core/engine/data/tree-nodes.ts'
import { toStoredRow } from '../../core/engine/rules/served-fields.ts'
import type { Row } from '../../core/engine/types.ts'
import {
  collectPieces,
  isLong,
  itemsAt,
  PrettyWriter,
  type Written,
} from '../../core/kernel/json/pretty-json.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'

type Pieces = readonly Uint8Array[]

/** `JSON.stringify(data, null, 2)` of stored rows, in pieces. Pieces of unchanged parts are reused. */
export class Serializer {
  readonly #leaves = new WeakMap<Leaf, Pieces>()
  readonly #written = new WeakMap<object, Written>()
  /** Of the parts: 0 for one that is a file of its own. */
  readonly #depth: 0 | 1

  constructor(depth: 0 | 1 = 1) {
    this.#depth = depth
  }

  async serialize(database: Database): Promise<Pieces> {
    const pace = new TimeSlice()
    const pieces: Uint8Array[] = []
    for (const [name, part] of database.parts) {
      const written = await this.part(part, pace)
      if (written.length === 0) continue
      pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}\n  ${JSON.stringify(name)}: `))
      for (const piece of written) pieces.push(piece)
    }
    pieces.push(Buffer.from(pieces.length === 0 ? '{}' : '\n}'))
    return pieces
  }

  /** The JSON of a part, without its name. */
  part(part: Part, pace = new TimeSlice()): Promise<Pieces> {
    if (part instanceof Table) return this.#table(part, pace)
    return collectPieces(this.#writer().write(part, this.#depth), pace)
  }

  async #table({ rows, size }: Table, pace: TimeSlice): Promise<Pieces> {
    if (size === 0) return [Buffer.from('[]')]
    const pieces: Uint8Array[] = [Buffer.from('[')]
    for (const leaf of rows.leaves()) {
      let written = this.#leaves.get(leaf)
      if (!written) {
        const stored = (leaf.items as readonly Row[]).map(toStoredRow)
        written = isLong(stored)
          ? await collectPieces(this.#writer().writeItems(stored, this.#depth), pace)
          : [Buffer.from(`,\n${itemsAt(stored, this.#depth)}`)]
        if (pace.isUsedUp) await pace.yieldToEventLoop()
        this.#leaves.set(leaf, written)
      }
      for (const piece of written) pieces.push(piece)
    }
    if (pieces[1]) pieces[1] = pieces[1].subarray(','.length)
    pieces.push(Buffer.from(this.#depth === 1 ? '\n  ]' : '\n]'))
    return pieces
  }

  #writer(): PrettyWriter {
    return new PrettyWriter(this.#written)
  }
}
