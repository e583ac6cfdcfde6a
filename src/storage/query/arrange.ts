import { Pace } from '../../util/pace.ts'
import { valueColumn } from '../data/columns.ts'
import { type Index, indexOf, type Range, rangeOf } from '../data/index.ts'
import type { Table } from '../data/table.ts'
import type { ListQuery, Row, Selection, SortKey, Trace } from '../types.ts'
import { type Candidates, valuesIn } from './candidates.ts'
import type { Test } from './compile-where.ts'
import { frame } from './page.ts'
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
  trace: Trace,
): Promise<Selection> {
  const { head, start, end } = frame(matches.total, window)
  const part = { start, end }
  const items =
    sort.length === 0 ? await inOrder(table, matches, part) : await sorted(table, matches, sort, part, trace)
  return { items, ...head }
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
  return walk(rowsOf(table), passes(), { start, end })
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
  if (!some || isSame) {
    if (!some) trace.uses = [...trace.uses, { kind: 'sorted', path: first.path }]
    return takeRun(table, index, some?.run ?? { start: 0, end: index.size }, sort, part)
  }
  trace.uses = [...trace.uses, { kind: 'sorted', path: first.path }]
  return takePassing(table, index, passes(), sort, part)
}

/** The index of the first key; undefined unless all columns have an order: mixed types compare in circles. */
async function orderIn(table: Table, sort: readonly SortKey[]): Promise<Index | undefined> {
  let first: Index | undefined
  for (const { path } of sort) {
    const index = await table.derive(indexOf(valueColumn(path)))
    if (valuesIn(index).type === 'mixed') return undefined
    first ??= index
  }
  return first
}

async function takeRun(
  table: Table,
  index: Index,
  run: Range,
  [first, ...ties]: readonly SortKey[],
  { start, end }: Range,
): Promise<readonly Row[]> {
  const isDown = first?.order === 'desc'
  if (!isDown && ties.length === 0) return table.pick(index.ranks(run.start + start, run.start + end))
  const pace = new Pace()
  const taken: Row[] = []
  while (taken.length < end - start) {
    // Descending positions count from the end, but equal rows stay in row order.
    const at = start + taken.length
    const group = groupAt(index, isDown ? run.end - 1 - at : run.start + at, run)
    const before = isDown ? run.end - group.end : group.start - run.start
    const last = Math.min(group.end - group.start, end - before)
    const rows = table.pick(index.ranks(group.start, ties.length > 0 ? group.end : group.start + last))
    for (const row of (await sortRows(rows, ties)).slice(at - before, last)) taken.push(row)
    if (pace.isDue) await pace.turn()
  }
  return taken
}

function groupAt(index: Index, position: number, run: Range): Range {
  const { start, end } = rangeOf(index, index.itemAt(position))
  return { start: Math.max(start, run.start), end: Math.min(end, run.end) }
}

async function takePassing(
  table: Table,
  index: Index,
  passes: Test,
  [first, ...ties]: readonly SortKey[],
  part: Range,
): Promise<readonly Row[]> {
  if (first?.order !== 'desc' && ties.length === 0) return walk(rowsBy(table, index), passes, part)
  const pace = new Pace()
  const isDown = first?.order === 'desc'
  const run = { start: 0, end: index.size }
  const taken: Row[] = []
  let passed = 0
  for (let at = isDown ? run.end - 1 : 0; at >= 0 && at < run.end && passed < part.end; ) {
    const group = groupAt(index, at, run)
    const rows: Row[] = []
    for (let from = group.start; from < group.end; from += 64) {
      for (const row of table.pick(index.ranks(from, Math.min(from + 64, group.end)))) {
        if (passes(row)) rows.push(row)
        if (pace.isDue) await pace.turn()
      }
    }
    if (passed + rows.length > part.start) {
      const sorted = await sortRows(rows, ties)
      for (const row of sorted.slice(Math.max(0, part.start - passed), part.end - passed)) taken.push(row)
    }
    passed += rows.length
    at = isDown ? group.start - 1 : group.end
  }
  return taken
}

function* rowsBy(table: Table, index: Index): Generator<readonly unknown[]> {
  for (const leaf of index.leaves()) yield table.pick(leaf.ranks)
}

function* rowsOf(table: Table): Generator<readonly unknown[]> {
  for (const leaf of table.rows.leaves()) yield leaf.items
}

async function walk(
  groups: Iterable<readonly unknown[]>,
  passes: Test,
  { start, end }: Range,
): Promise<readonly Row[]> {
  const pace = new Pace()
  const taken: Row[] = []
  let passed = 0
  if (end <= start) return taken
  for (const rows of groups) {
    for (const row of rows) {
      if (pace.isDue) await pace.turn()
      if (!passes(row)) continue
      if (passed >= start) taken.push(row as Row)
      if (++passed === end) return taken
    }
  }
  return taken
}
