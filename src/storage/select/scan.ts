import type { Pace } from '../../work/pace.ts'
import type { Table } from '../data/table.ts'
import type { Leaf } from '../data/tree.ts'
import { type Compiled, everyOf } from '../query/compile-where.ts'
import { compileSearch } from '../query/search.ts'
import type { Trace } from '../types.ts'
import { findInBlock, findPhrase, type Phrase, textsOf } from './phrase.ts'

/** Below this many rows an index costs more than it saves. */
export const FEWEST_ROWS = 64

/** What rows must pass. */
export interface Filter {
  readonly conditions: readonly Compiled[]
  readonly search: string | undefined
}

/** Whether a row passes; undefined if all do. */
export function testOf({ conditions, search }: Filter): ((row: unknown) => boolean) | undefined {
  const tests = conditions.map(({ passes }) => passes)
  if (search !== undefined) tests.push(compileSearch(search))
  const [only] = tests
  return tests.length > 1 ? everyOf(tests) : only
}

/** The ranks, ascending, of those of some rows that pass. */
export async function scanRanks(
  table: Table,
  ranks: readonly number[],
  passes: (row: unknown) => boolean,
  trace: Trace,
  pace: Pace,
): Promise<readonly number[]> {
  const found: number[] = []
  for (let start = 0; start < ranks.length; start += 64) {
    const part = ranks.slice(start, start + 64)
    for (const [at, row] of table.pick(part).entries()) {
      trace.examined++
      if (passes(row)) found.push(part[at] ?? 0)
      if (pace.isDue) await pace.turn()
    }
  }
  return found
}

/** The ranks, ascending, of all rows that pass; for a text search, only those are tested that contain the text. */
export async function scanAll(
  table: Table,
  filter: Filter,
  trace: Trace,
  pace: Pace,
): Promise<readonly number[]> {
  const found: number[] = []
  const passes = testOf(filter) ?? (() => true)
  const phrase = table.size >= FEWEST_ROWS ? findPhrase(filter) : undefined
  // A row that contains the phrase has passed what it comes from.
  const rest =
    phrase &&
    testOf({
      conditions: filter.conditions.filter((one) => one !== phrase.condition),
      search: phrase.condition ? filter.search : undefined,
    })
  for (const { leaf } of table.rows.leaves()) {
    const places = phrase && placesIn(leaf, phrase)
    const test = places && !places.mustTest ? rest : passes
    const end = places?.at.length ?? leaf.items.length
    for (let at = 0; at < end; at++) {
      const place = places ? (places.at[at] ?? 0) : at
      trace.examined++
      if (!test || test(leaf.items[place])) found.push(leaf.ranks[place] ?? 0)
      if (pace.isDue) await pace.turn()
    }
  }
  trace.uses = phrase ? [{ kind: 'text', path: phrase.condition?.path ?? 'q' }] : []
  return found
}

/** Which rows of a leaf contain the phrase; undefined if only a test of each can tell. */
function placesIn(
  leaf: Leaf,
  phrase: Phrase,
): { readonly at: readonly number[]; readonly mustTest: boolean } | undefined {
  const block = textsOf(leaf, phrase)
  // Beyond ASCII, lowercasing differs from how patterns ignore case.
  return (
    block && {
      at: findInBlock(block, phrase.text),
      mustTest: phrase.condition !== undefined && !block.isAscii,
    }
  )
}
