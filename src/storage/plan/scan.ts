import type { Work } from '../../work/in-slices.ts'
import type { RowsView } from '../index/row-order.ts'
import { BLOCK, findInBlock } from '../index/text-index.ts'
import { type Counter, RowTests } from '../query/row-tests.ts'
import type { Table } from '../table/table.ts'
import type { Row } from '../types.ts'
import { type Filter, type Phrase, textsFor } from './phrase.ts'

/** The ranks, ascending, of rows that pass, and the slots they refer to. */
export interface Matches {
  readonly ranks: readonly number[]
  readonly slots: readonly Row[]
  /** Whether the table is unchanged: if not, only these slots know what the ranks refer to. */
  readonly isCurrent: boolean
}

/** Tests the rows of some ranks one by one. A long scan continues on the rows as they were when it started. */
export function scanRanks(
  table: Table,
  { conditions, search }: Filter,
  candidates: readonly number[],
  counter: Counter,
): Work<Matches> {
  return table.indexes.order.whileViewed(function* (view) {
    const { version } = table
    const ranks: number[] = []
    const places = candidates.slice()
    const tests = new RowTests(conditions, search, { counter })
    yield* tests.pick(view, ranks, { places, end: places.length })
    return { ranks, slots: view.slots, isCurrent: table.version === version }
  })
}

/** Tests all rows, likewise; for a text search, only those that contain the text. */
export function scanAll(
  table: Table,
  filter: Filter,
  phrase: Phrase | undefined,
  counter: Counter,
): Work<Matches> {
  return table.indexes.order.whileViewed(function* (view) {
    const { version } = table
    const ranks: number[] = []
    if (phrase) yield* testHolders(table, view, filter, phrase, ranks, counter)
    else {
      const tests = new RowTests(filter.conditions, filter.search, { counter })
      yield* tests.pick(view, ranks, { end: view.length })
    }
    return { ranks, slots: view.slots, isCurrent: table.version === version }
  })
}

/** Tests the rows that contain the phrase, as far as the text index covers them. */
function* testHolders(
  table: Table,
  view: RowsView,
  { conditions, search }: Filter,
  phrase: Phrase,
  found: number[],
  counter: Counter,
): Work<void> {
  const { version } = table
  const texts = textsFor(phrase, table.indexes)
  const known = texts.known()
  const all = new RowTests(conditions, search, { counter })
  // A row that contains the phrase has passed the condition it comes from.
  const others = new RowTests(conditions, phrase.condition ? search : undefined, {
    except: phrase.condition,
    counter,
  })
  for (let first = 0; first < view.length; first += BLOCK) {
    if (first > 0) yield
    const block = table.version === version ? texts.block(first / BLOCK) : known[first / BLOCK]
    if (block) {
      // Beyond ASCII, lowercasing differs from how patterns ignore case.
      const tests = phrase.condition && !block.isAscii ? all : others
      const places = findInBlock(block, phrase.text).map((place) => first + place)
      if (places.length > 0) yield* tests.pick(view, found, { places, end: places.length })
    } else yield* all.pick(view, found, { start: first, end: Math.min(first + BLOCK, view.length) })
  }
}
