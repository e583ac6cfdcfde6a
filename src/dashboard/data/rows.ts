import { isNested, isObject } from '../parts/preview.ts'

export type Row = Record<string, unknown>

/** Number of rows sampled to find out which fields there are. */
const SAMPLE = 100

/** The rows of a list response; undefined if it is not a list, as with a custom `router.render`. */
export function rowsOf(answer: { readonly data: unknown } | undefined): readonly Row[] | undefined {
  return Array.isArray(answer?.data) ? answer.data.filter(isObject) : undefined
}

/** The fields of these rows as columns: the id first, the rest in order of appearance. */
export function columnsOf(rows: readonly Row[], id: string): readonly string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const others = [...names].filter((name) => name !== id)
  return names.has(id) ? [id, ...others] : others
}

/** What can be filtered by: fields, and the fields inside them, as `locations.city`. */
export function pathsOf(rows: readonly Row[]): readonly string[] {
  const paths = new Set<string>()
  for (const row of rows.slice(0, SAMPLE)) collect(row, '', 3, paths)
  return [...paths]
}

function collect(value: unknown, prefix: string, depth: number, paths: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 5)) collect(item, prefix, depth, paths)
    return
  }
  if (!isNested(value) || depth === 0) return
  for (const [name, field] of Object.entries(value)) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    if (!isNested(field) || Array.isArray(field)) paths.add(path)
    collect(field, path, depth - 1, paths)
  }
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
