import { isObject, isSameJson, setField } from '../../json/values.ts'
import { attempt } from '../../util/attempt.ts'
import { align, type Slot } from './align.ts'
import { byteMarkOf, type Codec, FormatFault, withoutMark } from './codec.ts'
import { type ColumnType, isSpecial, writeCell } from './csv-cells.ts'
import {
  type CsvRecord,
  type CsvTable,
  type FlatRow,
  groupsOf,
  parseTable,
  pathOf,
  rowsOf,
} from './csv-table.ts'

/** The first line names the fields. */
export const csv: Codec = {
  read: (text) => ({ value: rowsOf(parseTable(withoutMark(text))) }),

  write(value, before, id) {
    const table = parseTable(withoutMark(before))
    const rows = flatten(Array.isArray(value) ? value : [value], table.fields)
    const aligned = alignRecords(table, rows, id)
    for (const quotes of QUOTES) {
      const text = writeTable(table, aligned, quotes)
      if (isReadBack(text, rows)) return byteMarkOf(before) + text
    }
    throw new FormatFault(UNFIT)
  },
}

/** Those that were there; if that changes what cells mean, more where texts need them; or else just where texts need them. */
const QUOTES = ['kept', 'added', 'needed'] as const

const UNFIT =
  'not able to hold this: in CSV, a field has values of one kind, no name has a dot, and characters are whole. Keep the rows in a .json file.'

function isReadBack(text: string, rows: readonly FlatRow[]): boolean {
  // UTF-8 has no halves of characters.
  const table = Buffer.from(text).toString() === text ? attempt(() => parseTable(text)) : undefined
  if (table?.records.length !== rows.length) return false
  return rows.every((row, at) => isSameJson(table.records[at]?.row, withNulls(row, table.fields)))
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
  const lines = rows.map(({ row, old, value: whole }) => {
    if (isKept && old && isSameJson(old.row, whole)) return old.lead + old.raw
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
    const line = isSame ? old.raw : cells.join(delimiter) || delimiter
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
function alignRecords(table: CsvTable, rows: readonly FlatRow[], id: string | undefined): AlignedRow[] {
  const whole = rows.map((row) => withNulls(row, table.fields))
  const slots = align(table.records, ({ row }) => row, whole, id).filter((slot) => 'value' in slot)
  return rows.map((row, at) => ({ ...slots[at], row }))
}

type AlignedRow = Slot<CsvRecord> & { readonly row: FlatRow }

/** Whether a text could be read as something else, where columns are judged without it. */
function needsQuotes(value: unknown, type: ColumnType | 'other' | undefined): boolean {
  return typeof value === 'string' && (type === 'other' || isSpecial(value))
}

function isText(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

/** Null if there is none. */
function fieldOf(row: FlatRow | undefined, field: string): unknown {
  return (row && Object.hasOwn(row, field) ? row[field] : null) ?? null
}

/** Objects become a column for each of their fields, unless they have one that holds them as JSON. */
function flatten(rows: readonly unknown[], fields: readonly string[]): FlatRow[] {
  const columns = new Set(fields)
  const groups = groupsOf(fields)
  return rows.map((row) => {
    const flat = {}
    const add = (value: unknown, path: readonly string[]): void => {
      const field = path.join('.')
      const members =
        isObject(value) && (path.length === 0 || !columns.has(field)) ? Object.entries(value) : []
      for (const [name, member] of members) add(member, [...path, name])
      // An object that is null or empty has nothing in its columns.
      if (members.length > 0 || path.length === 0 || (groups.has(field) && isNothing(value))) return
      if (field === '' || pathOf(field).length !== path.length) throw new FormatFault(UNFIT)
      setField(flat, field, value)
    }
    add(row, [])
    return flat
  })
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (isObject(value) && Object.keys(value).length === 0)
}

/** The row as it will be read: with null in each column that it has nothing for. */
function withNulls(row: FlatRow, fields: readonly string[]): FlatRow {
  const whole = {}
  for (const field of fields) if (field !== '') setField(whole, field, null)
  for (const field of Object.keys(row)) setField(whole, field, row[field] ?? null)
  return whole
}
