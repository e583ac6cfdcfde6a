import type { Verdict, Work } from '../../work/in-slices.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import { type Compiled, untilOne, weightOf } from './compile-where.ts'
import { compileSearch } from './search.ts'

/** Number of tests per slice. */
const STRETCH = 128

/** Counts tested rows. */
export interface Counter {
  examined: number
}

/** All tests a row must pass. */
export class RowTests {
  readonly isEmpty: boolean
  readonly #passes: (row: unknown) => Verdict
  /** Number of rows tested per slice: fewer if there is more to test. */
  readonly #stretch: number
  /** The unfinished test of a slow row. */
  #late: Work<boolean> | undefined
  readonly #counter: Counter

  constructor(
    conditions: readonly Compiled[],
    search: string | undefined,
    { except, counter = { examined: 0 } }: { except?: Compiled | undefined; counter?: Counter } = {},
  ) {
    this.#counter = counter
    const asked = conditions.filter((one) => one !== except)
    const tests = asked.map(({ passes }) => passes)
    if (search !== undefined) tests.push(compileSearch(search))
    this.isEmpty = tests.length === 0
    this.#passes = untilOne(tests, false)
    const weight = asked.reduce((sum, one) => sum + weightOf(one), 1)
    this.#stretch = Math.max(1, Math.floor(STRETCH / weight))
  }

  /**
   * Adds the positions of the rows that pass to `found`.
   * @param view where the rows are, read again after each yield
   * @param places of the rows to test; by default all from `start` to `end`
   */
  *pick(
    view: { readonly slots: readonly (Row | undefined)[] },
    found: number[],
    { start = 0, end, places }: { start?: number; end: number; places?: readonly number[] },
  ): Work<void> {
    for (let at = start; at < end; ) {
      if (at > start) yield
      at = this.#pickQuickly(view.slots, found, at, Math.min(at + this.#stretch, end), places)
      const late = this.#late
      if (!late) continue
      this.#late = undefined
      if (yield* late) found.push(places ? (places[at] ?? 0) : at)
      at++
    }
  }

  /** Returns the position of the first slow row, or the end. */
  #pickQuickly(
    slots: readonly (Row | undefined)[],
    found: number[],
    start: number,
    end: number,
    places: readonly number[] | undefined,
  ): number {
    for (let at = start; at < end; at++) {
      const place = places ? (places[at] ?? 0) : at
      const row = slots[place]
      if (row === undefined || row === TOMBSTONE) continue
      this.#counter.examined++
      const verdict = this.#passes(row)
      if (verdict === true) found.push(place)
      else if (verdict !== false) {
        this.#late = verdict
        return at
      }
    }
    return end
  }
}
