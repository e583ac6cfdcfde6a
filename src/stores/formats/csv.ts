import { isSameJson, setField } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { align, type IdNames } from './align.ts'
import { byteMarkOf, type Codec, FormatFault, withoutMark } from './codec.ts'
import { type ColumnType, isSpecial, writeCell } from './csv-cells.ts'
import { type FlatRow, fieldOf, flatten, UNFIT, unfinishedAt } from './csv-fields.ts'
import { type CsvRecord, type CsvTable, lineStyleOf, parseTable, rowsOf } from './csv-table.ts'

/** The first line names the fields. */
export const csv: Codec = {
  read(text) {
    const wholeUpTo = unfinishedAt(text)
    const table = tableOf(text.slice(0, wholeUpTo))
    return { value: rowsOf(table), wholeUpTo, lineStyle: lineStyleOf(table) }
  },

  lineStyle: (text) => lineStyleOf(tableOf(text)),

  write(value, marked, ids) {
    const before = marked.slice(0, unfinishedAt(marked))
    const table = tableOf(before)
    const rows = flatten(Array.isArray(value) ? value : [value], table.fields)
    const aligned = alignRecords(table, rows, ids)
    for (const quotes of QUOTES) {
      const text = byteMarkOf(before) + writeTable(table, aligned, quotes)
      if (isReadBack(text, table, aligned)) return text
    }
    throw new FormatFault(UNFIT)
  },
}

/** The table read or written last, which is nearly always changed next. */
let last: { readonly text: string; readonly table: CsvTable } | undefined

function tableOf(text: string): CsvTable {
  if (last?.text !== text) last = { text, table: parseTable(withoutMark(text)) }
  return last.table
}

/** Ways to quote, tried in order: as before; with more quotes, if cells would change their meaning; only where text needs them. */
const QUOTES = ['kept', 'added', 'needed'] as const

function isReadBack(text: string, before: CsvTable, rows: readonly AlignedRow[]): boolean {
  // UTF-8 has no halves of characters.
  const table = Buffer.from(text).toString() === text ? attempt(() => tableOf(text)) : undefined
  if (table?.records.length !== rows.length) return false
  const { fields, types, isQuoted } = table
  // Then the same line is the same row.
  const isAlike = isSameJson([fields, types, isQuoted], [before.fields, before.types, before.isQuoted])
  return rows.every(({ row, old, isSame }, at) => {
    const record = table.records[at]
    return (isAlike && isSame && record?.raw === old?.raw) || isSameJson(record?.row, withNulls(row, fields))
  })
}

function writeTable(table: CsvTable, rows: readonly AlignedRow[], quotes: (typeof QUOTES)[number]): string {
  const known = new Set(table.fields)
  const added = new Set(rows.flatMap(({ row }) => Object.keys(row).filter((field) => !known.has(field))))
  const fields = [...table.fields, ...added]
  if (fields.length === 0) return table.tail
  const isKept = quotes === 'kept'
  const isNeeded = quotes === 'needed'
  const types = isKept
    ? table.types
    : fields.map((field) => (rows.every(({ row }) => isText(fieldOf(row, field))) ? 'text' : 'other'))
  const { head, delimiter, lineEnd } = table
  const isQuoted = table.isQuoted && !isNeeded
  const write = (value: unknown, type: ColumnType | 'other' | undefined, isForced = false): string =>
    writeCell(value, { delimiter, type, isQuoted: isQuoted || isForced })
  const headCells = fields.map(
    (field, at) =>
      (isNeeded ? undefined : head?.cells[at]?.raw) ?? write(field, 'text', /[,;\t|]/.test(field)),
  )
  const quoted = fields.map((_, column) => !isNeeded && hasQuotes(table, column))
  const lines = rows.map(({ row, old, isSame: isRowSame }) => {
    // Other readers refuse lines that are shorter than the first.
    const missing =
      added.size > 0 && old ? delimiter.repeat(Math.max(0, fields.length - old.cells.length)) : ''
    if (isKept && old && isRowSame) return old.lead + old.raw + missing
    const cells = fields.map((field, column) => {
      const cell = old?.cells[column]
      const value = fieldOf(row, field)
      const isForced = !isKept && needsQuotes(value, types[column])
      const isSame = cell && (field === '' || isSameJson(fieldOf(old?.row, field), value))
      if (isSame && (isNeeded ? cell.isQuoted === isForced : cell.isQuoted || !isForced)) return cell.raw
      return write(value, types[column], isForced || (quoted[column] && typeof value === 'string'))
    })
    const isSame = old !== undefined && cells.every((cell, column) => cell === (old.cells[column]?.raw ?? ''))
    // An empty line would be no row.
    const line = isSame ? old.raw + missing : cells.join(delimiter) || delimiter
    return (old?.lead ?? '') + line
  })
  const isHeadKept = head !== undefined && added.size === 0 && !isNeeded
  const headLine = isHeadKept ? head.raw : headCells.join(delimiter)
  return [(head?.lead ?? '') + headLine, ...lines].map((line) => line + lineEnd).join('') + table.tail
}

function hasQuotes({ records }: CsvTable, column: number): boolean {
  const filled = records.flatMap(({ cells }) => cells[column] ?? []).filter(({ text }) => text !== '')
  return filled.length > 0 && filled.every((cell) => cell.isQuoted)
}

/** Rows, and what they were. */
function alignRecords(table: CsvTable, rows: readonly FlatRow[], ids: IdNames | undefined): AlignedRow[] {
  const whole = rows.map((row) => withNulls(row, table.fields))
  const slots = align(table.records, ({ row }) => row, whole, ids).filter((slot) => 'value' in slot)
  return rows.map((row, at) => {
    const old = slots[at]?.old
    return { row, old, isSame: old !== undefined && isSameJson(old.row, whole[at]) }
  })
}

interface AlignedRow {
  readonly row: FlatRow
  readonly old: CsvRecord | undefined
  /** Whether the row is what the line holds. */
  readonly isSame: boolean
}

/** Whether a text could be read as something else, where columns are judged without it. */
function needsQuotes(value: unknown, type: ColumnType | 'other' | undefined): boolean {
  return typeof value === 'string' && (type === 'other' || isSpecial(value))
}

function isText(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

/** The row as it will be read: with null in each column that it has nothing for. */
function withNulls(row: FlatRow, fields: readonly string[]): FlatRow {
  const whole = {}
  for (const field of fields) if (field !== '') setField(whole, field, null)
  for (const field of Object.keys(row)) setField(whole, field, row[field] ?? null)
  return whole
}
