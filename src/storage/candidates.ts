import type { CompiledCondition } from './condition.ts'
import type { Interval, SortedIndex } from './sorted-index.ts'
import type { Table } from './table.ts'
import type { Naming } from './types.ts'

/** Rows that an index found: all that pass some of the conditions, and no others. */
export type Found =
  | { readonly kind: 'all' }
  | { readonly kind: 'ranks'; readonly ranks: readonly number[] }
  | { readonly kind: 'interval'; readonly index: SortedIndex; readonly interval: Interval }

/** What the best index found, and the conditions that it knows nothing of. */
export interface Candidates {
  readonly found: Found
  readonly size: number
  readonly rest: readonly CompiledCondition[]
}

/** A part this small of the table is not worth asking another index. */
const FEW = 1 / 64

/** Asks the indexes, and takes the answer with the fewest rows. */
export function findCandidates(
  table: Table,
  conditions: readonly CompiledCondition[],
  naming: Naming,
): Candidates {
  const total = table.rows.length
  let best: Candidates = { found: { kind: 'all' }, size: total, rest: conditions }
  const asks = [askIds, askEquality, askRanges]
  for (const ask of asks) {
    for (const candidates of ask(table, conditions, naming))
      if (candidates.size < best.size) best = candidates
    if (best.size <= total * FEW) break
  }
  return best
}

/** The table knows its ids anyhow: they need no index of their own. */
function* askIds(
  table: Table,
  conditions: readonly CompiledCondition[],
  { id }: Naming,
): Generator<Candidates> {
  for (const { path, op, values } of conditions) {
    if (path !== id || op !== 'eq' || !isUnique(table, id)) continue
    const positions = [...new Set(values)].map((text) => table.positionOf(text, true)).filter((at) => at >= 0)
    const ranks = positions.map((at) => table.indexes.order.rankAt(at)).sort((a, b) => a - b)
    yield { found: { kind: 'ranks', ranks }, size: ranks.length, rest: conditions }
  }
}

function* askEquality(
  table: Table,
  conditions: readonly CompiledCondition[],
  { id }: Naming,
): Generator<Candidates> {
  for (const condition of conditions) {
    const { path, op, values } = condition
    if (op !== 'eq' || (path === id && isUnique(table, id))) continue
    const ranks = table.indexes.equality(path)?.ranksOf(values)
    if (ranks === undefined) continue
    const rest = conditions.filter((other) => other !== condition)
    yield { found: { kind: 'ranks', ranks }, size: ranks.length, rest }
  }
}

function* askRanges(table: Table, conditions: readonly CompiledCondition[]): Generator<Candidates> {
  const ranges = conditions.filter(({ op }) => op === 'gte' || op === 'lte')
  for (const path of new Set(ranges.map((range) => range.path))) {
    const index = table.indexes.sorted(path)
    const bounds = ranges.filter((range) => range.path === path)
    const interval = index?.within(bounds)
    if (index === undefined || interval === undefined) continue
    const rest = conditions.filter((condition) => !bounds.includes(condition))
    yield { found: { kind: 'interval', index, interval }, size: interval.end - interval.start, rest }
  }
}

/** Whether an id leads to the one row that has it. A dotted path may lead elsewhere, and so may what texts have, too. */
function isUnique(table: Table, id: string): boolean {
  return /^\w+$/.test(id) && id !== 'length' && !table.hasDuplicates
}
