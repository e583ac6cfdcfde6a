import { LONG, sizeUpTo } from '../../json/json-size.ts'
import { Pace } from '../../util/pace.ts'
import type { Database } from '../data/database.ts'
import { Table } from '../data/table.ts'
import type { Leaf } from '../data/tree-nodes.ts'
import { asStored } from '../rules/hidden-fields.ts'
import type { Row } from '../types.ts'
import { collectPieces, PrettyWriter } from './pretty-json.ts'

type Pieces = readonly Uint8Array[]

/** `JSON.stringify(data, null, 2)` of stored rows, in pieces. Pieces of unchanged parts are reused. */
export class Serializer {
  readonly #objects = new WeakMap<object, Pieces>()
  readonly #rows = new WeakMap<object, Pieces>()

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
    const pieces = cached ?? (await collectPieces(new PrettyWriter().write(value, 1), pace))
    if (isObject) this.#objects.set(value, pieces)
    return pieces
  }

  async #table({ rows, size }: Table, pace: Pace): Promise<Pieces> {
    if (size === 0) return [Buffer.from('[]')]
    const pieces: Uint8Array[] = [Buffer.from('[')]
    for (const { leaf } of rows.leaves()) {
      for (const piece of this.#rows.get(leaf) ?? (await this.#leaf(leaf, pace))) pieces.push(piece)
    }
    if (pieces[1]) pieces[1] = pieces[1].subarray(','.length)
    pieces.push(Buffer.from('\n  ]'))
    return pieces
  }

  async #leaf(leaf: Leaf, pace: Pace): Promise<Pieces> {
    const pieces: Uint8Array[] = []
    let short: Row[] = []
    for (const item of leaf.items) {
      const row = item as Row
      if (sizeUpTo(LONG, row, 2) < LONG) {
        short.push(row)
        continue
      }
      pieces.push(...(await writeRows(short, pace)))
      short = []
      const written = this.#rows.get(row) ?? (await writeRows([row], pace))
      this.#rows.set(row, written)
      pieces.push(...written)
    }
    pieces.push(...(await writeRows(short, pace)))
    this.#rows.set(leaf, pieces)
    return pieces
  }
}

function writeRows(rows: readonly Row[], pace: Pace): Promise<Pieces> {
  return collectPieces(new PrettyWriter().writeItems(rows.map(asStored), 1), pace)
}
