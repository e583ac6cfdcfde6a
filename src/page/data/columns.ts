import { parseJson, preview } from '../parts/json.ts'
import type { Row } from './rows.ts'

/** How a user has arranged the table of a collection. */
export interface Columns {
  readonly hidden: ReadonlySet<string>
  /** In pixels, of columns that were resized. */
  readonly widths: ReadonlyMap<string, number>
}

/** Whatever is stored: what cannot be read is left out. */
export function readColumns(text = ''): Columns {
  const { hidden, widths }: Record<string, unknown> = Object(parseJson(text).value)
  return {
    hidden: new Set(Array.isArray(hidden) ? hidden.filter((name) => typeof name === 'string') : []),
    widths: new Map(Array.isArray(widths) ? widths.filter(isWidth) : []),
  }
}

export function writeColumns({ hidden, widths }: Columns): string {
  return JSON.stringify({ hidden: [...hidden], widths: [...widths] })
}

function isWidth(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
}

const NARROWEST = 48
const WIDEST = 1200

/** The widths with one set; undefined lets the content decide again. */
export function withWidth(
  { widths }: Columns,
  column: string,
  width: number | undefined,
): ReadonlyMap<string, number> {
  const others = [...widths].filter(([name]) => name !== column)
  if (width === undefined) return new Map(others)
  return new Map([...others, [column, Math.round(Math.min(Math.max(width, NARROWEST), WIDEST))]])
}

/** Longer texts are cut, unless there is room. */
const LONG = 40

/** The columns whose values need the room that the others leave. */
export function longColumns(rows: readonly Row[], columns: readonly string[]): readonly string[] {
  return columns.filter((column) =>
    rows.some((row) => Object.hasOwn(row, column) && preview(row[column]).length > LONG),
  )
}
