import { isObject, setField } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { FormatFault } from './codec.ts'
import { type CsvLineStyle, isSpecial, type LineType, writeCell } from './csv-cells.ts'

/** A row by columns: `{ "id": 1, "address.city": "Rome" }`. */
export type FlatRow = Readonly<Record<string, unknown>>

export const UNFIT =
  'not able to hold this: in CSV, a field has values of one kind, no name has a dot, and characters are whole. Keep the rows in a .json file.'

/** The name of a column as names of fields in each other; `No.` and `Approx. price` are names as they are. */
export function pathOf(field: string): readonly string[] {
  const names = field.split('.')
  return names.every((name) => name !== '' && name === name.trim()) ? names : [field]
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

/** Objects become a column for each of their fields, unless they have one that holds them as JSON. */
export function flatten(rows: readonly unknown[], fields: readonly string[]): FlatRow[] {
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

/** Null if there is none. */
export function fieldOf(row: FlatRow | undefined, field: string): unknown {
  return (row && Object.hasOwn(row, field) ? row[field] : null) ?? null
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
