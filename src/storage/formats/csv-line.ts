import { attempt } from '../../util/attempt.ts'
import { type ColumnType, isSpecial, writeCell } from './csv-cells.ts'
import { fieldOf, flatten } from './csv-fields.ts'
import type { CsvTable } from './csv-table.ts'

/** What a line appended to a CSV file has to be like, so that no other line means anything else. */
export interface CsvLineStyle {
  readonly fields: readonly string[]
  readonly types: readonly LineType[]
  readonly delimiter: string
  /** Whether everything is in quotes. */
  readonly isQuoted: boolean
}

/** Of a column of text: `quoted` if all of its cells are, and `open` if they are empty. */
type LineType = ColumnType | 'quoted' | 'open'

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

/** Undefined if more than the line would have to change. */
export function csvLine(
  row: object,
  { fields, types, delimiter, isQuoted }: CsvLineStyle,
): string | undefined {
  const flat = attempt(() => flatten([row], fields))?.[0]
  if (!flat || Object.keys(flat).some((name) => !fields.includes(name))) return undefined
  const cells: string[] = []
  for (const [at, field] of fields.entries()) {
    const value = fieldOf(flat, field)
    const type = types[at] ?? 'open'
    if (!fits(value, type, isQuoted)) return undefined
    const isForced = isQuoted || (type === 'quoted' && value !== null)
    cells.push(writeCell(value, { delimiter, type: isText(type) ? 'text' : type, isQuoted: isForced }))
  }
  const line = cells.join(delimiter) || delimiter
  // UTF-8 has no halves of characters.
  return Buffer.from(line).toString() === line ? line : undefined
}

function isText(type: LineType): type is 'text' | 'quoted' | 'open' {
  return type === 'text' || type === 'quoted' || type === 'open'
}

/** Whether neither the value nor its column would be read as something else. */
function fits(value: unknown, type: LineType, isQuoted: boolean): boolean {
  if (value === null) return true
  if (typeof value !== 'string') return type === (typeof value === 'object' ? 'json' : typeof value)
  if (type === 'open') return !isSpecial(value)
  // Where everything is in quotes, an empty text would be null, and nothing else would say what is text.
  return isText(type) && !(isQuoted && isSpecial(value))
}

/** Where rows begin that a crash cut short: see `UNFINISHED`. */
export function unfinishedAt(text: string): number | undefined {
  const at = text.indexOf('\0')
  return at > 0 && text[at - 1] === '\n' ? at : undefined
}
