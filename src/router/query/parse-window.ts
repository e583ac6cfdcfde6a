import type { Window } from '../../storage/types.ts'
import { strings } from './strings.ts'

/** `_page` takes precedence over `_end`, `_end` over `_limit`. An empty value counts as absent, a non-number as NaN. */
export function parseWindow({ _page, _start, _end, _limit }: Record<string, unknown>): Window {
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
export function parseEnvelope({ _page, _per_page }: Record<string, unknown>): Window | undefined {
  const size = integer(_per_page)
  return size > 0 ? { kind: 'envelope', page: Math.max(integer(_page) || 1, 1), size } : undefined
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== ''
}

function integer(value: unknown): number {
  return Number.parseInt(strings(value)[0] ?? '', 10)
}
