import type { Ignored, SortKey, Window } from '../../engine/types.ts'
import type { Query } from './query-string.ts'

/** `_page` takes precedence over `_end`, `_end` over `_limit`. An empty value counts as absent, a non-number as NaN. */
export function parseWindow({ _page, _start, _end, _limit }: Query): Window {
  const [page, from, to, limit] = [_page, _start, _end, _limit].map(integer)
  if (page !== undefined) return { kind: 'page', page: Math.max(page || 1, 1), size: limit || 10 }
  const start = from || 0
  if (to !== undefined) return { kind: 'slice', start, end: to || 0 }
  if (limit !== undefined && from !== undefined) return { kind: 'slice', start, end: start + limit || 0 }
  if (limit !== undefined) return { kind: 'limit', count: limit || 0 }
  if (from !== undefined) return { kind: 'slice', start }
  return { kind: 'all' }
}

/** A page of json-server 1.0; undefined if the size is invalid. */
export function parseEnvelope({ _page, _per_page }: Query): Window | undefined {
  const size = integer(_per_page) ?? 0
  return size > 0 ? { kind: 'envelope', page: Math.max(integer(_page) || 1, 1), size } : undefined
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== ''
}

/** Undefined if it is not given. */
function integer(value: unknown): number | undefined {
  if (value === undefined || value === '') return undefined
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
