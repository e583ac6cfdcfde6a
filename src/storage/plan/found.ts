import type { Interval, SortedIndex } from '../index/sorted-index.ts'
import type { Compiled } from '../query/compile-where.ts'
import type { IndexUse } from '../types.ts'

/** Exactly the rows that an index found. */
export type Found = { readonly kind: 'all' } | FoundSome

export type FoundSome =
  | { readonly kind: 'ranks'; readonly ranks: readonly number[] }
  | { readonly kind: 'interval'; readonly index: SortedIndex; readonly interval: Interval }

/** The answer of indexes to some conditions: the rows that can pass. */
export interface Answer {
  readonly found: FoundSome
  readonly size: number
  /** The conditions that all of these rows pass. */
  readonly settled: readonly Compiled[]
  readonly uses: readonly IndexUse[]
}

export function foundRanks(ranks: readonly number[], settled: readonly Compiled[], use: IndexUse): Answer {
  return { found: { kind: 'ranks', ranks }, size: ranks.length, settled, uses: [use] }
}

export function foundInterval(
  index: SortedIndex,
  interval: Interval,
  settled: readonly Compiled[],
  use: IndexUse,
): Answer {
  const size = interval.end - interval.start
  return { found: { kind: 'interval', index, interval }, size, settled, uses: [use] }
}

/** In no particular order. */
export function ranksOf(found: FoundSome): ArrayLike<number> {
  return found.kind === 'ranks' ? found.ranks : found.index.ranksIn(found.interval)
}

/** The ranks, ascending, that are in all of the answers. */
export function intersect(size: number, answers: readonly Answer[]): number[] {
  const votes = new Uint8Array(size)
  for (const [before, { found }] of answers.entries()) {
    const ranks = ranksOf(found)
    for (let at = 0; at < ranks.length; at++) {
      const rank = ranks[at] ?? 0
      if (votes[rank] === before) votes[rank] = before + 1
    }
  }
  return ranksWith(votes, answers.length)
}

/** The ranks, ascending, that are in any of the answers. */
export function unite(size: number, answers: readonly Answer[]): number[] {
  const [only] = answers
  if (only?.found.kind === 'ranks' && answers.length === 1) return only.found.ranks.slice()
  const marks = new Uint8Array(size)
  for (const { found } of answers) {
    const ranks = ranksOf(found)
    for (let at = 0; at < ranks.length; at++) marks[ranks[at] ?? 0] = 1
  }
  return ranksWith(marks, 1)
}

function ranksWith(marks: Uint8Array, mark: number): number[] {
  const all: number[] = []
  for (let rank = 0; rank < marks.length; rank++) if (marks[rank] === mark) all.push(rank)
  return all
}
