import { attempt } from '../../core/kernel/util/attempt.ts'

export interface Cell {
  readonly text: string
  readonly isQuoted: boolean
  /** With its quotes. */
  readonly raw: string
}

export type ColumnType = 'number' | 'boolean' | 'json' | 'text'

/** Not `007` or `+49`. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number never rounds as many digits, and others only if it is written in another way, then. */
const EXACT_DIGITS = 15

/** The type of all cells of a column. Quoted cells are text, unless everything is quoted. */
export function typeOf(lines: readonly CellLine[], column: number, isQuoted: boolean): ColumnType {
  let [hasFilled, hasJudged] = [false, false]
  let [canBeJson, canBeNumber, canBeBoolean] = [true, true, true]
  for (const { cells } of lines) {
    const cell = cells[column]
    if (!cell || cell.text === '') continue
    hasFilled = true
    canBeJson &&= isJson(cell.text)
    if (cell.isQuoted && !isQuoted) continue
    hasJudged = true
    canBeNumber &&= isNumber(cell.text)
    canBeBoolean &&= isBoolean(cell.text)
    if (!canBeJson && !canBeNumber && !canBeBoolean) return 'text'
  }
  if (hasFilled && canBeJson) return 'json'
  if (!hasJudged) return 'text'
  return canBeNumber ? 'number' : canBeBoolean ? 'boolean' : 'text'
}

interface CellLine {
  readonly cells: readonly Cell[]
}

/** An empty cell is null, and an empty text is in quotes. */
export function readCell(cell: Cell | undefined, type: ColumnType, isQuoted: boolean): unknown {
  if (!cell || (cell.text === '' && (isQuoted || !cell.isQuoted))) return null
  if (type === 'json') return cell.text === '' ? '' : JSON.parse(cell.text)
  if (type === 'text' || (cell.isQuoted && !isQuoted)) return cell.text
  return type === 'number' ? Number(cell.text) : cell.text.toLowerCase() === 'true'
}

export interface CellStyle {
  readonly delimiter: string
  readonly type: ColumnType | 'other' | undefined
  readonly isQuoted: boolean
}

export function writeCell(value: unknown, { delimiter, type, isQuoted }: CellStyle): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isMistaken =
    typeof value === 'string' &&
    (type === 'text' ? text === '' : isSpecial(text) || (type !== undefined && type !== 'json'))
  const isSpecialText = /["\r\n]|^\s|\s$/.test(text) || text.includes(delimiter)
  return isQuoted || isMistaken || isSpecialText ? `"${text.replaceAll('"', '""')}"` : text
}

/** Whether a text would be read as something else, if all of its column were like it. */
export function isSpecial(text: string): boolean {
  return text === '' || isNumber(text) || isBoolean(text) || isJson(text)
}

function isNumber(text: string): boolean {
  if (!NUMBER.test(text) || !Number.isFinite(Number(text))) return false
  if (text.length <= EXACT_DIGITS) return true
  const digits = text
    .replace(/[eE].*/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length <= EXACT_DIGITS || String(Number(text)) === text
}

function isBoolean(text: string): boolean {
  return /^(?:true|false)$/i.test(text)
}

function isJson(text: string): boolean {
  return /^[[{]/.test(text) && attempt(() => JSON.parse(text)) !== undefined
}

/** The style of a line appended to a CSV file, by which no other line changes its meaning. */
export interface CsvLineStyle {
  readonly fields: readonly string[]
  readonly types: readonly LineType[]
  readonly delimiter: string
  /** Whether everything is in quotes. */
  readonly isQuoted: boolean
}

/** Of a column of text: `quoted` if all of its cells are, and `open` if they are empty. */
export type LineType = ColumnType | 'quoted' | 'open'
