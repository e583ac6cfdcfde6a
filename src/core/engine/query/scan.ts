import { TimeSlice } from '../../kernel/util/pace.ts'
import type { Range } from '../data/index.ts'
import type { Table } from '../data/table.ts'
import type { Leaf } from '../data/tree-nodes.ts'
import type { Row, Trace, Where } from '../types.ts'
import type { Candidates } from './candidates.ts'
import { compileWhere, everyOf, type Test } from './compile-where.ts'
import { compileSearch } from './search.ts'
import { findInBlock, findPhrase, type Phrase, textsOf } from './text-blocks.ts'

/** With fewer rows, an index costs more than it saves. */
export const FEWEST_ROWS = 64

export function compileFilter(where: readonly Where[], search: string | undefined): Test {
  return everyOf(testsOf(where, search))
}

function testsOf(where: readonly Where[], search: string | undefined): readonly Test[] {
  const tests = where.map((one) => compileWhere(one))
  if (search !== undefined) tests.push(compileSearch(search))
  return tests
}

/** Rows that pass the filter; with a window, those at its positions. @param parts of the rows, made when needed */
export async function filterRows(
  parts: Iterable<readonly Row[]>,
  passes: Test,
  { start, end }: Range = { start: 0, end: Number.POSITIVE_INFINITY },
): Promise<readonly Row[]> {
  const pace = new TimeSlice()
  const passing: Row[] = []
  let passed = 0
  if (end <= start) return passing
  for (const rows of parts) {
    for (const row of rows) {
      if (pace.isUsedUp) await pace.yieldToEventLoop()
      if (!passes(row)) continue
      if (passed >= start) passing.push(row)
      if (++passed === end) return passing
    }
  }
  return passing
}

/** Ascending ranks of all rows that pass: tests the candidates, or all rows if they are too many. */
export async function scan(
  table: Table,
  where: readonly Where[],
  search: string | undefined,
  candidates: Candidates | undefined,
  trace: Trace,
): Promise<readonly number[]> {
  const rest = where.filter((one) => !candidates?.settled.includes(one))
  if (rest.length === 0 && search === undefined) return candidates?.ranks() ?? table.rows.ranks()
  const isFew = candidates && candidates.size <= table.size / (search === undefined ? 4 : 16)
  if (isFew) return testParts(someParts(table, candidates.ranks(), testsOf(rest, search)), trace)
  const phrase = table.size >= FEWEST_ROWS ? findPhrase(where, search) : undefined
  trace.uses = phrase ? [{ kind: 'text', path: phrase.condition?.path ?? 'q' }] : []
  return testParts(allParts(table, where, search, phrase), trace)
}

interface Part {
  readonly rows: readonly unknown[]
  readonly ranks: readonly number[]
  readonly tests: readonly Test[]
  /** The rows to test, instead of all. */
  readonly positions?: readonly number[] | undefined
}

async function testParts(parts: Iterable<Part>, trace: Trace): Promise<readonly number[]> {
  const pace = new TimeSlice()
  const passing: number[] = []
  for (const { rows, ranks, tests, positions } of parts) {
    const count = positions?.length ?? rows.length
    for (let at = 0; at < count; at++) {
      const position = positions?.[at] ?? at
      trace.examined++
      let passed = 0
      while (tests[passed]?.(rows[position])) {
        passed++
        if (pace.isUsedUp) await pace.yieldToEventLoop()
      }
      if (passed === tests.length) passing.push(ranks[position] ?? 0)
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    // The texts of a leaf may have taken long to collect, and none of them matched.
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return passing
}

function* someParts(table: Table, ranks: readonly number[], tests: readonly Test[]): Generator<Part> {
  for (let start = 0; start < ranks.length; start += 64) {
    const part = ranks.slice(start, start + 64)
    yield { rows: table.pick(part), ranks: part, tests }
  }
}

/** Of a text search, tests only rows that contain the text. */
function* allParts(
  table: Table,
  where: readonly Where[],
  search: string | undefined,
  phrase: Phrase | undefined,
): Generator<Part> {
  const all = testsOf(where, search)
  // A row with the phrase has passed its condition.
  const others = where.filter((one) => one !== phrase?.condition)
  const rest = phrase ? testsOf(others, phrase.condition && search) : all
  for (const leaf of table.rows.leaves()) {
    const matches = phrase && matchesIn(leaf, phrase)
    const { items: rows, ranks } = leaf
    yield { rows, ranks, tests: matches && !matches.mustTest ? rest : all, positions: matches?.at }
  }
}

function matchesIn(
  leaf: Leaf,
  phrase: Phrase,
): { readonly at: readonly number[]; readonly mustTest: boolean } | undefined {
  const block = textsOf(leaf, phrase)
  // `contains` looks at each entry of a list. Beyond ASCII, lowercasing differs from how patterns ignore case.
  const mustTest = phrase.condition !== undefined && !(phrase.condition.op === 'like' && block?.isAscii)
  return block && { at: findInBlock(block, phrase), mustTest }
}
