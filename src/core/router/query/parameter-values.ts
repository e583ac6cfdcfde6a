import type { Ignored, SortKey, Window } from '../../engine/types.ts'
import type { Query } from './query-string.ts'

/** `_page` takes precedence over `_end`, `_end` over `_limit`. An empty value counts as absent, a non-number as NaN. */
export function parseWindow({ _page, _start, _end, _limit }: Query): Window {
  if (isGiven(_page))
    return { kind: 'page', page: Math.max(integer(_page) || 1, 1), size: integer(_limit) || 10 }
  const start = integer(_start) || 0
  if (isGiven(_end)) return { kind: 'slice', start, end: integer(_end) || 0 }
  if (isGiven(_limit) && isGiven(_start)) return { kind: 'slice', start, end: start + integer(_limit) || 0 }
  if (isGiven(_limit)) return { kind: 'limit', count: integer(_limit) || 0 }
  if (isGiven(_start)) return { kind: 'slice', start }
  return { kind: 'all' }
}

/** A page of json-server 1.0; undefined if the size is invalid. */
export function parseEnvelope({ _page, _per_page }: Query): Window | undefined {
  const size = integer(_per_page)
  return size > 0 ? { kind: 'envelope', page: Math.max(integer(_page) || 1, 1), size } : undefined
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== ''
}

function integer(value: unknown): number {
  return Number.parseInt(strings(value)[0] ?? '', 10)
}

export function parseSort({ _sort, _order }: Query): readonly SortKey[] {
  const paths = strings(_sort).join(',')
  if (paths === '') return []
  const orders = strings(_order).join(',').toLowerCase().split(',')
  const keys = new Map<string, SortKey>()
  for (const [index, path] of paths.split(',').entries()) {
    // A repeated field cannot break ties.
    if (!keys.has(path)) keys.set(path, { path, order: orders[index] === 'desc' ? 'desc' : 'asc' })
  }
  return [...keys.values()]
}

/** The values of a parameter, repeated or not. An object (`a[b]=c`) has none, unless its keys are indexes. */
export function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const isList = Array.isArray(value) || Object.keys(value).every((key) => /^\d+$/.test(key))
  return isList ? Object.values(value).filter((item) => typeof item === 'string') : []
}

export function names(value: unknown): string[] {
  if (value === undefined) return []
  const all = strings(value).flatMap((text) => text.split(','))
  return [...new Set(all.map((name) => name.trim()).filter((name) => name !== ''))]
}

export function orderFault({ _sort, _sortField, _order }: Query): readonly Ignored[] {
  if (!isGiven(_order)) return []
  const orders = strings(_order).join(',').split(',')
  if (!orders.every((order) => /^(?:asc|desc|)$/i.test(order))) return [unreadable('_order', _order)]
  return isGiven(_sort) || isGiven(_sortField) ? [] : [missing('_order', '_sort')]
}

export function unreadable(name: string, value?: unknown): Ignored {
  return { name, reason: 'unreadable value', detail: strings(value)[0] ?? '' }
}

export function missing(name: string, other: string): Ignored {
  return { name, reason: 'another parameter is missing', detail: other }
}

export function outdone(name: string, winner: string): Ignored {
  return { name, reason: 'another parameter wins', detail: winner }
}
