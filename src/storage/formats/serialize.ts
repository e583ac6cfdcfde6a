import { isObject } from '../../json/values.ts'
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
  /** Of parts of tables, and of objects. */
  readonly #pieces = new WeakMap<object, Pieces>()
  /** Of the parts: 0 for one that is a file of its own. */
  readonly #depth: 0 | 1

  constructor(depth: 0 | 1 = 1) {
    this.#depth = depth
  }

  async serialize(database: Database): Promise<Pieces> {
    const pace = new Pace()
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

  /** One part, without its name. */
  part(part: Part, pace = new Pace()): Promise<Pieces> {
    if (part instanceof Table) return this.#table(part, pace)
    const write = () => new PrettyWriter().write(part, this.#depth)
    return isObject(part) ? this.#once(part, write, pace) : collectPieces(write(), pace)
  }

  async #table({ rows, size }: Table, pace: Pace): Promise<Pieces> {
    if (size === 0) return [Buffer.from('[]')]
    const pieces: Uint8Array[] = [Buffer.from('[')]
    for (const leaf of rows.leaves()) {
      const write = () => new PrettyWriter().writeItems(storedIn(leaf), this.#depth)
      for (const piece of await this.#once(leaf, write, pace)) pieces.push(piece)
    }
    if (pieces[1]) pieces[1] = pieces[1].subarray(','.length)
    pieces.push(Buffer.from(this.#depth === 1 ? '\n  ]' : '\n]'))
    return pieces
  }

  async #once(source: object, write: () => Iterable<Uint8Array>, pace: Pace): Promise<Pieces> {
    const pieces = this.#pieces.get(source) ?? (await collectPieces(write(), pace))
    this.#pieces.set(source, pieces)
    return pieces
  }
}

function storedIn({ items }: Leaf): readonly Row[] {
  return items.map((row) => asStored(row as Row))
}
