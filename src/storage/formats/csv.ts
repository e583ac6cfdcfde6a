import papaparse from 'papaparse'
import { isObject, isSameJson, setField } from '../../json/values.ts'
import { align } from './align.ts'
import { type Codec, FormatFault, withoutByteMark } from './codec.ts'
import { type Cell, type ColumnType, isSpecial, readCell, typeOf, writeCell } from './csv-cells.ts'

/** The first line names the fields. */
export const csv: Codec = {
  read: (text) => ({ value: parse(withoutByteMark(text)).records.map(({ row }) => row) }),

  write(value, before) {
    const mark = before.startsWith('\uFEFF') ? '\uFEFF' : ''
    const table = parse(before.slice(mark.length))
    const rows = Array.isArray(value) ? value : [value]
    if (!rows.every((row) => isSameJson(unflatten(flatten(row)), row))) throw new FormatFault(UNFIT)
    // Cells as they were, unless that changes what others mean: then each is written so that it cannot be misread.
    for (const isStrict of [false, true]) {
      const text = write(table, rows, isStrict)
      const { fields, records } = parse(text)
      const read = records.map(({ row }) => row)
      const meant = rows.map((row) => withNulls(row, fields))
      if (isSameJson(read, meant)) return mark + text
    }
    throw new FormatFault(UNFIT)
  },
}

const UNFIT =
  'not able to hold this: in CSV, a field has values of one kind, and no name has a dot. Keep the rows in a .json file.'

interface CsvRecord {
  readonly cells: readonly Cell[]
  /** With its line end, if it has one. */
  readonly raw: string
  readonly row: Readonly<Record<string, unknown>>
}

interface CsvTable {
  readonly head: Omit<CsvRecord, 'row'> | undefined
  /** Names of the fields, by column. A column without a name is no field. */
  readonly fields: readonly string[]
  readonly types: readonly ColumnType[]
  readonly records: readonly CsvRecord[]
  readonly delimiter: string
  readonly lineEnd: string
  /** Everything is in quotes, which then mean nothing. */
  readonly isQuoted: boolean
}

function parse(source: string): CsvTable {
  const text = withOneLineEnd(source)
  const delimiter = delimiterOf(text)
  const [head, ...rest] = splitRecords(text, delimiter)
  const fields = head?.cells.map(({ text }) => text) ?? []
  checkFields(fields)
  const isQuoted = head?.cells.every((cell) => cell.isQuoted) ?? false
  const filled = rest.filter(({ cells }) => cells.length > 1 || cells[0]?.raw !== '')
  const long = filled.find(({ cells }) => cells.slice(fields.length).some((cell) => cell.text !== ''))
  if (long) {
    const line = text.slice(0, text.indexOf(long.raw)).split('\n').length
    throw new FormatFault(`not usable: line ${line} has more cells than there are columns. Name them all.`)
  }
  const types = fields.map((_, at) =>
    typeOf(
      filled.flatMap(({ cells }) => cells[at] ?? []),
      isQuoted,
    ),
  )
  const records = filled.map((record) => {
    const row = {}
    for (const [at, field] of fields.entries()) {
      if (field !== '')
        setIn(row, field.split('.'), readCell(record.cells[at], types[at] ?? 'text', isQuoted))
    }
    return { ...record, row }
  })
  return { head, fields, types, records, delimiter, lineEnd: /\r?\n/.exec(text)?.[0] ?? '\n', isQuoted }
}

/** Lines that a program appended may end in another way, and would be read as one. Line ends in quotes stay. */
function withOneLineEnd(text: string): string {
  const unquoted = text.replace(/"[^"]*"/g, '')
  return /\r\n/.test(unquoted) && /(?<!\r)\n/.test(unquoted) ? text.replaceAll('\r\n', '\n') : text
}

/** The most frequent in the first line. */
function delimiterOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split('\n', 1)
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: line.split(delimiter).length,
  }))
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter
}

function splitRecords(text: string, delimiter: string): Omit<CsvRecord, 'row'>[] {
  const records: { cells: Cell[]; raw: string }[] = []
  let start = 0
  papaparse.parse<string[]>(text, {
    delimiter,
    step({ data, meta, errors: [error] }) {
      const raw = text.slice(start, meta.cursor)
      if (error) {
        const line = text.slice(0, start).split('\n').length
        throw new FormatFault(
          `not valid CSV: ${error.message.toLowerCase()} at line ${line}. Correct it there.`,
        )
      }
      start = meta.cursor
      records.push({ raw, cells: cellsOf(raw.replace(/\r?\n$/, ''), data, delimiter) })
    },
  })
  return records
}

/** The text between delimiters: a cell of n characters without quotes takes n, one with quotes two more and one for each in it. */
function cellsOf(line: string, data: readonly string[], delimiter: string): Cell[] {
  let at = 0
  return data.map((text) => {
    const isQuoted = line[at] === '"'
    const length = isQuoted ? text.length + text.split('"').length + 1 : text.length
    const cell = { text, isQuoted, raw: line.slice(at, at + length) }
    at += length + delimiter.length
    return cell
  })
}

function checkFields(fields: readonly string[]): void {
  const named = fields.filter((field) => field !== '')
  const twice = named.find((field, at) => named.indexOf(field) !== at)
  if (twice !== undefined)
    throw new FormatFault(`not usable: it has the column "${twice}" twice. Rename one of them.`)
  const outer = named.find((field) => named.some((other) => other.startsWith(`${field}.`)))
  if (outer !== undefined)
    throw new FormatFault(`not usable: "${outer}" is a column, and so is a part of it. Rename one of them.`)
}

function setIn(object: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  const inner: unknown = Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined
  const next = isObject(inner) ? inner : {}
  if (rest.length > 0) setIn(next, rest, value)
  setField(object, name, rest.length > 0 ? next : value)
}

function write(table: CsvTable, rows: readonly unknown[], isStrict: boolean): string {
  const { head, delimiter, lineEnd } = table
  const flat = rows.map(flatten)
  const added = [...new Set(flat.flatMap((row) => [...row.keys()]))].filter(
    (field) => !table.fields.includes(field),
  )
  const fields = [...table.fields, ...added]
  const types = isStrict
    ? fields.map((field) => (flat.every((row) => isText(row.get(field))) ? 'text' : 'other'))
    : table.types
  const isQuoted = table.isQuoted && !isStrict
  const write = (value: unknown, type: ColumnType | 'other' | undefined, isForced = false): string =>
    writeCell(value, { delimiter, type, isQuoted: isQuoted || isForced })
  const headCells = fields.map(
    (field, at) => (isStrict ? undefined : head?.cells[at]?.raw) ?? write(field, 'text'),
  )
  const headLine =
    added.length === 0 && head && !isStrict ? head.raw.replace(/\r?\n$/, '') : headCells.join(delimiter)
  const slots = align(
    table.records,
    ({ row }) => row,
    rows.map((row) => withNulls(row, table.fields)),
  )
  const places = new Map(slots.filter((slot) => 'value' in slot).map((slot, at) => [at, slot.old] as const))
  const lines = flat.map((row, at) => {
    const old = places.get(at)
    const before = old && flatten(old.row)
    const cells = fields.map((field, column) => {
      const cell = old?.cells[column]
      const value = row.get(field)
      const isKept =
        cell !== undefined && (field === '' || isSameJson(before?.get(field) ?? null, value ?? null))
      if (isKept && !(isStrict && cell.isQuoted !== needsQuotes(value, types[column]))) return cell.raw
      return write(value, types[column], isStrict && needsQuotes(value, types[column]))
    })
    const isSame = old !== undefined && cells.every((cell, column) => cell === (old.cells[column]?.raw ?? ''))
    if (isSame) return old.raw.replace(/\r?\n$/, '')
    return cells.join(delimiter)
  })
  if (fields.length === 0) return ''
  return [headLine, ...lines].map((line) => line + lineEnd).join('')
}

/** Whether a text could be read as something else, where columns are judged without it. */
function needsQuotes(value: unknown, type: ColumnType | 'other' | undefined): boolean {
  return typeof value === 'string' && (type === 'other' || isSpecial(value))
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

/** Objects become one field for each of theirs: `a.b`. */
function flatten(row: unknown): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  const add = (value: unknown, path: string): void => {
    const members = isObject(value) ? Object.entries(value) : []
    if (members.length === 0) fields.set(path, value)
    for (const [name, member] of members) add(member, path === '' ? name : `${path}.${name}`)
  }
  add(row, '')
  fields.delete('')
  return fields
}

function unflatten(fields: ReadonlyMap<string, unknown>): object {
  const row = {}
  for (const [field, value] of fields) setIn(row, field.split('.'), value)
  return row
}

/** The row as it will be read: with null in each field that it has not. */
function withNulls(row: unknown, fields: readonly string[]): object {
  const flat = flatten(row)
  const names = [...fields, ...flat.keys()].filter((field) => field !== '')
  return unflatten(new Map(names.map((name) => [name, flat.get(name) ?? null])))
}
