import { TimeSlice } from '../../kernel/util/pace.ts'
import { valueColumn } from '../data/columns.ts'
import { type Index, type Range, rangeOf } from '../data/index.ts'
import type { Table } from '../data/table.ts'
import type { ListQuery, Row, Selection, SortKey, Trace, Window } from '../types.ts'
import { type Candidates, valuesIn } from './candidates.ts'
import type { Test } from './compile-where.ts'
import { type CursorKey, type CursorPage, cursorKeys, cursorPage, cursorPageByIndex } from './cursor-page.ts'
import { frame } from './page.ts'
import { filterRows } from './scan.ts'
import { sortRows } from './sort.ts'

export interface Matches {
  readonly total: number
  readonly some?: Pick<Candidates, 'ranks' | 'run'> | undefined
  readonly passes: () => Test
}

/** Up to this many rows, sorting beats an index. */
const FEW_TO_SORT = 64

export async function arrange(
  table: Table,
  matches: Matches,
  { sort, window }: Pick<ListQuery, 'sort' | 'window'>,
  id: string,
  trace: Trace,
): Promise<Selection> {
  if (window.kind === 'cursor')
    return {
      ...(await byCursor(table, matches, cursorKeys(sort, id), window, trace)),
      window,
      total: matches.total,
    }
  const { head, start, end } = frame(matches.total, window)
  const part = { start, end }
  const items =
    sort.length === 0 ? await inOrder(table, matches, part) : await sorted(table, matches, sort, part, trace)
  return { items, window, ...head }
}

async function byCursor(
  table: Table,
  { some }: Matches,
  keys: readonly CursorKey[],
  window: Extract<Window, { readonly kind: 'cursor' }>,
  trace: Trace,
): Promise<CursorPage> {
  const page = some ? undefined : await cursorPageByIndex(table, keys, window)
  if (!page) return cursorPage(some ? table.pick(some.ranks()) : table.rows.items(), keys, window)
  trace.uses = [{ kind: 'sorted', path: keys[0]?.path ?? '' }]
  return page
}

async function inOrder(
  table: Table,
  { total, some, passes }: Matches,
  { start, end }: Range,
): Promise<readonly Row[]> {
  if (!some) return table.rows.items(start, end)
  const { run } = some
  if (run?.isOneKey) return table.pick(run.index.ranks(run.start + start, run.start + end))
  // Testing rows until there are enough may beat sorting all ranks.
  const expectedTests = (end * table.size) / Math.max(1, total)
  if (!run || expectedTests > total) return table.pick(some.ranks().slice(start, end))
  return filterRows(rowsOf(table), passes(), { start, end })
}

async function sorted(
  table: Table,
  matches: Matches,
  sort: readonly SortKey[],
  part: Range,
  trace: Trace,
): Promise<readonly Row[]> {
  const { total, some, passes } = matches
  const all = () => (some ? table.pick(some.ranks()) : table.rows.items())
  const expectedTests = some ? Math.min(table.size, (part.end * table.size) / Math.max(1, total)) : 0
  const [first] = sort
  const isInRun = first && some?.run && !some.run.isOneKey
  const isFast = total > FEW_TO_SORT && (isInRun || expectedTests <= total * Math.log2(total))
  const index = isFast ? await orderIn(table, sort) : undefined
  const isSame = some?.run?.index === index
  if (!first || !index || (some && !isSame && expectedTests > total * Math.log2(total))) {
    return (await sortRows(all(), sort)).slice(part.start, part.end)
  }
  const run = isSame ? some?.run : undefined
  if (!run) trace.uses = [...trace.uses, { kind: 'sorted', path: first.path }]
  const test = some && !run ? passes() : undefined
  return takeRun(table, index, run ?? { start: 0, end: index.size }, sort, part, test)
}

/** The index of the first key; undefined unless all columns have an order: mixed types compare in circles. */
async function orderIn(table: Table, sort: readonly SortKey[]): Promise<Index | undefined> {
  let first: Index | undefined
  for (const { path } of sort) {
    const index = await table.derive(valueColumn(path))
    if (valuesIn(index).type === 'mixed') return undefined
    first ??= index
  }
  return first
}

/** @param passes absent if all rows of the run match: then their places are known, and those before the window are skipped */
async function takeRun(
  table: Table,
  index: Index,
  run: Range,
  [first, ...ties]: readonly SortKey[],
  { start, end }: Range,
  passes?: Test,
): Promise<readonly Row[]> {
  const isDown = first?.order === 'desc'
  if (!isDown && ties.length === 0) {
    if (passes) return filterRows(rowsBy(table, index), passes, { start, end })
    return table.pick(index.ranks(run.start + start, run.start + end))
  }
  const pace = new TimeSlice()
  const taken: Row[] = []
  const skipped = passes ? 0 : start
  let before = 0
  let at = isDown ? run.end - 1 - skipped : run.start + skipped
  while (before < end && at >= run.start && at < run.end) {
    // Descending positions count from the end, but equal rows stay in row order.
    const group = groupAt(index, at, run)
    if (!passes) before = isDown ? run.end - group.end : group.start - run.start
    const needed = passes || ties.length > 0 ? group.end : Math.min(group.end, group.start + end - before)
    const ranks = index.ranks(group.start, needed)
    const matching = passes ? await filterRows(pickSlowly(table, ranks), passes) : table.pick(ranks)
    if (before + matching.length > start) {
      const sorted = await sortRows(matching, ties)
      for (const row of sorted.slice(Math.max(0, start - before), end - before)) taken.push(row)
    }
    before += matching.length
    at = isDown ? group.start - 1 : group.end
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return taken
}

/** In slices: all rows may have the same value. */
function* pickSlowly(table: Table, ranks: readonly number[]): Generator<readonly Row[]> {
  for (let start = 0; start < ranks.length; start += 64) yield table.pick(ranks.slice(start, start + 64))
}

function groupAt(index: Index, position: number, run: Range): Range {
  const { start, end } = rangeOf(index, index.entryAt(position).item)
  return { start: Math.max(start, run.start), end: Math.min(end, run.end) }
}

function* rowsBy(table: Table, index: Index): Generator<readonly Row[]> {
  for (const leaf of index.leaves()) yield table.pick(leaf.ranks)
}

function* rowsOf(table: Table): Generator<readonly Row[]> {
  for (const leaf of table.rows.leaves()) yield leaf.items as readonly Row[]
}
