import type { SortKey } from '../../storage/types.ts'
import { strings } from './strings.ts'

/** `_sort` and `_order`, repeated or with commas. */
export function parseSort({ _sort, _order }: Record<string, unknown>): readonly SortKey[] {
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
