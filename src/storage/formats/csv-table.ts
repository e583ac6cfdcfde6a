import papaparse from 'papaparse'
import { isObject, setField } from '../../json/values.ts'
import { FormatFault } from './codec.ts'
import { type Cell, type ColumnType, readCell, typeOf } from './csv-cells.ts'

/** A row by columns: `{ "id": 1, "address.city": "Rome" }`. */
export type FlatRow = Readonly<Record<string, unknown>>

interface CsvLine {
  readonly cells: readonly Cell[]
  /** Empty lines before it. */
  readonly lead: string
  /** Without its line end. */
  readonly raw: string
}

export interface CsvRecord extends CsvLine {
  readonly row: FlatRow
}

export interface CsvTable {
  readonly head: CsvLine | undefined
  /** Names of the fields, by column. A column without a name is no field. */
  readonly fields: readonly string[]
  readonly types: readonly ColumnType[]
  readonly records: readonly CsvRecord[]
  /** Empty lines after the last one. */
  readonly tail: string
  readonly delimiter: string
  readonly lineEnd: string
  /** Everything is in quotes, which then mean nothing. */
  readonly isQuoted: boolean
}

export function parseTable(source: string): CsvTable {
  const text = withOneLineEnd(source)
  const delimiter = delimiterOf(text)
  const { lines, tail, lineEnd } = splitLines(text, delimiter)
  const [head, ...rest] = lines
  const fields = head?.cells.map(({ text }) => text) ?? []
  checkFields(fields)
  const long = rest.find(({ cells }) => cells.slice(fields.length).some((cell) => cell.text !== ''))
  if (long) {
    const line = text.slice(0, text.indexOf(long.raw)).split(lineEnd).length
    throw new FormatFault(`not usable: line ${line} has more cells than there are columns. Name them all.`)
  }
  const isQuoted =
    head !== undefined && lines.every(({ cells }) => cells.every((cell) => cell.isQuoted || cell.text === ''))
  const types = fields.map((_, at) =>
    typeOf(
      rest.flatMap(({ cells }) => cells[at] ?? []),
      isQuoted,
    ),
  )
  const records = rest.map((line) => {
    const row = {}
    for (const [at, field] of fields.entries()) {
      if (field !== '') setField(row, field, readCell(line.cells[at], types[at] ?? 'text', isQuoted))
    }
    return { ...line, row }
  })
  return { head, fields, types, records, tail, delimiter, lineEnd, isQuoted }
}

/** Each with objects instead of columns with dots. */
export function rowsOf({ records, fields }: CsvTable): object[] {
  const paths = fields.filter((field) => field !== '').map((field) => [field, pathOf(field)] as const)
  return records.map(({ row }) => {
    const object = {}
    for (const [field, path] of paths) setIn(object, path, row[field])
    return object
  })
}

/** The name of a column as names of fields in each other; `No.` and `Approx. price` are names as they are. */
export function pathOf(field: string): readonly string[] {
  const names = field.split('.')
  return names.every((name) => name !== '' && name === name.trim()) ? names : [field]
}

function setIn(object: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    setField(object, name, value)
    return
  }
  if (!Object.hasOwn(object, name)) setField(object, name, {})
  const inner: unknown = Reflect.get(object, name)
  if (isObject(inner)) setIn(inner, rest, value)
}

/** Lines that a program appended may end in another way, and would be read as one. Line ends in quotes stay. */
function withOneLineEnd(text: string): string {
  const unquoted = text.replace(/"[^"]*"/g, '')
  return /\r\n/.test(unquoted) && /(?<!\r)\n/.test(unquoted)
    ? text.replace(/"[^"]*"|\r\n/g, (part) => (part === '\r\n' ? '\n' : part))
    : text
}

/** The most frequent in the first line. */
function delimiterOf(text: string): string {
  const [line = ''] = /(?:"[^"]*"|[^"\r\n])+/.exec(text) ?? []
  const unquoted = line.replace(/"[^"]*"/g, '')
  const countOf = (delimiter: string) => unquoted.split(delimiter).length
  return [',', ';', '\t', '|'].reduce((most, each) => (countOf(each) > countOf(most) ? each : most))
}

function splitLines(text: string, delimiter: string) {
  const lines: CsvLine[] = []
  let start = 0
  let lead = ''
  let lineEnd: string | undefined
  papaparse.parse<string[]>(text, {
    delimiter,
    step({ data, meta, errors: [error] }) {
      if (error) {
        const line = text.slice(0, start).split('\n').length
        throw new FormatFault(
          `not valid CSV: ${error.message.toLowerCase()} at line ${line}. Correct it there.`,
        )
      }
      const whole = text.slice(start, meta.cursor)
      const raw = whole.replace(/(?:\r\n|\n|\r)$/, '')
      lineEnd ??= whole.slice(raw.length)
      start = meta.cursor
      if (raw === '') lead += whole
      else {
        lines.push({ raw, lead, cells: cellsOf(raw, data, delimiter) })
        lead = ''
      }
    },
  })
  return { lines, tail: lead, lineEnd: lineEnd || '\n' }
}

/**
 * The text between delimiters: a cell of n characters without quotes takes n, one with quotes two more and one for each in
 * it, and spaces may follow.
 */
function cellsOf(line: string, data: readonly string[], delimiter: string): Cell[] {
  let at = 0
  return data.map((text) => {
    const isQuoted = line[at] === '"'
    const length = isQuoted ? text.length + text.split('"').length + 1 : text.length
    const next = isQuoted ? line.indexOf(delimiter, at + length) : at + length
    const end = next === -1 ? line.length : next
    const cell = { text, isQuoted, raw: line.slice(at, end) }
    at = end + delimiter.length
    return cell
  })
}

function checkFields(fields: readonly string[]): void {
  const named = fields.filter((field) => field !== '')
  const all = new Set(named)
  const twice = named.find((field) => !all.delete(field))
  if (twice !== undefined)
    throw new FormatFault(`not usable: it has the column "${twice}" twice. Rename one of them.`)
  const groups = groupsOf(named)
  const outer = named.find((field) => groups.has(field))
  if (outer !== undefined)
    throw new FormatFault(`not usable: "${outer}" is a column, and so is a part of it. Rename one of them.`)
}

/** Objects that columns are parts of: `a` and `a.b` of `a.b.c`. */
export function groupsOf(fields: readonly string[]): ReadonlySet<string> {
  return new Set(
    fields.flatMap((field) => {
      const path = pathOf(field)
      return path.slice(1).map((_, at) => path.slice(0, at + 1).join('.'))
    }),
  )
}
