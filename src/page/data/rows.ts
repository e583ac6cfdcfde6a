import { isObject } from '../../core/kernel/json/values.ts'
import type { Fields, Kind } from '../client/operators.ts'
import { isNested } from '../parts/json.ts'

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

/** The fields that may name a row to people: the first that it has does. */
export const NAME_FIELDS = ['name', 'title', 'label', 'email', 'username', 'slug']

/** The name of a row; its id if it has none. */
export function nameOf(row: Row, id: string | number): string {
  return String(NAME_FIELDS.map((field) => row[field]).find(isName) ?? id)
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

const SAMPLE = 100

export function fieldsOf(rows: readonly Row[]): Fields {
  const kinds = new Map<string, Set<Kind>>()
  for (const row of rows.slice(0, SAMPLE)) collect(row, '', 3, kinds)
  return new Map(
    Array.from(kinds, ([path, [first, ...others]]) => [
      path,
      others.length > 0 ? 'mixed' : (first ?? 'null'),
    ]),
  )
}

function collect(value: unknown, prefix: string, depth: number, kinds: Map<string, Set<Kind>>): void {
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 5)) collect(item, prefix, depth, kinds)
    return
  }
  if (!isNested(value) || depth === 0) return
  for (const [name, field] of Object.entries(value)) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    if (!isNested(field) || Array.isArray(field)) {
      const kind = kindOf(field)
      const seen = kinds.get(path) ?? new Set()
      kinds.set(path, kind === undefined ? seen : seen.add(kind))
    }
    collect(field, path, depth - 1, kinds)
  }
}

/** Null says nothing about a field. */
function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'string') return DATE.test(value) ? 'date' : 'text'
  return undefined
}

const DATE = /^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:)/
