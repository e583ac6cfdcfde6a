import { type Incoming, inOrder, partsOf } from '../../json/incoming.ts'
import type { Sql } from '../link/sql.ts'
import { readParts } from './read-content.ts'
import { RowCopier, textOf } from './row-writer.ts'
import { CURRENT, type Tables } from './tables.ts'

/** Called with the number of rows that came so far. */
export type OnRows = (rows: number) => void

/** Adds a part, at a place that others may have until the end of the transaction. Resolves with its number. */
export async function addPart(
  sql: Sql,
  { parts }: Tables,
  { place, name, value }: { readonly place: number; readonly name: string; readonly value: unknown },
): Promise<number> {
  const [added] = await sql.query<{ part: number }>(
    `INSERT INTO ${parts} (content, place, name, value) VALUES ($1, $2, $3, $4) RETURNING part`,
    [CURRENT, place, JSON.stringify(name), value === undefined ? null : textOf(value)],
  )
  return Number(added?.part)
}

export function removePart(sql: Sql, { parts, rows }: Tables, part: number): void {
  sql.send(`DELETE FROM ${rows} WHERE part = $1`, [part])
  sql.send(`DELETE FROM ${parts} WHERE part = $1`, [part])
}

export function movePart(sql: Sql, { parts }: Tables, part: number, place: number): void {
  sql.send(`UPDATE ${parts} SET place = $2 WHERE part = $1`, [part, place])
}

/**
 * Replaces the current content by data from outside, however much, in a transaction that holds the lock. Resolves with the
 * names that are there then.
 */
export async function replaceContent(
  sql: Sql,
  tables: Tables,
  incoming: Incoming,
  onRows?: OnRows,
): Promise<readonly string[]> {
  const old = await readParts(sql, tables, CURRENT)
  const added = new Map<string, number>()
  let copier: RowCopier | undefined
  let rank = 0
  let rows = 0
  for await (const one of partsOf(incoming)) {
    if (one.kind === 'rows') {
      for (const row of one.rows) await copier?.add(rank++, row)
      rows += one.rows.length
      onRows?.(rows)
      continue
    }
    await copier?.end()
    const twice = added.get(one.name)
    if (twice !== undefined) removePart(sql, tables, twice)
    const value = one.kind === 'value' ? (one.value ?? null) : undefined
    const part = await addPart(sql, tables, { place: added.size, name: one.name, value })
    added.set(one.name, part)
    copier = one.kind === 'collection' ? new RowCopier(sql, tables, part) : undefined
    rank = 0
  }
  await copier?.end()
  for (const { part } of old) removePart(sql, tables, part)
  const names = inOrder(added.keys())
  for (const [place, name] of names.entries()) movePart(sql, tables, added.get(name) ?? 0, place)
  await sql.flush()
  return names
}

/** Copies a content, as of the transaction: no row leaves the database. */
export function copyContent(sql: Sql, { parts, rows }: Tables, from: number, to: number): void {
  sql.send(
    `INSERT INTO ${parts} (content, place, name, value)
     SELECT $2, place, name, value FROM ${parts} WHERE content = $1 ORDER BY place`,
    [from, to],
  )
  sql.send(
    `INSERT INTO ${rows} (part, rank, row)
     SELECT copy.part, rank, row FROM ${parts} original
     JOIN ${parts} copy ON copy.content = $2 AND copy.place = original.place
     JOIN ${rows} r ON r.part = original.part WHERE original.content = $1
     ORDER BY copy.part, rank`,
    [from, to],
  )
}

export function removeContent(sql: Sql, { parts, rows }: Tables, content: number): void {
  sql.send(`DELETE FROM ${rows} USING ${parts} p WHERE ${rows}.part = p.part AND p.content = $1`, [content])
  sql.send(`DELETE FROM ${parts} WHERE content = $1`, [content])
}
