import type { Ignored } from '../../storage/types.ts'
import { isGiven } from './parse-window.ts'
import { strings } from './strings.ts'

type Query = Record<string, unknown>

/** `_order=descending`, or without `_sort`. */
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
