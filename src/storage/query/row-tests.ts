import type { Verdict, Work } from '../../work/in-slices.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import { type Compiled, untilOne, weightOf } from './compile-where.ts'
import { compileSearch } from './search.ts'

/** So many tests are made before others may have their turn. */
const STRETCH = 128

/** Counts the rows that were tested. */
export interface Counter {
  examined: number
}

/** What a row has to pass, all of it. */
export class RowTests {
  readonly isEmpty: boolean
  readonly #passes: (row: unknown) => Verdict
  /** The more there is to test, the fewer rows at a time. */
  readonly #stretch: number
  /** What is left to do for the row that took longer than others. */
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
   * Adds the places of the rows that pass to `found`.
   * @param view where the rows stand, looked at anew after each break
   * @param places of the rows to be tested; left out, all from `start` to `end` are
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

  /** Returns where a row stands that takes longer, or the end. */
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
