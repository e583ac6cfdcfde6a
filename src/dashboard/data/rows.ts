import { isObject } from '../../json/record.ts'

export type Row = Record<string, unknown>

/** The rows of a list response; undefined if it is not a list, as with a custom `router.render`. */
export function rowsOf(response: { readonly data: unknown } | undefined): readonly Row[] | undefined {
  return Array.isArray(response?.data) ? response.data.filter(isObject) : undefined
}

/** The fields of these rows as columns: the id first, the rest in order of appearance. */
export function columnsOf(rows: readonly Row[], id: string): readonly string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const others = [...names].filter((name) => name !== id)
  return names.has(id) ? [id, ...others] : others
}

/** The columns that hold only numbers, and are right-aligned. */
export function numericColumns(rows: readonly Row[], columns: readonly string[]): ReadonlySet<string> {
  return new Set(
    columns.filter((column) => {
      const values = rows.map((row) => row[column]).filter((value) => value !== undefined && value !== null)
      return values.length > 0 && values.every((value) => typeof value === 'number')
    }),
  )
}

/** The id of a row as the API's paths take it; undefined when it has none. */
export function idOf(row: Row, field: string): string | undefined {
  const id = Object.hasOwn(row, field) ? row[field] : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
