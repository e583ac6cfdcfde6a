import { randomBytes } from 'node:crypto'
import type { Data } from '../../core/engine/types.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { PrettyWriter } from '../../core/kernel/json/pretty-json.ts'
import type { Address } from './address.ts'
import { logCommits } from './commit-log.ts'
import type { SqlTransaction } from './connection.ts'
import { Connections } from './connections.ts'
import { explainFailure } from './failures.ts'
import { ensureSchema } from './open-schema.ts'
import { CURRENT, measureContent, ORIGIN, readParts, readRows, type StoredPart } from './read-content.ts'
import { copyCurrent, type OnRows, removeContent, replaceContent } from './write-content.ts'

export interface SchemaImportOptions {
  readonly replace: boolean
  readonly onRows?: OnRows | undefined
  readonly signal?: AbortSignal | undefined
}

/** Writes data into a schema: all or, if anything fails, nothing. */
export async function importToPostgres(
  address: Address,
  data: Data,
  options: SchemaImportOptions,
): Promise<void> {
  const { replace, onRows, signal } = options
  await Connections.use(address, signal, async (connections) => {
    let isNew = false
    const sample = () => {
      isNew = true
      return data
    }
    await ensureSchema(connections, { sample, onRows }).catch((error: unknown) => {
      throw explainFailure(error, address)
    })
    if (!isNew && !replace) {
      const remedy = 'Add --replace to replace all of it, or name another with --schema.'
      throw new ConfigError(`import: the schema ${address.schema} has data already. ${remedy}`)
    }
    if (!isNew) await connections.inTransaction('write', (sql) => replaceAll(sql, connections, data, onRows))
    // If this fails, the database does it by itself later.
    await connections.queryOnce('copy', 'VACUUM (ANALYZE) rows').catch(() => {})
  })
}

async function replaceAll(
  sql: SqlTransaction,
  connections: Connections,
  data: Data,
  onRows: OnRows | undefined,
): Promise<void> {
  const [state] = await sql.query<{ version: string }>('SELECT version FROM state FOR UPDATE')
  const version = Number(state?.version) + 1
  const before = (await readParts(sql, CURRENT)).map(({ name }) => name)
  const after = await replaceContent(sql, data, onRows)
  removeContent(sql, ORIGIN)
  copyCurrent(sql, ORIGIN)
  await sql.flush()
  const names = [...new Set([...before, ...after])].filter((name) => name !== '$schema')
  const commit = { version, time: Date.now(), names, effects: undefined, bytes: 0, top: version, meta: {} }
  const commits = [{ ...commit, isOutside: true }]
  const recorded = { base: version, bottom: version, older: [] }
  const token = randomBytes(12).toString('base64url')
  await logCommits(sql, { commits, recorded }, { token, sender: 'import' })
  await sql.commit(async () => {
    const text = 'SELECT 1 FROM commits WHERE version = $1 AND token = $2'
    return (await connections.query('read', text, [version, token])).length > 0
  })
}

interface Piece {
  readonly bytes: Uint8Array
  readonly rows: number
}

export interface PostgresExport {
  readonly resources: number
  readonly rows: number
  readonly pieces: AsyncIterable<Piece>
}

/** Reads everything in a schema, hidden fields included, as `JSON.stringify(data, null, 2)`, as of one moment. */
export function exportFromPostgres<T>(
  address: Address,
  signal: AbortSignal | undefined,
  use: (written: PostgresExport) => Promise<T>,
): Promise<T> {
  const sample = () => {
    throw new ConfigError(`export: the schema ${address.schema} has no data. Name another with --schema.`)
  }
  return Connections.use(address, signal, async (connections) => {
    await ensureSchema(connections, { sample }).catch((error: unknown) => {
      throw explainFailure(error, address)
    })
    return connections.inSnapshot('read', async (sql) => {
      const parts = await readParts(sql, CURRENT)
      const { rows } = await measureContent(sql, CURRENT)
      return use({ resources: parts.length, rows, pieces: piecesOf(sql, parts) })
    })
  })
}

async function* piecesOf(sql: SqlTransaction, parts: readonly StoredPart[]): AsyncGenerator<Piece, void> {
  let before = '{\n'
  for (const { part, name, value } of parts) {
    yield textPiece(`${before}  ${JSON.stringify(name)}: `)
    before = ',\n'
    if (value === null) yield* piecesOfRows(sql, part)
    else for (const bytes of new PrettyWriter().write(JSON.parse(value), 1)) yield { bytes, rows: 0 }
  }
  yield textPiece(parts.length === 0 ? '{}' : '\n}')
}

async function* piecesOfRows(sql: SqlTransaction, part: number): AsyncGenerator<Piece, void> {
  let isFirst = true
  for await (const batch of readRows(sql, part)) {
    const list = { length: batch.length, at: (at: number): unknown => JSON.parse(batch[at]?.row ?? 'null') }
    let rows = batch.length
    for (const bytes of new PrettyWriter().writeItems(list, 1)) {
      if (isFirst) yield textPiece('[')
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
