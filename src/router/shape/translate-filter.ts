import { isOperator, OPERATORS } from '../../catalogue/operators.ts'
import { isObject } from '../../json/values.ts'
import { strings } from '../query/parameter-values.ts'

/** Names of operators elsewhere: `$notIn` in Strapi, `isnull` in Django. Case is never a difference here. */
const OPERATOR_NAMES: Readonly<Record<string, string>> = {
  exact: 'eq',
  iexact: 'eq',
  eqi: 'eq',
  nei: 'ne',
  notIn: 'nin',
  containsi: 'contains',
  icontains: 'contains',
  startsWithi: 'startsWith',
  startswith: 'startsWith',
  istartswith: 'startsWith',
  endsWithi: 'endsWith',
  endswith: 'endsWith',
  iendswith: 'endsWith',
  isnull: 'null',
  range: 'between',
}

/** Those that are the opposite of one of ours. */
const OPPOSITES: Readonly<Record<string, string>> = {
  notContains: 'contains',
  notContainsi: 'contains',
  notNull: 'null',
}

/** A filter in brackets as `_where`: `filter[price][gte]=10`, `filters[$or][0][name][$eq]=x`, `filter[id]=1,2`. */
export function whereOf(filter: unknown): object {
  const conditions = conditionsIn(filter, '')
  const [only] = conditions
  return only && conditions.length === 1 ? only : { and: conditions }
}

function conditionsIn(filter: unknown, path: string): readonly object[] {
  return Object.entries(Object(filter)).flatMap(([key, value]): readonly object[] => {
    const [, logic] = /^\$(and|or|not)$/.exec(key) ?? []
    if (logic === 'not') return [{ not: { and: conditionsIn(value, path) } }]
    if (logic !== undefined) {
      const parts = Array.isArray(value) ? value : Object.values(Object(value))
      return [{ [logic]: parts.map((part) => ({ and: conditionsIn(part, path) })) }]
    }
    const name = key.replace(/^\$/, '')
    const isOfField = path !== '' && (key.startsWith('$') || isKnown(name))
    if (isOfField) return [condition(path, name, value)]
    const inner = path === '' ? name : `${path}.${name}`
    if (isObject(value)) return conditionsIn(value, inner)
    const texts = strings(value).flatMap((text) => text.split(','))
    return [{ [inner]: texts.length === 1 ? texts[0] : texts }]
  })
}

function isKnown(name: string): boolean {
  return isOperator(name) || Object.hasOwn(OPERATOR_NAMES, name) || Object.hasOwn(OPPOSITES, name)
}

function condition(path: string, name: string, value: unknown): object {
  const opposite = OPPOSITES[name]
  if (opposite !== undefined) return { not: condition(path, opposite, value) }
  const op = OPERATOR_NAMES[name] ?? name
  const texts = strings(value)
  const [text = ''] = texts
  switch (isOperator(op) ? OPERATORS[op].takes : 'value') {
    case 'toggle':
      return { [path]: { [op]: isYes(text) } }
    case 'list':
    case 'pair':
      return { [path]: { [op]: texts.length === 1 ? text.split(',') : texts } }
    default:
      return { [path]: { [op]: text } }
  }
}

/** `['company', 'name', 'icontains']` → `company.name_contains` */
export function lookupFilter(parts: readonly string[], value: unknown): { name: string; value: unknown } {
  const last = parts.at(-1) ?? ''
  const op = OPERATOR_NAMES[last] ?? last
  if (!isOperator(op) || parts.length === 1) return { name: parts.join('.'), value }
  const path = parts.slice(0, -1).join('.')
  if (op === 'eq') return { name: path, value }
  const isToggle = OPERATORS[op].takes === 'toggle'
  return { name: `${path}_${op}`, value: isToggle ? String(isYes(strings(value)[0] ?? '')) : value }
}

function isYes(text: string): boolean {
  return /^(?:true|1)$/i.test(text)
}
