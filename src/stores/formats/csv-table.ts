import papaparse from 'papaparse'
import { count, MAX_KEYS } from '../../core/kernel/json/limits.ts'
import { isObject, setField } from '../../core/kernel/json/values.ts'
import { FormatFault } from './codec.ts'
import {
  type Cell,
  type ColumnType,
  type CsvLineStyle,
  type LineType,
  readCell,
  typeOf,
} from './csv-cells.ts'
import { type FlatRow, groupsOf, pathOf } from './csv-fields.ts'

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
  const long = rest.find(({ cells }) => cells.slice(fields.length).some((cell) => cell.text !== ''))
  if (long) {
    const line = text.slice(0, text.indexOf(long.raw)).split(lineEnd).length
    throw new FormatFault(`not usable: line ${line} has more cells than there are columns. Name them all.`)
  }
  const isQuoted =
    head !== undefined && lines.every(({ cells }) => cells.every((cell) => cell.isQuoted || cell.text === ''))
  const types = fields.map((_, at) => typeOf(rest, at, isQuoted))
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

function setIn(object: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    setField(object, name, value)
    return
  }
  if (!Object.hasOwn(object, name)) setField(object, name, {})
  const inner: unknown = Reflect.get(object, name)
  if (isObject(inner)) setIn(inner, rest, value)
}

const QUOTED = /"[^"]*"/g

/** Lines that a program appended may end in another way, and would be read as one. Line ends in quotes stay. */
function withOneLineEnd(text: string): string {
  const unquoted = text.replace(QUOTED, '')
  return /\r\n/.test(unquoted) && /(?<!\r)\n/.test(unquoted)
    ? text.replace(/"[^"]*"|\r\n/g, (part) => (part === '\r\n' ? '\n' : part))
    : text
}

/** The most frequent in the first line. */
function delimiterOf(text: string): string {
  const unquoted = /[^\r\n]+/.exec(text.includes('"') ? text.replace(QUOTED, '') : text)?.[0] ?? ''
  const countOf = (delimiter: string) => unquoted.split(delimiter).length
  return [',', ';', '\t', '|'].reduce((most, each) => (countOf(each) > countOf(most) ? each : most))
}

function splitLines(text: string, delimiter: string) {
  const [lineEnd = '\n'] = /\r\n|\n|\r/.exec(text.includes('"') ? text.replace(QUOTED, '') : text) ?? []
  const lines: CsvLine[] = []
  let lead = ''
  let start = 0
  const step = ({ data: [cells = []], errors: [error], meta }: ParsedRecord) => {
    if (error) {
      const line = text.slice(0, start).split('\n').length
      throw new FormatFault(
        `not valid CSV: ${error.message.toLowerCase()} at line ${line}. Correct it there.`,
      )
    }
    const whole = text.slice(start, meta.cursor)
    const raw = whole.endsWith(lineEnd) ? whole.slice(0, -lineEnd.length) : whole
    if (raw === '') lead += whole
    else {
      // Before millions of cells are read.
      if (lines.length === 0) checkFields(cells)
      lines.push({ raw, lead, cells: cellsOf(raw, cells, delimiter) })
      lead = ''
    }
    start = meta.cursor
  }
  new papaparse.Parser({ delimiter, newline: lineEnd as '\n', step }).parse(text, 0, false)
  return { lines, tail: lead, lineEnd }
}

/** A row of cells as the parser gives it. */
interface ParsedRecord extends Pick<papaparse.ParseStepResult<string[][]>, 'data' | 'errors' | 'meta'> {}

/**
 * The text between delimiters: a cell of n characters without quotes takes n, one with quotes two more and one for each in
 * it, and spaces may follow.
 */
function cellsOf(line: string, data: readonly string[], delimiter: string): Cell[] {
  let at = 0
  if (!line.includes('"')) return data.map((text) => ({ text, isQuoted: false, raw: text }))
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
  if (fields.length > MAX_KEYS)
    throw new FormatFault(
      `not usable: it has ${count(fields.length)} columns. Split it into files of ${count(MAX_KEYS)} at most.`,
    )
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

/** Undefined if its lines do not end in `\n`, or there is no first one. */
export function lineStyleOf(table: CsvTable): CsvLineStyle | undefined {
  const { head, fields, records, delimiter, isQuoted, lineEnd } = table
  if (!head || !lineEnd.endsWith('\n')) return undefined
  const types = table.types.map((type, at): LineType => {
    if (type !== 'text') return type
    const filled = records.flatMap(({ cells }) => (cells[at]?.text ? [cells[at]] : []))
    if (filled.length === 0) return 'open'
    return filled.every((cell) => cell.isQuoted) ? 'quoted' : 'text'
  })
  return { fields, types, delimiter, isQuoted }
}
