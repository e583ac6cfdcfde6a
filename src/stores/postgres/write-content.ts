import { isCollection } from '../../core/engine/data/database.ts'
import type { PreparedCommit } from '../../core/engine/data/store.ts'
import { Table } from '../../core/engine/data/table.ts'
import { type Difference, diff } from '../../core/engine/data/tree.ts'
import { toStoredRow } from '../../core/engine/rules/served-fields.ts'
import type { Data, Row } from '../../core/engine/types.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { SqlTransaction } from './connection.ts'
import { CURRENT, readParts, type StoredPart } from './read-content.ts'

/** With more changes, and more than half of its rows, a collection is rewritten: that is faster. */
const MOST_CHANGES = 2000

/** Writes the difference, under the lock. The database may have empty collections that `before` lacks. */
export async function saveChanges(
  sql: SqlTransaction,
  stored: readonly Omit<StoredPart, 'value'>[],
  { before, after, commits }: PreparedCommit,
): Promise<void> {
  const storedParts = new Map(stored.map((part) => [part.name, part]))
  const isReplaced = commits.some(({ effects }) => !effects)
  for (const [name, { part }] of storedParts) {
    const isRemoved = !after.parts.has(name) && (isReplaced || before.parts.has(name))
    if (isRemoved) removePart(sql, part)
  }
  let place = 0
  for (const [name, content] of after.parts) {
    if (content === undefined) continue
    const old = storedParts.get(name)
    const value = content instanceof Table ? undefined : content
    const part = old?.part ?? (await addPart(sql, place, name, value))
    if (old && old.place !== place) movePart(sql, part, place)
    place++
    if (!old) await addRows(sql, part, content)
    else if (isReplaced) await replacePart(sql, part, content)
    else if (before.parts.get(name) !== content) {
      const table = before.table(name)
      if (table && content instanceof Table) await saveRows(sql, part, table, content)
      else await replacePart(sql, part, content)
    }
  }
}

async function replacePart(sql: SqlTransaction, part: number, content: unknown): Promise<void> {
  sql.send('DELETE FROM rows WHERE part = $1', [part])
  const value = content instanceof Table ? null : rowJson(content)
  sql.send('UPDATE parts SET value = $2 WHERE part = $1', [part, value])
  await addRows(sql, part, content)
}

async function saveRows(sql: SqlTransaction, part: number, old: Table, table: Table): Promise<void> {
  const most = Math.max(MOST_CHANGES, table.size / 2)
  const changes: Difference<Row>[] = []
  for (const change of diff(old.rows, table.rows)) {
    if (changes.push(change) <= most) continue
    await replacePart(sql, part, table)
    return
  }
  const writer = new RowWriter(sql, part)
  for (const change of changes) {
    if (change.after === undefined) await writer.remove(change.rank)
    else await writer.put(change.rank, change.after)
  }
  writer.end()
}

async function addRows(sql: SqlTransaction, part: number, content: unknown): Promise<void> {
  if (!(content instanceof Table)) return
  const writer = new RowWriter(sql, part)
  for (const leaf of content.rows.leaves()) {
    for (const [at, row] of leaf.items.entries()) await writer.put(leaf.ranks[at] ?? 0, row)
  }
  writer.end()
}

export type OnRows = (rows: number) => void

/** At a place that may be taken until the transaction ends. Resolves with its number. */
async function addPart(sql: SqlTransaction, place: number, name: string, value: unknown): Promise<number> {
  const [added] = await sql.query<{ part: number }>(
    `INSERT INTO parts (content, place, name, value) VALUES (${CURRENT}, $1, $2, $3) RETURNING part`,
    [place, JSON.stringify(name), value === undefined ? null : rowJson(value)],
  )
  return Number(added?.part)
}

function removePart(sql: SqlTransaction, part: number): void {
  sql.send('DELETE FROM rows WHERE part = $1', [part])
  sql.send('DELETE FROM parts WHERE part = $1', [part])
}

function movePart(sql: SqlTransaction, part: number, place: number): void {
  sql.send('UPDATE parts SET place = $2 WHERE part = $1', [part, place])
}

const ROWS = 500

export async function replaceContent(
  sql: SqlTransaction,
  data: Data,
  onRows?: OnRows,
): Promise<readonly string[]> {
  const old = await readParts(sql, CURRENT)
  const names = Object.keys(data)
  let rows = 0
  for (const [place, name] of names.entries()) {
    const content = data[name]
    if (!isCollection(name, content)) {
      await addPart(sql, place, name, content ?? null)
      continue
    }
    const writer = new RowWriter(sql, await addPart(sql, place, name, undefined))
    for (const [rank, row] of content.entries()) {
      await writer.put(rank, row)
      rows += 1
      if (rows % ROWS === 0) onRows?.(rows)
    }
    writer.end()
  }
  onRows?.(rows)
  for (const { part } of old) removePart(sql, part)
  await sql.flush()
  return names
}

export function copyCurrent(sql: SqlTransaction, to: number): void {
  sql.send(
    `INSERT INTO parts (content, place, name, value)
     SELECT $1, place, name, value FROM parts WHERE content = ${CURRENT} ORDER BY place`,
    [to],
  )
  sql.send(
    `INSERT INTO rows (part, rank, row)
     SELECT copy.part, rank, row FROM parts original
     JOIN parts copy ON copy.content = $1 AND copy.name = original.name
     JOIN rows r ON r.part = original.part WHERE original.content = ${CURRENT}
     ORDER BY copy.part, rank`,
    [to],
  )
}

export function removeContent(sql: SqlTransaction, content: number): void {
  sql.send('DELETE FROM rows USING parts p WHERE rows.part = p.part AND p.content = $1', [content])
  sql.send('DELETE FROM parts WHERE content = $1', [content])
}

const MOST_ROWS = 2000
const MOST_CHARACTERS = 512 * 1024
const AHEAD = 2

/** Hidden fields included. JSON escapes what PostgreSQL cannot store. */
function rowJson(row: unknown): string {
  return JSON.stringify(toStoredRow(row as Row)) ?? 'null'
}

class RowWriter {
  readonly #sql: SqlTransaction
  readonly #part: number
  readonly #pace = new TimeSlice()
  #ranks: number[] = []
  #texts: string[] = []
  #characters = 0
  #removed: number[] = []

  constructor(sql: SqlTransaction, part: number) {
    this.#sql = sql
    this.#part = part
  }

  async put(rank: number, row: unknown): Promise<void> {
    const text = rowJson(row)
    this.#ranks.push(rank)
    this.#texts.push(text)
    this.#characters += text.length
    await this.#goOn()
  }

  async remove(rank: number): Promise<void> {
    this.#removed.push(rank)
    await this.#goOn()
  }

  end(): void {
    if (this.#ranks.length > 0) {
      // JSON has no line breaks. As one string, rows are neither escaped here nor parsed there.
      this.#sql.send(
        `INSERT INTO rows (part, rank, row)
         SELECT $1, * FROM unnest($2::float8[], string_to_array($3, E'\\n'))
         ON CONFLICT (part, rank) DO UPDATE SET row = excluded.row`,
        [this.#part, this.#ranks, this.#texts.join('\n')],
      )
    }
    if (this.#removed.length > 0) {
      const text = 'DELETE FROM rows WHERE part = $1 AND rank = ANY($2::float8[])'
      this.#sql.send(text, [this.#part, this.#removed])
    }
    this.#ranks = []
    this.#texts = []
    this.#characters = 0
    this.#removed = []
  }

  async #goOn(): Promise<void> {
    if (this.#ranks.length + this.#removed.length >= MOST_ROWS || this.#characters >= MOST_CHARACTERS) {
      this.end()
      await this.#sql.flush(AHEAD)
    } else if (this.#pace.isUsedUp) await this.#pace.yieldToEventLoop()
  }
}
