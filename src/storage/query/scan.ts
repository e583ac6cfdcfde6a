import { Pace } from '../../util/pace.ts'
import type { Table } from '../data/table.ts'
import type { Leaf } from '../data/tree-nodes.ts'
import type { Row, Trace, Where } from '../types.ts'
import type { Candidates } from './candidates.ts'
import { type Compiled, compileWhere, everyOf, type Test } from './compile-where.ts'
import { compileSearch, findInBlock, findPhrase, type Phrase, textsOf } from './search.ts'

/** With fewer rows, an index costs more than it saves. */
export const FEWEST_ROWS = 64

export function compileFilter(where: readonly Where[], search: string | undefined): Test {
  return everyOf(testsOf(compileAll(where), search))
}

function compileAll(where: readonly Where[]): readonly Compiled[] {
  return where.map((one) => compileWhere(one))
}

function testsOf(conditions: readonly Compiled[], search: string | undefined): readonly Test[] {
  const tests = conditions.map(({ passes }) => passes)
  if (search !== undefined) tests.push(compileSearch(search))
  return tests
}

export async function filterRows(
  rows: readonly Row[],
  passes: Test,
  pace = new Pace(),
): Promise<readonly Row[]> {
  const passing: Row[] = []
  for (const row of rows) {
    if (passes(row)) passing.push(row)
    if (pace.isDue) await pace.turn()
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
  return isFew
    ? scanSome(table, candidates.ranks(), testsOf(compileAll(rest), search), trace)
    : scanAll(table, compileAll(where), search, trace)
}

async function scanSome(
  table: Table,
  ranks: readonly number[],
  tests: readonly Test[],
  trace: Trace,
): Promise<readonly number[]> {
  const passing = new Passing(trace)
  for (let start = 0; start < ranks.length; start += 64) {
    const part = ranks.slice(start, start + 64)
    await passing.test(table.pick(part), part, tests)
  }
  return passing.ranks
}

class Passing {
  readonly ranks: number[] = []
  readonly #trace: Trace
  readonly #pace = new Pace()

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /** @param positions rows to test, instead of all */
  async test(
    rows: readonly unknown[],
    ranks: readonly number[],
    tests: readonly Test[],
    positions?: readonly number[],
  ): Promise<void> {
    const count = positions?.length ?? rows.length
    for (let at = 0; at < count; at++) {
      const position = positions?.[at] ?? at
      this.#trace.examined++
      let passed = 0
      while (tests[passed]?.(rows[position])) {
        passed++
        if (this.#pace.isDue) await this.#pace.turn()
      }
      if (passed === tests.length) this.ranks.push(ranks[position] ?? 0)
      if (this.#pace.isDue) await this.#pace.turn()
    }
  }
}

/** Of a text search, tests only rows that contain the text. */
async function scanAll(
  table: Table,
  conditions: readonly Compiled[],
  search: string | undefined,
  trace: Trace,
): Promise<readonly number[]> {
  const passing = new Passing(trace)
  const all = testsOf(conditions, search)
  const phrase = table.size >= FEWEST_ROWS ? findPhrase(conditions, search) : undefined
  // A row with the phrase has passed its condition.
  const others = conditions.filter((one) => one !== phrase?.condition)
  const rest = testsOf(others, phrase && !phrase.condition ? undefined : search)
  for (const leaf of table.rows.leaves()) {
    const matches = phrase && matchesIn(leaf, phrase)
    const tests = matches && !matches.mustTest ? rest : all
    await passing.test(leaf.items, leaf.ranks, tests, matches?.at)
  }
  trace.uses = phrase ? [{ kind: 'text', path: phrase.condition?.path ?? 'q' }] : []
  return passing.ranks
}

function matchesIn(
  leaf: Leaf,
  phrase: Phrase,
): { readonly at: readonly number[]; readonly mustTest: boolean } | undefined {
  const block = textsOf(leaf, phrase)
  // Beyond ASCII, lowercasing differs from how patterns ignore case.
  const mustTest = phrase.condition !== undefined && !block?.isAscii
  return block && { at: findInBlock(block, phrase.text), mustTest }
}
