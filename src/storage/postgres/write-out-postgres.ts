import { ConfigError } from '../../catalogue/error-classes.ts'
import { PrettyWriter } from '../json/pretty-writer.ts'
import type { Address } from './address.ts'
import { Connections } from './connections.ts'
import { explainFailure } from './explain-failure.ts'
import { CURRENT } from './layout.ts'
import { makeSchema } from './open-postgres.ts'
import { measureContent, readParts, readRows, type StoredPart } from './read-content.ts'
import type { Transaction } from './transaction.ts'

interface Piece {
  readonly bytes: Uint8Array
  readonly rows: number
}

export interface WrittenOut {
  readonly resources: number
  readonly rows: number
  readonly pieces: AsyncIterable<Piece>
}

/** Hands out everything in a schema, hidden fields included, as `JSON.stringify(data, null, 2)`, as of one moment. */
export function writeOutPostgres<T>(
  address: Address,
  signal: AbortSignal | undefined,
  use: (written: WrittenOut) => Promise<T>,
): Promise<T> {
  const sample = () => {
    throw new ConfigError(`export: the schema ${address.schema} has no data. Name another with --schema.`)
  }
  return Connections.use(address, signal, async (connections) => {
    await makeSchema(connections, { sample }).catch((error: unknown) => {
      throw explainFailure(error, address)
    })
    return connections.inSnapshot('read', async (sql) => {
      const parts = await readParts(sql, CURRENT)
      const { rows } = await measureContent(sql, CURRENT)
      return use({ resources: parts.length, rows, pieces: piecesOf(sql, parts) })
    })
  })
}

async function* piecesOf(sql: Transaction, parts: readonly StoredPart[]): AsyncGenerator<Piece, void> {
  let before = '{\n'
  for (const { part, name, value } of parts) {
    yield textPiece(`${before}  ${JSON.stringify(name)}: `)
    before = ',\n'
    if (value === null) yield* piecesOfRows(sql, part)
    else for (const bytes of new PrettyWriter().write(JSON.parse(value), 1)) yield { bytes, rows: 0 }
  }
  yield textPiece(parts.length === 0 ? '{}' : '\n}')
}

async function* piecesOfRows(sql: Transaction, part: number): AsyncGenerator<Piece, void> {
  let isFirst = true
  for await (const batch of readRows(sql, part)) {
    const list = { length: batch.length, at: (at: number): unknown => JSON.parse(batch[at]?.row ?? 'null') }
    let rows = batch.length
    for (const bytes of new PrettyWriter().writeItems(list, 1)) {
      if (isFirst) yield textPiece('[')
      // The first row has no comma before it.
      yield { bytes: isFirst ? bytes.subarray(1) : bytes, rows }
      isFirst = false
      rows = 0
    }
  }
  yield textPiece(isFirst ? '[]' : '\n  ]')
}

function textPiece(text: string): Piece {
  return { bytes: Buffer.from(text), rows: 0 }
}
