import { isOperator, OPERATOR_NAMES, OPERATORS } from '../../query/operators.ts'
import { isKeyword, KEYWORDS, PARAMETER_NAMES, PARAMETERS } from '../../query/parameters.ts'
import type { Catalog } from '../../storage/engine/engine.ts'
import type { Ignored } from '../../storage/types.ts'
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
  const nearest = whole ? { name: whole, distance: 0 } : findNearest(name, [...fields, ...KEYWORDS])
  if (path === undefined) return nearest?.name
  const field = fields.includes(path) ? { name: path, distance: 0 } : findNearest(path, fields)
  const operator = findOperator(suffix)
  if (!field || !operator) return nearest?.name
  const distance = field.distance + operator.distance
  return nearest && nearest.distance <= distance ? nearest.name : `${field.name}${mark}${operator.name}`
}

function findOperator(word: string): ReturnType<typeof findNearest> {
  const other = word.toLowerCase()
  const exact = OPERATOR_NAMES.find((name) => name === word || OPERATORS[name].aliases?.includes(other))
  return exact === undefined ? findNearest(word, OPERATOR_NAMES) : { name: exact, distance: 0 }
}

const ELSEWHERE: ReadonlyMap<string, string> = new Map(
  PARAMETER_NAMES.flatMap((name) => (PARAMETERS[name].aliases ?? []).map((word) => [word, name] as const)),
)

function exampleOf(name: string): string | undefined {
  const [, suffix = ''] = /[_:]([a-zA-Z]+)$/.exec(name) ?? []
  const own = isKeyword(name) ? PARAMETERS[name].example : undefined
  const value = own ?? (isOperator(suffix) ? WRITTEN[OPERATORS[suffix].takes] : undefined)
  return value === undefined ? undefined : `${name}=${value}`
}

const WRITTEN = { value: undefined, list: 'a,b', pair: '10,20', toggle: 'true' } as const
