import { PrettyWriter } from '../../json/pretty-writer.ts'
import type { Catalogue, Resource } from '../layout/catalog.ts'
import { FIRST, type Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'

/** Rows, and bytes, that are fetched together: a row that is larger comes alone. */
const ROWS = 2000
const BYTES = 1024 * 1024

/** Everything as JSON. */
export interface WrittenOut {
  readonly resources: number
  readonly rows: number
  /** As `JSON.stringify(data, null, 2)` writes it; `rows` is how many are in it. */
  readonly pieces: AsyncIterable<{ readonly bytes: Uint8Array; readonly rows: number }>
}

/** Hands out everything as of the transaction. */
export async function writeOut<T>(
  sql: Sql,
  tables: Tables,
  { resources }: Catalogue,
  use: (written: WrittenOut) => Promise<T>,
): Promise<T> {
  const all = [...resources.values()]
  const collections = all.filter(({ kind }) => kind === 'collection')
  // From now on nobody removes them. What is gone already is found to be before anything is written.
  if (collections.length > 0) {
    const names = collections.map(({ rid }) => tables.of(rid))
    await sql.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`)
  }
  const rows = collections.reduce((sum, one) => sum + one.rows, 0)
  return use({ resources: all.length, rows, pieces: piecesOf(sql, tables, all) })
}

async function* piecesOf(
  sql: Sql,
  tables: Tables,
  resources: readonly Resource[],
): AsyncGenerator<{ bytes: Uint8Array; rows: number }, void> {
  let before = '{\n'
  for (const { rid, name, kind, rows, value } of resources) {
    yield textPiece(`${before}  ${JSON.stringify(name)}: `)
    before = ',\n'
    if (kind !== 'collection')
      for (const bytes of new PrettyWriter().write(value, 1)) yield { bytes, rows: 0 }
    else if (rows === 0) yield textPiece('[]')
    else {
      yield textPiece('[')
      let isFirst = true
      for await (const bodies of bodiesIn(sql, tables.of(rid))) {
        const list = {
          length: bodies.length,
          at: (place: number): unknown => JSON.parse(bodies[place] ?? 'null'),
        }
        for (const bytes of new PrettyWriter().writeItems(list, 1)) {
          // The first row has no comma before it.
          yield { bytes: isFirst ? bytes.subarray(1) : bytes, rows: 0 }
          isFirst = false
        }
        yield { bytes: new Uint8Array(), rows: bodies.length }
      }
      yield textPiece('\n  ]')
    }
  }
  yield textPiece(resources.length === 0 ? '{}' : '\n}')
}

/** The rows of a table in order, as many at a time as are reasonable. */
async function* bodiesIn(sql: Sql, table: string): AsyncGenerator<readonly string[], void> {
  const next = `
    SELECT pos, body FROM (
      SELECT pos, body, sum(octet_length(body)) OVER (ORDER BY pos) - octet_length(body) AS before
      FROM (SELECT pos, body FROM ${table} WHERE pos > $1 ORDER BY pos LIMIT ${ROWS}) AS batch
    ) AS sized WHERE before < ${BYTES} ORDER BY pos`
  for (let last = String(FIRST); ; ) {
    const found = await sql.query<{ pos: string; body: string }>(next, [last])
    const end = found.at(-1)
    if (!end) return
    yield found.map(({ body }) => body)
    last = end.pos
  }
}

function textPiece(text: string) {
  return { bytes: Buffer.from(text), rows: 0 }
}
