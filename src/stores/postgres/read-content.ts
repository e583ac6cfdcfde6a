import { Database, type Part } from '../../core/engine/data/database.ts'
import { Table } from '../../core/engine/data/table.ts'
import type { Row } from '../../core/engine/types.ts'
import type { SqlTransaction } from './connection.ts'

/** Numbers of contents; those of images are above. */
export const CURRENT = 0
export const ORIGIN = -1

const ROWS = 5000
const BYTES = 2 * 1024 * 1024

export type StoredPart = {
  readonly part: number
  readonly place: number
  readonly name: string
  /** As JSON; null if it is a collection. */
  readonly value: string | null
}

export async function readParts(sql: SqlTransaction, content: number): Promise<readonly StoredPart[]> {
  const text = 'SELECT part, place, name, value FROM parts WHERE content = $1 ORDER BY place'
  const parts = await sql.query<StoredPart>(text, [content])
  return parts.map((part) => ({ ...part, name: JSON.parse(part.name) }))
}

export async function readContent(sql: SqlTransaction, content: number): Promise<Database> {
  const parts = new Map<string, Part>()
  for (const { part, name, value } of await readParts(sql, content)) {
    parts.set(name, value === null ? await readTable(sql, part) : JSON.parse(value))
  }
  return new Database(parts)
}

async function readTable(sql: SqlTransaction, part: number): Promise<Table> {
  const rows: Row[] = []
  const ranks: number[] = []
  for await (const batch of readRows(sql, part)) {
    for (const { rank, row } of batch) {
      ranks.push(rank)
      rows.push(JSON.parse(row))
    }
  }
  return Table.of(rows, ranks)
}

type StoredRow = { rank: number; row: string }

/** In order and in batches, of which the next one is fetched meanwhile. */
export async function* readRows(
  sql: SqlTransaction,
  part: number,
): AsyncGenerator<readonly StoredRow[], void> {
  const next = `
    SELECT rank, row FROM (
      SELECT rank, row, sum(octet_length(row)) OVER (ORDER BY rank) - octet_length(row) AS before
      FROM (SELECT rank, row FROM rows WHERE part = $1 AND rank > $2 ORDER BY rank LIMIT ${ROWS}) AS batch
    ) AS sized WHERE before < ${BYTES} ORDER BY rank`
  const fetchAfter = (rank: number) => {
    const fetched = sql.query<StoredRow>(next, [part, rank])
    fetched.catch(() => {})
    return fetched
  }
  let fetched = fetchAfter(Number.NEGATIVE_INFINITY)
  for (;;) {
    const batch = await fetched
    const last = batch.at(-1)
    if (!last) return
    fetched = fetchAfter(last.rank)
    yield batch
  }
}

export async function measureContent(
  sql: SqlTransaction,
  content: number,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const [size] = await sql.query<{ rows: string; bytes: string | null }>(
    'SELECT count(*) AS rows, sum(octet_length(row)) AS bytes FROM rows JOIN parts USING (part) WHERE content = $1',
    [content],
  )
  return { rows: Number(size?.rows), bytes: Number(size?.bytes ?? 0) }
}
