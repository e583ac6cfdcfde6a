import type { Condition, Ignored, ListQuery, SortKey, Where, Window } from '../../engine/types.ts'
import { OPERATORS, type Operator } from '../../kernel/catalogue/operators.ts'
import { isObject } from '../../kernel/json/values.ts'
import { attempt } from '../../kernel/util/attempt.ts'
import { RequestError } from '../request-error.ts'
import { isGiven, outdone, strings, unreadable } from './parameter-values.ts'
import { parseParameter } from './parse-parameter.ts'
import type { Query } from './query-string.ts'

/** JSON parameters of ra-data-simple-rest and ng-admin. Of another shape (`sort=name`), they are filters. */
export interface Dialect {
  readonly filters: readonly Record<string, unknown>[]
  readonly range?: Window
  readonly sort?: readonly SortKey[]
  readonly embed?: readonly string[]
  readonly names: ReadonlySet<string>
}

export function readDialect(query: Query): Dialect | undefined {
  const names = new Set<string>()
  const read = <T>(name: string, is: (value: unknown) => value is T): T | undefined => {
    const value = Object.hasOwn(query, name) ? parseJson(query[name]) : undefined
    if (!is(value)) return undefined
    names.add(name)
    return value
  }
  const filters = [read('filter', isObject), read('_filters', isObject)].filter((one) => one !== undefined)
  const range = read('range', isRange)
  const sort = read('sort', isSort)
  const embed = read('embed', isNames)
  if (names.size === 0) return undefined
  return {
    names,
    filters,
    ...(range ? { range: { kind: 'slice', start: range[0], end: range[1] + 1 } } : {}),
    ...(sort ? { sort: [{ path: sort[0], order: /^desc$/i.test(sort[1]) ? 'desc' : 'asc' }] } : {}),
    ...(embed ? { embed } : {}),
  }
}

/** Merges a dialect into the query. Our own keywords take precedence. */
export function withDialect(parsed: ListQuery, dialect: Dialect, query: Query): ListQuery {
  const { filters, sort, range } = dialect
  const searches = filters.map(({ q }) => q)
  const search = strings(query.q).length > 0 ? '' : String(searches.find(isScalar) ?? '')
  const beaten: Ignored[] = []
  for (const [name, winners] of Object.entries(WINNERS)) {
    const winner = dialect.names.has(name) ? winners.find((one) => isGiven(query[one])) : undefined
    if (winner) beaten.push(outdone(name, winner))
  }
  const isBeaten = (name: string) => beaten.some((one) => one.name === name)
  const unread = searches.filter((q) => isObject(q) || Array.isArray(q)).map(() => unreadable('q'))
  const ignored = [...beaten, ...(parsed.ignored ?? []), ...unread]
  return {
    ...parsed,
    ...(search ? { search: search.toLowerCase() } : {}),
    where: [...parsed.where, ...filters.flatMap(filterConditions)],
    ...(sort && !isBeaten('sort') && { sort }),
    ...(range && !isBeaten('range') && { window: range }),
    ...(ignored.length > 0 ? { ignored } : {}),
  }
}

export type Scalar = string | number | boolean

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** The values of a JSON condition as strings, or a description of what is expected instead. */
export function readJson(op: Operator, value: unknown): readonly string[] | { readonly expected: string } {
  switch (OPERATORS[op].takes) {
    case 'list':
      return isScalars(value) ? value.map(String) : { expected: 'a list of strings, numbers or booleans' }
    case 'pair':
      return isScalars(value) && value.length === 2 ? value.map(String) : { expected: 'a list of two values' }
    case 'toggle':
      return typeof value === 'boolean' ? [String(value)] : { expected: 'true or false' }
    case 'value':
      return isScalar(value) ? [String(value)] : { expected: 'a string, a number or a boolean' }
  }
}

const WINNERS = {
  sort: ['_sort', '_sortField'],
  range: ['_page', '_limit', '_start', '_end', '_per_page', '_perPage'],
  embed: ['_embed', '_expand'],
} as const

function filterConditions(filter: Record<string, unknown>): readonly Where[] {
  const { q: _, ...fields } = filter
  return conditionsIn(fields, '', 1)
}

const MOST_LEVELS = 20

function conditionsIn(fields: Record<string, unknown>, prefix: string, level: number): readonly Where[] {
  if (level > MOST_LEVELS)
    throw new RequestError('INVALID_QUERY', `The filter is nested more than ${MOST_LEVELS} levels deep.`)
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = prefix + name
    if (!isObject(value)) return [toWhere(path, value)]
    const inner = conditionsIn(value, `${path}.`, level + 1)
    // An empty object excludes nothing, which a write refuses.
    return inner.length > 0 ? inner : [{ and: [] }]
  })
}

function toWhere(name: string, value: unknown): Where {
  if (value === null) return isNull(name)
  if (!Array.isArray(value) || !value.includes(null)) return toCondition(name, value)
  const scalars = value.filter((one) => one !== null)
  return scalars.length > 0 ? { or: [isNull(name), toCondition(name, scalars)] } : isNull(name)
}

function isNull(path: string): Condition {
  return { path, op: 'null', values: ['true'], isJson: true }
}

function toCondition(name: string, value: unknown): Condition {
  const isList = Array.isArray(value)
  const texts = (isList ? value : [value]).filter(isScalar).map(String)
  const unread = (isList ? value : [value]).filter((one) => !isScalar(one)).map((one) => JSON.stringify(one))
  const condition = { ...parseParameter(name, texts), isJson: true, ...(unread.length > 0 && { unread }) }
  const { orElse } = condition
  const takesList = orElse && ['list', 'pair'].includes(OPERATORS[orElse.op].takes)
  if (!isList || !takesList) return condition
  const values = readJson(orElse.op, value)
  const { path, op } = orElse
  const read = 'expected' in values ? { values: [], unread: [JSON.stringify(value)] } : { values }
  return { ...condition, orElse: { path, op, ...read } }
}

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined
  return attempt(() => JSON.parse(value))
}

function isRange(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((end) => Number.isInteger(end) && end >= 0)
}

function isSort(value: unknown): value is readonly [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [path, order]: readonly unknown[] = value
  return typeof path === 'string' && typeof order === 'string' && /^(?:asc|desc)$/i.test(order)
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function isScalars(value: unknown): value is readonly Scalar[] {
  return Array.isArray(value) && value.every(isScalar)
}
