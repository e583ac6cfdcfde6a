import { isObject, isSameJson, setField } from '../../json/values.ts'
import { align } from './align.ts'
import { type Codec, FormatFault, withoutByteMark } from './codec.ts'
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
  read: (text) => ({ value: rowsOf(parseTable(withoutByteMark(text))) }),

  write(value, before) {
    const mark = before.startsWith('\uFEFF') ? '\uFEFF' : ''
    const table = parseTable(before.slice(mark.length))
    const rows = flatten(Array.isArray(value) ? value : [value], table.fields)
    // Cells as they were, unless that changes what others mean: then each is written so that it cannot be misread.
    for (const isStrict of [false, true]) {
      const text = writeTable(table, rows, isStrict)
      if (isReadBack(text, rows)) return mark + text
    }
    throw new FormatFault(UNFIT)
  },
}

const UNFIT =
  'not able to hold this: in CSV, a field has values of one kind, and no name has a dot. Keep the rows in a .json file.'

function isReadBack(text: string, rows: readonly FlatRow[]): boolean {
  try {
    const { fields, records } = parseTable(text)
    const isSame = (row: FlatRow, at: number) => isSameJson(records[at]?.row, withNulls(row, fields))
    return records.length === rows.length && rows.every(isSame)
  } catch {
    return false
  }
}

function writeTable(table: CsvTable, rows: readonly FlatRow[], isStrict: boolean): string {
  const known = new Set(table.fields)
  const added = new Set(rows.flatMap((row) => Object.keys(row).filter((field) => !known.has(field))))
  const fields = [...table.fields, ...added]
  if (fields.length === 0) return table.tail
  const types = isStrict
    ? fields.map((field) => (rows.every((row) => isText(fieldOf(row, field))) ? 'text' : 'other'))
    : table.types
  const { head, delimiter, lineEnd } = table
  const isQuoted = table.isQuoted && !isStrict
  const write = (value: unknown, type: ColumnType | 'other' | undefined, isForced = false): string =>
    writeCell(value, { delimiter, type, isQuoted: isQuoted || isForced })
  const headCells = fields.map(
    (field, at) =>
      (isStrict ? undefined : head?.cells[at]?.raw) ?? write(field, 'text', /[,;\t|]/.test(field)),
  )
  const quoted = fields.map((_, column) => hasQuotes(table, column))
  const lines = alignRecords(table, rows).map(({ row, old, isSame: isSameRow }) => {
    if (isSameRow && !isStrict) return old.lead + old.raw
    const cells = fields.map((field, column) => {
      const cell = old?.cells[column]
      const value = fieldOf(row, field)
      const isKept = cell && (field === '' || isSameJson(fieldOf(old?.row, field), value))
      if (isKept && !(isStrict && cell.isQuoted !== needsQuotes(value, types[column]))) return cell.raw
      const isForced = isStrict
        ? needsQuotes(value, types[column])
        : quoted[column] && typeof value === 'string'
      return write(value, types[column], isForced)
    })
    const isSame = old !== undefined && cells.every((cell, column) => cell === (old.cells[column]?.raw ?? ''))
    // An empty line would be no row.
    const line = isSame ? old.raw : cells.join(delimiter) || delimiter
    return (old?.lead ?? '') + line
  })
  const isHeadKept = head !== undefined && added.size === 0 && !isStrict
  const headLine = isHeadKept ? head.raw : headCells.join(delimiter)
  return [(head?.lead ?? '') + headLine, ...lines].map((line) => line + lineEnd).join('') + table.tail
}

function hasQuotes({ records }: CsvTable, column: number): boolean {
  const filled = records.flatMap(({ cells }) => cells[column] ?? []).filter(({ text }) => text !== '')
  return filled.length > 0 && filled.every((cell) => cell.isQuoted)
}

/** Rows, and what they were. */
function alignRecords(table: CsvTable, rows: readonly FlatRow[]): AlignedRow[] {
  const whole = rows.map((row) => withNulls(row, table.fields))
  const slots = align(table.records, ({ row }) => row, whole).filter((slot) => 'value' in slot)
  return rows.map((row, at) => {
    const old = slots[at]?.old
    return old && isSameJson(old.row, whole[at]) ? { row, old, isSame: true } : { row, old, isSame: false }
  })
}

type AlignedRow = { readonly row: FlatRow } & (
  | { readonly old: CsvRecord; readonly isSame: true }
  | { readonly old: CsvRecord | undefined; readonly isSame: false }
)

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
