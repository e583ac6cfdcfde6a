import mapValues from 'lodash/mapValues.js'
import * as ask from './requests.ts'
import type { Pair, ServerName } from './servers.ts'

/** What a result must reach. */
type Target = Readonly<{ of: 'ratio' | 'ours'; bound: 'at least' | 'at most'; value: number }>

export interface Work {
  /** What `--only` calls it. The warm and the cold line of one kind share a name. */
  readonly name: string
  readonly title: string
  readonly unit: 'requests/s' | 'ms' | 'MB'
  /** The requests to count; absent if the process itself is measured. */
  readonly make?: ask.MakeAsk
  /** Numbers of rows to measure with, ascending. */
  readonly sizes: readonly number[]
  /** Targets, by size. */
  readonly targets: Readonly<Record<number, Target>>
  /** How steeply time per request may grow with the rows: the log-log slope. */
  readonly slopeAtMost?: number
  /** Which servers are compared, if not restable and json-server. */
  readonly contenders?: Pair<ServerName>
  /** Servers of nearly equal speed are told apart by many rounds. */
  readonly isClose?: boolean
  /** All rounds of one server come before those of the other, whose saves would slow down the disk for both. */
  readonly isApart?: boolean
  /** How many send requests; 16 unless it says otherwise. */
  readonly connections?: number
}

/** The sizes used to measure growth. */
export const SIZES: readonly number[] = [100, 1000, 10_000, 100_000]
const FLAT = { slopeAtMost: 0.2 }
const BESIDE_BARE = { contenders: { ours: 'restable', rival: 'bare' }, isClose: true } as const
const BESIDE_QUIET = {
  contenders: { ours: 'restable with its log', rival: 'restable' },
  isClose: true,
} as const
const BESIDE_NO_FAULTS = {
  contenders: { ours: 'restable', rival: 'restable without faults' },
  isClose: true,
} as const
const BESIDE_FILTER = {
  contenders: { ours: 'restable with owners', rival: 'restable' },
  isClose: true,
} as const
const BESIDE_NONE = {
  contenders: { ours: 'restable with a shape', rival: 'restable' },
  isClose: true,
} as const
const NDJSON_BESIDE_JSON = { contenders: { ours: 'restable on NDJSON', rival: 'restable' } } as const
const BESIDE_NEWER = { contenders: { ours: 'restable', rival: 'json-server 1.0' } } as const
const BESIDE_FILE = { contenders: { ours: 'PostgreSQL', rival: 'restable' } } as const
const ALONE = { connections: 1 } as const
const BESIDE_ONE = { contenders: { ours: 'two on PostgreSQL', rival: 'PostgreSQL' } } as const
const warmItem = ask.warm(ask.item)

/** The table: what is measured, with how many rows, and what it must reach. */
export const works: readonly Work[] = [
  rate('item', 'item by id, warm', warmItem, SIZES, { 100: 8 }, FLAT),
  rate('item', 'item by id, cold', ask.coldItem, SIZES),
  rate('bare', 'item by id, beside bare node:http', warmItem, [100], { 100: 0.5 }, BESIDE_BARE),
  ...[ask.item, ask.page, ask.filter].map((make) =>
    rate(
      'bare',
      `${make.name}, cold, beside bare node:http`,
      ask.cold(make),
      [100],
      { 100: 0.35 },
      BESIDE_BARE,
    ),
  ),
  rate('log', 'item by id, with the log beside `--quiet`', warmItem, [100], { 100: 0.9 }, BESIDE_QUIET),
  ...[ask.item, ask.page, ask.filter].map((make) =>
    rate(
      'log',
      `${make.name}, with the log beside \`--quiet\`, cold`,
      ask.cold(make),
      [100, 100_000],
      { 100: 0.8, 100000: 0.8 },
      BESIDE_QUIET,
    ),
  ),
  rate('faults', 'item by id, beside `--no-faults`', ask.coldItem, [100], { 100: 0.95 }, BESIDE_NO_FAULTS),
  rate('list', 'whole list, warm', ask.warm(ask.list), [100], { 100: 12 }),
  rate('list', 'whole list, cold', ask.cold(ask.list), [100]),
  rate('shape', '`shape: "jsonapi"` beside none, cold', ask.shaped, [100], { 100: 0.8 }, BESIDE_NONE),
  rate('gzip', 'whole list, gzip, warm', ask.warm(ask.gzip), [100], { 100: 8 }),
  rate('page', '`_page&_limit`, warm', ask.warm(ask.page), SIZES, { 100: 8, 100000: 500 }, FLAT),
  rate('page', '`_page&_limit`, cold', ask.cold(ask.page), SIZES),
  rate('filter', 'filter by `company_id`, warm', ask.warm(ask.filter), SIZES, { 100000: 300 }, FLAT),
  rate('filter', 'filter by `company_id`, cold', ask.cold(ask.filter), SIZES),
  rate(
    'owner',
    '`read: "owner"` beside that filter, cold',
    ask.cold(ask.own),
    SIZES,
    { 100000: 0.7 },
    { ...FLAT, ...BESIDE_FILTER },
  ),
  rate('range', 'range + sort + limit, cold', ask.range, [100, 10_000], { 100: 6, 10000: 50 }),
  rate('gt', '`_gt` with `_limit`, cold', ask.gt, [10_000]),
  rate('lt', '`_lt` with `_limit`, cold', ask.lt, [10_000]),
  rate('between', '`_between` with `_limit`, cold', ask.between, [10_000]),
  rate('in', '`_in` with `_limit`, cold', ask.cold(ask.oneOf), [10_000]),
  rate('startsWith', '`_startsWith` with `_limit`, cold', ask.cold(ask.startsWith), [10_000]),
  rate('where', '`_where` with `_limit`, cold', ask.cold(ask.where), [10_000]),
  rate('q', '`q` with `_limit`, warm', ask.warm(ask.search), [10_000], { 10000: 15 }),
  rate('q', '`q` with `_limit`, cold', ask.cold(ask.search), [10_000, 100_000]),
  rate('like', '`_like` with `_limit`, warm', ask.warm(ask.like), [10_000], { 10000: 15 }),
  rate('like', '`_like` with `_limit`, cold', ask.cold(ask.like), [10_000, 100_000]),
  rate('embed', '`_embed`, warm', ask.warm(ask.embed), [100], { 100: 6 }),
  rate('expand', '`_expand`, warm', ask.warm(ask.expand), [100], { 100: 15 }),
  rate('parent', '`_expand` + `_sort` by a field of the parent, cold', ask.cold(ask.expandSorted), [10_000]),
  rate('post', 'POST', ask.post, SIZES, { 100: 5, 10000: 15, 100000: 60 }, { slopeAtMost: 0.3 }),
  rate(
    'ndjson',
    'POST to NDJSON, beside JSON',
    ask.post,
    SIZES,
    {},
    { slopeAtMost: 0.1, ...NDJSON_BESIDE_JSON },
  ),
  rate('patch', 'PATCH', ask.patch, [100, 10_000], { 100: 3 }),
  rate('after', 'PATCH and the first read after it, 1 connection', ask.afterWrite, [100, 10_000], {}, ALONE),
  rate('mixed', '80 % reads, 20 % writes', ask.mixed, [100, 10_000], { 100: 4, 10000: 15 }),
  rate('newer', 'item by id, beside json-server 1.0, cold', ask.coldItem, [10_000], {}, BESIDE_NEWER),
  rate(
    'newer',
    'filter by `company_id`, beside json-server 1.0, cold',
    ask.cold(ask.filter),
    [10_000],
    {},
    BESIDE_NEWER,
  ),
  rate('newer', 'POST, beside json-server 1.0', ask.postAnyId, [10_000], {}, BESIDE_NEWER),
  { name: 'startup', title: 'start-up to first response', unit: 'ms', ...atMost(0.79, 'ratio', 100) },
  { name: 'memory', title: 'memory after load', unit: 'MB', ...atMost(1.17, 'ratio', 100_000) },
  { name: 'memory', title: 'memory after reads', unit: 'MB', ...atMost(1.5, 'ratio', 100_000) },
  { name: 'p99', title: 'p99 of item reads during 20 POST/s', unit: 'ms', ...atMost(60, 'ours', 100_000) },
]

const LARGE = [100_000, 1_000_000]
/** Whether POST slows down shows where most sizes are far apart. */
const ALL_SIZES = [1000, 10_000, ...LARGE]
/** Saving a million rows to a file writes 130 MB, and PostgreSQL a few kilobytes. */
const POSTS = { slopeAtMost: 0.1, isApart: true, ...BESIDE_FILE }

/** The table of `--postgres`: data in a database beside the same data in a file. */
export const postgresWorks: readonly Work[] = [
  rate('item', 'item by id, warm', warmItem, LARGE, {}, BESIDE_FILE),
  rate('item', 'item by id, cold', ask.coldItem, LARGE, {}, BESIDE_FILE),
  rate('page', 'first page, cold', ask.cold(ask.firstPage), LARGE, {}, BESIDE_FILE),
  rate('page', 'deep page, cold', ask.cold(ask.page), LARGE, {}, BESIDE_FILE),
  rate('filter', 'filter by `company_id`, cold', ask.cold(ask.filter), LARGE, {}, BESIDE_FILE),
  rate('range', 'range + sort + limit, cold', ask.range, LARGE, {}, BESIDE_FILE),
  rate('range', 'pages of a range, sorted, cold', ask.cold(ask.rangePage), LARGE, {}, BESIDE_FILE),
  rate('q', '`q` with `_limit`, cold', ask.cold(ask.search), LARGE, {}, BESIDE_FILE),
  rate('like', '`_like` with `_limit`, cold', ask.cold(ask.like), LARGE, {}, BESIDE_FILE),
  rate('post', 'POST, 1 connection', ask.post, ALL_SIZES, {}, { ...POSTS, connections: 1 }),
  rate('post', 'POST, 16 connections', ask.post, ALL_SIZES, {}, POSTS),
  rate('two', 'item by id, warm, two instances beside one', warmItem, [100_000], { 100000: 1 }, BESIDE_ONE),
  rate(
    'two',
    'filter by `company_id`, cold, two instances beside one',
    ask.cold(ask.filter),
    [100_000],
    { 100000: 1 },
    BESIDE_ONE,
  ),
  rate('two', 'POST, two instances beside one', ask.post, [100_000], {}, BESIDE_ONE),
]

/** Requests per second, with the required ratio to the other server by size. */
function rate(
  name: string,
  title: string,
  make: ask.MakeAsk,
  sizes: readonly number[],
  floors: Readonly<Record<number, number>> = {},
  more: Pick<Work, 'slopeAtMost' | 'contenders' | 'isClose' | 'isApart' | 'connections'> = {},
): Work {
  const targets = mapValues(floors, (value) => ({ of: 'ratio', bound: 'at least', value }) as const)
  return { name, title, unit: 'requests/s', make, sizes, targets, ...more }
}

/** Measured with this many rows, and not to exceed this. */
function atMost(value: number, of: Target['of'], rows: number) {
  return { sizes: [rows], targets: { [rows]: { of, value, bound: 'at most' } } } as const
}
