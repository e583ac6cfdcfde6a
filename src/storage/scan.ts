import { inSlices } from '../in-slices.ts'
import type { CompiledCondition } from './condition.ts'
import { type Filter, findPhrase, textsFor } from './phrase.ts'
import { GONE } from './row-order.ts'
import { compileSearch } from './search.ts'
import type { Table } from './table.ts'
import { BLOCK, findInBlock, type TextBlock } from './text-index.ts'
import type { Row } from './types.ts'

/** The ranks, ascending, of rows that pass, and the rows they stand for. */
export interface Matches {
  readonly ranks: readonly number[]
  readonly slots: readonly Row[]
  /** Whether the table is still as it was: else only these slots know what the ranks stand for. */
  readonly isCurrent: boolean
}

/** Tests the rows of some ranks one by one. A long scan goes on with the rows as they were when it began. */
export function scanRanks(
  table: Table,
  { conditions, search }: Filter,
  candidates: readonly number[],
  slice?: number,
): Matches | Promise<Matches> {
  const tests = testsOf(conditions, search)
  let ranks = candidates
  const collect = new Collector(table)
  function testSome(number: number): void {
    const end = Math.min((number + 1) * BLOCK, ranks.length)
    for (let at = number * BLOCK; at < end; at++) collect.test(ranks[at] ?? 0, tests)
  }
  function keepWhatWeHave(): void {
    ranks = ranks.slice()
    collect.keepSlots()
  }
  const count = Math.ceil(candidates.length / BLOCK)
  return collect.after(inSlices(count, testSome, keepWhatWeHave, slice))
}

/** Tests all rows, likewise; where a text is looked for, only those that hold it. */
export function scanAll(table: Table, filter: Filter, slice?: number): Matches | Promise<Matches> {
  const { version, indexes } = table
  const phrase = findPhrase(filter)
  const texts = phrase && textsFor(phrase, indexes)
  let known: readonly (TextBlock | undefined)[] | undefined
  const all = testsOf(filter.conditions, filter.search)
  // A row that holds the phrase has passed what asked for it.
  const others = testsOf(filter.conditions, phrase?.condition ? filter.search : undefined, phrase?.condition)
  const collect = new Collector(table)
  function testBlock(number: number): void {
    const first = number * BLOCK
    const block = table.version === version ? texts?.block(number) : known?.[number]
    if (block && phrase) {
      // Beyond ASCII, lower case is another thing than the case that patterns ignore.
      const tests = phrase.condition && !block.isAscii ? all : others
      findInBlock(block, phrase.text, (place) => collect.test(first + place, tests))
    } else for (let rank = first; rank < first + BLOCK; rank++) collect.test(rank, all)
  }
  function keepWhatWeHave(): void {
    known = texts?.known()
    collect.keepSlots()
  }
  const count = Math.ceil(indexes.order.slots.length / BLOCK)
  return collect.after(inSlices(count, testBlock, keepWhatWeHave, slice))
}

type Test = (row: Row) => boolean

function testsOf(
  conditions: readonly CompiledCondition[],
  search: string | undefined,
  except?: CompiledCondition,
): Test[] {
  const tests: Test[] = conditions.filter((one) => one !== except).map(({ passes }) => passes)
  return search === undefined ? tests : [...tests, compileSearch(search)]
}

class Collector {
  readonly #table: Table
  readonly #version: number
  readonly #ranks: number[] = []
  #slots: readonly Row[]

  constructor(table: Table) {
    this.#table = table
    this.#version = table.version
    this.#slots = table.indexes.order.slots
  }

  test(rank: number, tests: readonly Test[]): void {
    const row = this.#slots[rank]
    if (row === undefined || row === GONE) return
    for (let at = 0; at < tests.length; at++) if (!tests[at]?.(row)) return
    this.#ranks.push(rank)
  }

  /** Rows may change from now on. */
  keepSlots(): void {
    this.#slots = this.#slots.slice()
  }

  after(work: Promise<void> | undefined): Matches | Promise<Matches> {
    return work ? work.then(() => this.#matches()) : this.#matches()
  }

  #matches(): Matches {
    return { ranks: this.#ranks, slots: this.#slots, isCurrent: this.#table.version === this.#version }
  }
}
