import { type Incoming, inOrder, partsOf } from '../json/incoming.ts'
import { CURRENT } from './layout.ts'
import { readParts } from './read-content.ts'
import { RowWriter, textOf } from './row-writer.ts'
import type { Transaction } from './transaction.ts'

export type OnRows = (rows: number) => void

/** Adds a part to the current content, at a place that others may have until the end. Resolves with its number. */
export async function addPart(
  sql: Transaction,
  place: number,
  name: string,
  value: unknown,
): Promise<number> {
  const [added] = await sql.query<{ part: number }>(
    `INSERT INTO parts (content, place, name, value) VALUES (${CURRENT}, $1, $2, $3) RETURNING part`,
    [place, JSON.stringify(name), value === undefined ? null : textOf(value)],
  )
  return Number(added?.part)
}

export function removePart(sql: Transaction, part: number): void {
  sql.send('DELETE FROM rows WHERE part = $1', [part])
  sql.send('DELETE FROM parts WHERE part = $1', [part])
}

export function movePart(sql: Transaction, part: number, place: number): void {
  sql.send('UPDATE parts SET place = $2 WHERE part = $1', [part, place])
}

/** Replaces the current content by data from outside, under the lock. Resolves with the names that are there then. */
export async function replaceContent(
  sql: Transaction,
  incoming: Incoming,
  onRows?: OnRows,
): Promise<readonly string[]> {
  const old = await readParts(sql, CURRENT)
  const added = new Map<string, number>()
  let writer: RowWriter | undefined
  let rank = 0
  let rows = 0
  for await (const one of partsOf(incoming)) {
    if (one.kind === 'rows') {
      for (const row of one.rows) await writer?.put(rank++, row)
      rows += one.rows.length
      onRows?.(rows)
      continue
    }
    writer?.end()
    const twice = added.get(one.name)
    if (twice !== undefined) removePart(sql, twice)
    const value = one.kind === 'value' ? (one.value ?? null) : undefined
    const part = await addPart(sql, added.size, one.name, value)
    added.set(one.name, part)
    writer = new RowWriter(sql, part)
    rank = 0
  }
  writer?.end()
  for (const { part } of old) removePart(sql, part)
  const names = inOrder(added.keys())
  for (const [place, name] of names.entries()) movePart(sql, added.get(name) ?? 0, place)
  await sql.flush()
  return names
}

/** Copies the current content, as of the transaction: no row leaves the database. */
export function copyCurrent(sql: Transaction, to: number): void {
  sql.send(
    `INSERT INTO parts (content, place, name, value)
     SELECT $1, place, name, value FROM parts WHERE content = ${CURRENT} ORDER BY place`,
    [to],
  )
  sql.send(
    `INSERT INTO rows (part, rank, row)
     SELECT copy.part, rank, row FROM parts original
     JOIN parts copy ON copy.content = $1 AND copy.place = original.place
     JOIN rows r ON r.part = original.part WHERE original.content = ${CURRENT}
     ORDER BY copy.part, rank`,
    [to],
  )
}

export function removeContent(sql: Transaction, content: number): void {
  sql.send('DELETE FROM rows USING parts p WHERE rows.part = p.part AND p.content = $1', [content])
  sql.send('DELETE FROM parts WHERE content = $1', [content])
}
