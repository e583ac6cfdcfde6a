import { LONG, sizeUpTo } from '../../json/json-size.ts'
import { Pace } from '../../util/pace.ts'
import type { Database, Part } from '../data/database.ts'
import { Table } from '../data/table.ts'
import type { Leaf } from '../data/tree-nodes.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Row } from '../types.ts'
import { collectPieces, PrettyWriter } from './pretty-json.ts'

type Pieces = readonly Uint8Array[]

/** `JSON.stringify(data, null, 2)` of stored rows, in pieces. Pieces of unchanged parts are reused. */
export class Serializer {
  readonly #objects = new WeakMap<object, Pieces>()
  readonly #rows = new WeakMap<object, Pieces>()
  /** Of the parts: 0 for one that is a file of its own. */
  readonly #depth: 0 | 1

  constructor(depth: 0 | 1 = 1) {
    this.#depth = depth
  }

  /** One part, without its name. */
  part(part: Part): Promise<Pieces> {
    const pace = new Pace()
    return part instanceof Table ? this.#table(part, pace) : this.#object(part, pace)
  }

  async serialize(database: Database): Promise<Pieces> {
    const pace = new Pace()
    const pieces: Uint8Array[] = []
    for (const [name, part] of database.parts) {
      const written = part instanceof Table ? await this.#table(part, pace) : await this.#object(part, pace)
      if (written.length === 0) continue
      pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}\n  ${JSON.stringify(name)}: `))
      for (const piece of written) pieces.push(piece)
    }
    pieces.push(Buffer.from(pieces.length === 0 ? '{}' : '\n}'))
    return pieces
  }

  async #object(value: unknown, pace: Pace): Promise<Pieces> {
    const isObject = typeof value === 'object' && value !== null
    const cached = isObject ? this.#objects.get(value) : undefined
    const pieces = cached ?? (await collectPieces(new PrettyWriter().write(value, this.#depth), pace))
    if (isObject) this.#objects.set(value, pieces)
    return pieces
  }

  async #table({ rows, size }: Table, pace: Pace): Promise<Pieces> {
    if (size === 0) return [Buffer.from('[]')]
    const pieces: Uint8Array[] = [Buffer.from('[')]
    for (const leaf of rows.leaves()) {
      for (const piece of this.#rows.get(leaf) ?? (await this.#leaf(leaf, pace))) pieces.push(piece)
    }
    if (pieces[1]) pieces[1] = pieces[1].subarray(','.length)
    pieces.push(Buffer.from(this.#depth === 1 ? '\n  ]' : '\n]'))
    return pieces
  }

  async #leaf(leaf: Leaf, pace: Pace): Promise<Pieces> {
    const pieces: Uint8Array[] = []
    let short: Row[] = []
    for (const item of leaf.items) {
      const row = item as Row
      if (sizeUpTo(LONG, row, this.#depth + 1) < LONG) {
        short.push(row)
        continue
      }
      pieces.push(...(await writeRows(short, pace, this.#depth)))
      short = []
      const written = this.#rows.get(row) ?? (await writeRows([row], pace, this.#depth))
      this.#rows.set(row, written)
      pieces.push(...written)
    }
    pieces.push(...(await writeRows(short, pace, this.#depth)))
    this.#rows.set(leaf, pieces)
    return pieces
  }
}

function writeRows(rows: readonly Row[], pace: Pace, depth: number): Promise<Pieces> {
  return collectPieces(new PrettyWriter().writeItems(rows.map(asStored), depth), pace)
}
