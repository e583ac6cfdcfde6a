import type { Catalog } from '../../storage/engine/engine.ts'
import { OPERATORS } from '../../storage/operators.ts'
import type { Ignored } from '../../storage/types.ts'
import { KNOWN_WORDS } from './known-words.ts'
import { findNearest } from './nearest.ts'
import { isParent, suggestOtherList, suggestRelation } from './suggest-relation.ts'

export interface Subject {
  readonly collection: string
  readonly fields: readonly string[]
}

export function suggest(ignored: Ignored, subject: Subject, catalog: Catalog): string | undefined {
  const { name, reason, detail = '' } = ignored
  const suggestion = suggestFor(ignored, subject, catalog)
  return suggestion === name || (reason === 'unknown field' && suggestion === detail) ? undefined : suggestion
}

function suggestFor(
  { name, reason, detail = '' }: Ignored,
  { collection, fields }: Subject,
  catalog: Catalog,
): string | undefined {
  switch (reason) {
    case 'unreadable value':
      return exampleOf(name)
    case 'another parameter wins':
      return `${name} without ${detail}`
    case 'another parameter is missing':
      return `${name} with ${detail}`
    case 'compares whole lists':
    case 'null is a string':
      return detail
    case 'unknown relation':
      return suggestRelation(name, detail, fields, catalog)
    default: {
      const other = suggestOtherList(name, collection, fields, catalog)
      if (other !== undefined) return other
      if (detail === '') return withParent(name, fields, catalog) ?? suggestName(name, fields)
      return name.includes('=')
        ? suggestField(name, detail, fields)
        : suggestName(withoutBrackets(name), fields)
    }
  }
}

/** `_sort=prcie` → `_sort=price` */
function suggestField(name: string, field: string, fields: readonly string[]): string | undefined {
  const nearest = findNearest(field, fields)
  return nearest && name.slice(0, name.indexOf('=') + 1) + nearest.name
}

/** `company.name` can be filtered by as soon as the company is attached. */
function withParent(name: string, fields: readonly string[], catalog: Catalog): string | undefined {
  const first = name.slice(0, Math.max(name.indexOf('.'), 0))
  return isParent(first, fields, catalog) ? `${name} with _expand=${first}` : undefined
}

/** `price[$gte]`, as other servers have it → `price_gte` */
function withoutBrackets(name: string): string {
  return name.replace(/\[\$?(\w+)\]$/, '_$1')
}

/** `views_gtt` → `views_gt`, `veiws` → `views`, `_sotr` → `_sort`. */
function suggestName(name: string, fields: readonly string[]): string | undefined {
  const [, path, mark = '', suffix = ''] = /^(.+)([_:])\s*([a-zA-Z]+)\s*$/s.exec(name) ?? []
  const whole = ELSEWHERE.get(name.toLowerCase().replace(/[_-]/g, ''))
  const nearest = whole ? { name: whole, distance: 0 } : findNearest(name, [...fields, ...KNOWN_WORDS])
  if (path === undefined) return nearest?.name
  const field = fields.includes(path) ? { name: path, distance: 0 } : findNearest(path, fields)
  const operator = findOperator(suffix)
  if (!field || !operator) return nearest?.name
  const distance = field.distance + operator.distance
  return nearest && nearest.distance <= distance ? nearest.name : `${field.name}${mark}${operator.name}`
}

function findOperator(word: string): ReturnType<typeof findNearest> {
  const exact = OPERATORS.find((operator) => operator === word) ?? OTHER_OPERATORS.get(word.toLowerCase())
  return exact === undefined ? findNearest(word, OPERATORS) : { name: exact, distance: 0 }
}

/** What other servers call them. */
const OTHER_OPERATORS: ReadonlyMap<string, string> = new Map([
  ...(['neq', 'not'] as const).map((word) => [word, 'ne'] as const),
  ['regex', 'like'],
  ['starts', 'startsWith'],
  ['ends', 'endsWith'],
  ['min', 'gte'],
  ['max', 'lte'],
])

const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['search', 'q'],
  ...(['offset', 'skip'] as const).map((word) => [word, '_start'] as const),
  ...(['take', 'count'] as const).map((word) => [word, '_limit'] as const),
  ['pagesize', '_per_page'],
  ...(['orderby', 'sortby'] as const).map((word) => [word, '_sort'] as const),
  ['select', '_fields'],
  ...(['include', 'populate'] as const).map((word) => [word, '_embed'] as const),
])

function exampleOf(name: string): string | undefined {
  if (/[_:]between$/.test(name)) return `${name}=10,20`
  if (/[_:]n?in$/.test(name)) return `${name}=a,b`
  if (/[_:]null$/.test(name)) return `${name}=true`
  const value = EXAMPLES.get(name)
  return value === undefined ? undefined : `${name}=${value}`
}

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['_page', '1'],
  ...(['_limit', '_start', '_end', '_per_page'] as const).map((name) => [name, '10'] as const),
  ['_order', 'desc'],
  ...(['_strict', '_explain'] as const).map((name) => [name, 'true'] as const),
])
