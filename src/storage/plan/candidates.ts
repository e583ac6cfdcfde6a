import { MOST_COLUMNS } from '../index/columns.ts'
import type { Interval, SortedIndex } from '../index/sorted-index.ts'
import type { Compiled, CompiledCondition } from '../query/compile-where.ts'
import type { Table } from '../table/table.ts'
import type { Naming } from '../types.ts'

/** Rows that an index found, and no others. */
export type Found = { readonly kind: 'all' } | FoundSome

export type FoundSome =
  | { readonly kind: 'ranks'; readonly ranks: readonly number[] }
  | { readonly kind: 'interval'; readonly index: SortedIndex; readonly interval: Interval }

/** What indexes found, and the conditions that these rows still have to be tested for. */
export interface Candidates {
  readonly found: Found
  readonly size: number
  readonly rest: readonly Compiled[]
}

/** The rows that pass some of the conditions, and all of those that do. */
interface Answer {
  readonly found: FoundSome
  readonly size: number
  readonly settled: readonly CompiledCondition[]
}

/** When a part this small of the table is left, it is tested faster than another index is asked. */
const FEW = 1 / 64

/** Where more than this part of the rows has to be looked at anyhow, an index is of no use. */
const MOST_CROWDED = 4

/** Asks the indexes, until few rows are left, for the rows that can pass. A promise where one is still being made. */
export function findCandidates(
  table: Table,
  asked: readonly Compiled[],
  naming: Naming,
  slice?: number,
): Candidates | Promise<void> {
  const total = table.rows.length
  const conditions = asked.filter((one) => one.kind === 'condition')
  const answers: Answer[] = []
  const asks = [
    () => askIds(table, conditions, naming),
    () => askEquality(table, conditions, naming, slice),
    () => askRanges(table, conditions, slice),
  ]
  for (const ask of asks) {
    const given = ask()
    if (given instanceof Promise) return given
    for (const answer of given) {
      answers.push(answer)
      if (answer.size <= total * FEW) return without(asked, answer)
    }
  }
  const [first, ...others] = answers
  if (first === undefined) return allOf(table, asked)
  if (others.length === 0) return without(asked, first)
  const ranks = intersect(table.indexes.order.slots.length, answers)
  const settled = answers.flatMap((answer) => answer.settled)
  return without(asked, { found: { kind: 'ranks', ranks }, size: ranks.length, settled })
}

/** All rows, to be tested for everything. */
function allOf({ rows }: Table, conditions: readonly Compiled[]): Candidates {
  return { found: { kind: 'all' }, size: rows.length, rest: conditions }
}

function without(conditions: readonly Compiled[], { found, size, settled }: Answer): Candidates {
  return { found, size, rest: conditions.filter((one) => !settled.some((done) => done === one)) }
}

/** The table knows its ids anyhow: they need no index of their own. */
function askIds(table: Table, conditions: readonly CompiledCondition[], { id }: Naming): Answer[] {
  const asked = conditions.filter(({ path, op }) => path === id && op === 'eq')
  if (asked.length === 0 || !isUnique(table, id)) return []
  return asked.map(({ values }) => {
    const positions = [...new Set(values)].map((text) => table.positionOf(text, true)).filter((at) => at >= 0)
    const ranks = positions.map((at) => table.indexes.order.rankAt(at)).sort((a, b) => a - b)
    return { found: { kind: 'ranks', ranks }, size: ranks.length, settled: [] }
  })
}

function askEquality(
  table: Table,
  conditions: readonly CompiledCondition[],
  { id }: Naming,
  slice: number | undefined,
): Answer[] | Promise<void> {
  const answers: Answer[] = []
  const asked = conditions.filter(({ path, op }) => op === 'eq' && !(path === id && isUnique(table, id)))
  for (const condition of asked.slice(0, MOST_COLUMNS)) {
    const index = table.indexes.equality(condition.path, slice)
    if (index instanceof Promise) return index
    const isOfUse = index && index.crowded * MOST_CROWDED <= table.rows.length
    const ranks = isOfUse ? index.ranksOf(condition.values) : undefined
    if (!index || !ranks) continue
    const settled = index.crowded > 0 ? [] : [condition]
    answers.push({ found: { kind: 'ranks', ranks }, size: ranks.length, settled })
  }
  return answers
}

function askRanges(
  table: Table,
  conditions: readonly CompiledCondition[],
  slice: number | undefined,
): Answer[] | Promise<void> {
  const answers: Answer[] = []
  const ranges = conditions.filter(({ op }) => op === 'gte' || op === 'lte')
  const paths = [...new Set(ranges.map((range) => range.path))]
  for (const path of paths.slice(0, MOST_COLUMNS)) {
    const settled = ranges.filter((range) => range.path === path)
    const index = table.indexes.sorted(path, slice)
    if (index instanceof Promise) return index
    const interval = index?.within(settled)
    if (!index || !interval) continue
    answers.push({
      found: { kind: 'interval', index, interval },
      size: interval.end - interval.start,
      settled,
    })
  }
  return answers
}

/** Whether an id leads to the one row that has it. A dotted path may lead elsewhere; even a text has a length. */
function isUnique(table: Table, id: string): boolean {
  return /^\w+$/.test(id) && id !== 'length' && !table.hasDuplicates
}

/** The ranks, ascending, that are in all of the answers. */
function intersect(size: number, answers: readonly Answer[]): number[] {
  const votes = new Uint8Array(size)
  for (const [before, { found }] of answers.entries()) {
    const ranks = ranksOf(found)
    for (let at = 0; at < ranks.length; at++) {
      const rank = ranks[at] ?? 0
      if (votes[rank] === before) votes[rank] = before + 1
    }
  }
  const all: number[] = []
  for (let rank = 0; rank < size; rank++) if (votes[rank] === answers.length) all.push(rank)
  return all
}

/** In no certain order. */
export function ranksOf(found: FoundSome): ArrayLike<number> {
  return found.kind === 'ranks' ? found.ranks : found.index.ranksIn(found.interval)
}
