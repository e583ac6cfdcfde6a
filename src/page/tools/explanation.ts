import type { IgnoredPart } from '../../core/kernel/catalogue/exchange.ts'
import { isOperator } from '../../core/kernel/catalogue/operators.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { describeFilter, suffixOf, writeCsv } from '../client/operators.ts'
import { formatCount } from '../parts/format.ts'

/** How the server understood a query, in words. */
export interface Explanation {
  /** Each part of the query, and its effect: `['Filters', ['price is at least 10']]`. */
  readonly parts: readonly (readonly [string, readonly string[]])[]
  readonly ignored: readonly IgnoredPart[]
  readonly ms: number
}

/** Reads the response to `_explain=true`; undefined if it is something else. */
export function readExplanation(data: unknown): Explanation | undefined {
  if (!isObject(data) || !isObject(data.plan) || typeof data.ms !== 'number') return undefined
  const { filters, search, sort, window, relations, fields, omit, ignored, plan, ms } = data
  return {
    parts: [
      ['Filters', listOf(filters).map(describeWhere)],
      ['Search', typeof search === 'string' && search !== '' ? [`“${search}” in any field`] : []],
      ['Sort', listOf(sort).map(describeSort)],
      ['Window', describeWindow(window)],
      ['Relations', describeRelations(relations)],
      ['Fields', [...listOf(fields).map(wordsOf), ...listOf(omit).map((name) => `without ${wordsOf(name)}`)]],
      ['Index', listOf(plan.uses).map(describeUse)],
      ['Rows', [`${countOf(plan.examined)} examined, ${countOf(plan.matched)} matched`]],
    ],
    ignored: listOf(ignored).flatMap(readIgnored),
    ms,
  }
}

/** `price is at least 10`; `(a is 1 or b is 2)` */
function describeWhere(where: unknown): string {
  if (!isObject(where)) return wordsOf(where)
  for (const word of ['and', 'or'] as const) {
    if (Array.isArray(where[word])) return `(${where[word].map(describeWhere).join(` ${word} `)})`
  }
  if (isObject(where.not)) return `not ${describeWhere(where.not)}`
  const { field, operator: op, values } = where
  const operator = typeof op === 'string' && isOperator(op) ? suffixOf(op) : undefined
  if (typeof field !== 'string' || operator === undefined) return wordsOf(where)
  const texts = listOf(values).map(wordsOf)
  if (operator === '_between' || operator === '_in' || operator === '_nin')
    return describeFilter({ field, operator, value: writeCsv(texts) })
  // Several values are alternatives, except that all must differ.
  const joined = texts.join(operator === '_ne' ? ' nor ' : ' or ')
  return describeFilter({ field, operator, value: joined })
}

function describeSort(key: unknown): string {
  if (!isObject(key)) return wordsOf(key)
  return `${wordsOf(key.field)}, ${key.order === 'desc' ? 'descending' : 'ascending'}`
}

function describeWindow(window: unknown): readonly string[] {
  if (!isObject(window)) return []
  const { kind, page, size, count, start, end } = window
  if (kind === 'page' || kind === 'envelope') return [`Page ${countOf(page)}, ${countOf(size)} rows each`]
  if (kind === 'limit') return [`The first ${countOf(count)} rows`]
  if (kind === 'slice')
    return [`Rows from ${countOf(start)}${end === undefined ? ' on' : ` up to ${countOf(end)}`}`]
  return []
}

function describeRelations(relations: unknown): readonly string[] {
  if (!isObject(relations)) return []
  const { embed, expand } = relations
  return [
    ...listOf(embed).map((name) => `embed ${wordsOf(name)}`),
    ...listOf(expand).map((name) => `expand ${wordsOf(name)}`),
  ]
}

function describeUse(use: unknown): string {
  return isObject(use) ? `${wordsOf(use.index)} index on ${wordsOf(use.field)}` : wordsOf(use)
}

function readIgnored(part: unknown): readonly IgnoredPart[] {
  if (!isObject(part)) return []
  const { name, reason, suggestion } = part
  if (typeof name !== 'string' || typeof reason !== 'string') return []
  return [{ name, reason, ...(typeof suggestion === 'string' && { suggestion }) }]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function countOf(value: unknown): string {
  return typeof value === 'number' ? formatCount(value) : '?'
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
