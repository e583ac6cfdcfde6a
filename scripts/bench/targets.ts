import type { LoadName } from './works.ts'

/** Everything that can be measured. */
export type WorkName = Exclude<LoadName, 'remove'> | 'bare' | 'log' | 'startup' | 'memory' | 'p99'

/** What a figure is held against. */
export interface Target {
  readonly of: 'ratio' | 'ours'
  readonly bound: 'at least' | 'at most'
  readonly value: number
}

export interface Work {
  readonly name: WorkName
  readonly title: string
  readonly unit: 'requests/s' | 'ms' | 'MB'
  /** Measured at every size, to see how it grows. */
  readonly grows?: true
  /** Per number of rows, what must be reached there. */
  readonly targets: Readonly<Record<number, Target>>
}

/** How steep time per request may rise with rows: the log-log slope. */
export const SLOPE_AT_MOST = 0.2

/** The sizes at which growth is looked at. */
export const SIZES = [100, 1000, 10_000, 100_000] as const

/** The table: what is measured, with how many rows, and what it must reach. */
export const works: readonly Work[] = [
  rate('item', 'item by id', { 100: 8 }, true),
  {
    name: 'bare',
    title: 'item by id, beside bare node:http',
    unit: 'requests/s',
    targets: { 100: ratio(0.5) },
  },
  {
    name: 'log',
    title: 'item by id, with the log beside `--quiet`',
    unit: 'requests/s',
    targets: { 100: ratio(0.9) },
  },
  rate('list', 'whole list', { 100: 12 }),
  rate('gzip', 'whole list, gzip', { 100: 8 }),
  rate('page', '`_page&_limit`', { 100: 8, 100000: 500 }, true),
  rate('filter', 'filter by `company_id`', { 100000: 300 }, true),
  rate('range', 'range + sort + limit', { 10000: 50 }),
  rate('q', '`q` with `_limit`', { 10000: 15 }),
  rate('like', '`_like` with `_limit`', { 10000: 15 }),
  rate('embed', '`_embed`', { 100: 6 }),
  rate('expand', '`_expand`', { 100: 15 }),
  rate('post', 'POST', { 100: 5, 10000: 15, 100000: 60 }, true),
  rate('mixed', '90 % reads, 10 % writes', { 10000: 15 }),
  {
    name: 'startup',
    title: 'start-up to first answer',
    unit: 'ms',
    targets: { 100: { of: 'ratio', bound: 'at most', value: 1 } },
  },
  {
    name: 'memory',
    title: 'memory after load',
    unit: 'MB',
    targets: { 100000: { of: 'ratio', bound: 'at most', value: 1.5 } },
  },
  {
    name: 'p99',
    title: 'p99 of item reads during 20 POST/s',
    unit: 'ms',
    targets: { 100000: { of: 'ours', bound: 'at most', value: 60 } },
  },
]

/** Whether a figure reaches its target. */
export function reaches(target: Target, figure: { readonly ratio: number; readonly ours: number }): boolean {
  const value = figure[target.of]
  return target.bound === 'at least' ? value >= target.value : value <= target.value
}

function rate(name: WorkName, title: string, floors: Readonly<Record<number, number>>, grows?: true): Work {
  const targets = Object.fromEntries(Object.entries(floors).map(([rows, value]) => [rows, ratio(value)]))
  return { name, title, unit: 'requests/s', targets, ...(grows && { grows }) }
}

function ratio(value: number): Target {
  return { of: 'ratio', bound: 'at least', value }
}
