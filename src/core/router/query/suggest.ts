import type { Catalog } from '../../engine/engine.ts'
import { idOf } from '../../engine/id-of.ts'
import { collectionsOf, listKey, singularOf } from '../../engine/relations/relations.ts'
import type { Ignored } from '../../engine/types.ts'
import { isOperator, OPERATOR_NAMES, OPERATORS } from '../../kernel/catalogue/operators.ts'
import { isKeyword, KEYWORDS, PARAMETER_NAMES, PARAMETERS } from '../../kernel/catalogue/parameters.ts'
import { findNearest } from '../../kernel/util/find-nearest.ts'

export interface Subject {
  readonly collection: string
  readonly fields: readonly string[]
  readonly catalog: Catalog
}

export function suggest(ignored: Ignored, subject: Subject): string | undefined {
  const { name, reason, detail = '' } = ignored
  const suggestion = suggestFor(ignored, subject)
  return suggestion === name || (reason === 'unknown field' && suggestion === detail) ? undefined : suggestion
}

function suggestFor({ name, reason, detail = '' }: Ignored, subject: Subject): string | undefined {
  switch (reason) {
    case 'unreadable value':
      return exampleOf(name)
    case 'another parameter wins':
      return `${name} without ${detail}`
    case 'another parameter is missing':
      return `${name} with ${detail}`
    case 'compares whole lists':
    case 'null is a string':
    case 'undefined is a string':
      return detail
    case 'unknown relation':
      return suggestRelation(name, detail, subject)
    default: {
      const { fields } = subject
      const other = suggestOtherList(name, subject)
      if (other !== undefined) return other
      if (detail === '')
        return suggestComparison(name, fields) ?? withParent(name, subject) ?? suggestName(name, fields)
      return name.includes('=')
        ? suggestField(name, detail, fields)
        : suggestName(withoutBrackets(name), fields)
    }
  }
}

/** `_sort=prcie` → `_sort=price` */
function suggestField(name: string, field: string, fields: readonly string[]): string | undefined {
  const word = name.slice(0, name.indexOf('=') + 1)
  const [, directed, direction = ''] = (word === '_sort=' && DIRECTION.exec(field)) || []
  const nearest = findNearest(directed ?? field, fields)
  return nearest && `${word}${/^desc$/i.test(direction) ? '-' : ''}${nearest.name}`
}

/** `views:desc`, as other servers have it → `-views` */
const DIRECTION = /^(.+)[:. ](asc|desc)$/i

/** `views>100` → `views_gt=100`, and `views>=100`, whose name is `views>` → `views_gte` */
function suggestComparison(name: string, fields: readonly string[]): string | undefined {
  const [, field = '', sign = '', value = ''] = /^([^<>!]+)([<>!])(.*)$/s.exec(name) ?? []
  const operator = COMPARISONS[`${sign}${value === '' ? '=' : ''}`]
  const nearest = operator === undefined ? undefined : findNearest(field.trim(), fields)
  if (!nearest) return undefined
  // Any other value may be a secret.
  return `${nearest.name}_${operator}${/^\s*-?[\d.]+$/.test(value) ? `=${value.trim()}` : ''}`
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '>': 'gt',
  '<': 'lt',
  '>=': 'gte',
  '<=': 'lte',
  '!=': 'ne',
}

function withParent(name: string, subject: Subject): string | undefined {
  const first = name.slice(0, Math.max(name.indexOf('.'), 0))
  return isParent(first, subject) ? `${name} with _expand=${first}` : undefined
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

/** `_embed=products` for `_embed=prodcts` and for `_expand=products`. */
function suggestRelation(parameter: string, name: string, subject: Subject): string | undefined {
  if (name.includes('.')) return undefined
  const { fields, catalog } = subject
  const parents = parentsIn(subject)
  const singular = parents.find((parent) => collectionsNamed(parent, catalog).includes(name))
  if (singular !== undefined) return `_expand=${singular}`
  if (catalog.kindOf(name) === 'collection')
    return parameter.startsWith('_expand') ? `_embed=${name}` : undefined
  const suffix = collectionsNamed(name, catalog).length > 0 ? otherSuffix(name, fields) : undefined
  if (suffix !== undefined) return `${parameter} with --foreignKeySuffix ${suffix}`
  const parent = findNearest(name, parents)
  const child = findNearest(name, catalog.names())
  if (parent && (!child || parent.distance <= child.distance)) return `_expand=${parent.name}`
  return child && `_embed=${child.name}`
}

/** Only fields of parents can be filtered by. For other relations, suggests the other list, with these attached. */
function suggestOtherList(name: string, { collection, fields, catalog }: Subject): string | undefined {
  const dot = Math.max(name.indexOf('.'), 0)
  const other = name.slice(0, dot)
  if (catalog.kindOf(other) !== 'collection' || fields.includes(other)) return undefined
  const isListed = fields.includes(listKey(other, catalog.naming))
  const back = isListed ? `_embed=${collection}` : `_expand=${singularOf(collection)}`
  return `/${other}?${name.slice(dot + 1)}=…&${back}`
}

function isParent(name: string, { collection, fields, catalog }: Subject): boolean {
  const key = name + catalog.naming.foreignKeySuffix
  const isKey = name !== '' && fields.includes(key) && key !== idOf(collection, catalog.naming)
  return isKey && collectionsNamed(name, catalog).length > 0
}

function parentsIn(subject: Subject): readonly string[] {
  const { foreignKeySuffix: suffix } = subject.catalog.naming
  const names = subject.fields
    .filter((field) => field.endsWith(suffix))
    .map((field) => field.slice(0, field.length - suffix.length))
  return names.filter((name) => isParent(name, subject))
}

function collectionsNamed(name: string, catalog: Catalog): readonly string[] {
  return collectionsOf(catalog, { embed: [name], expand: [] })
}

/** The data may have another suffix than the server's: `company_id` instead of `companyId`. */
function otherSuffix(name: string, fields: readonly string[]): string | undefined {
  const field = fields.find(
    (one) => one.startsWith(name) && /^(?:_id|Id|ID|_ID)$/.test(one.slice(name.length)),
  )
  return field?.slice(name.length)
}
