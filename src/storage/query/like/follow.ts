import { addBit, type Bits, noBits, tabulate } from './bits.ts'
import type { Graph } from './graph.ts'
import type { Assertion } from './parse-pattern.ts'

/** What is next to a position in the text. */
export const EDGE = 0
export const WORD_CHAR = 1
export const OTHER_CHAR = 2
export type Side = typeof EDGE | typeof WORD_CHAR | typeof OTHER_CHAR

/** Which reading steps follow others, and when the end is reached, between two given sides. */
export interface Follow {
  /** For any choice of reading steps, those that may come next; see `tabulate`. */
  readonly next: Int32Array
  /** Reading steps after which the end is reached. */
  readonly ends: Bits
  readonly startNext: Bits
  readonly startEnds: boolean
}

/** Follows all branches, and the assertions that hold between the two sides. */
export function follow(graph: Graph, reads: readonly number[], before: Side, after: Side): Follow {
  const bitOf = new Map(reads.map((step, bit) => [step, bit]))
  const seen = new Int32Array(graph.steps.length)
  let round = 0

  function reach(from: readonly number[], into: Bits): boolean {
    round += 1
    let isEnd = false
    const pending = [...from]
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const step = graph.steps[at]
      if (step === undefined || seen[at] === round) continue
      seen[at] = round
      if (at === graph.end) isEnd = true
      if (step.kind === 'read') addBit(into, bitOf.get(at) ?? 0)
      else if (step.kind === 'branch' || holds(step.at, before, after)) pending.push(...step.next)
    }
    return isEnd
  }

  const ends = noBits(reads.length)
  const sets = reads.map((at, bit) => {
    const set = noBits(reads.length)
    if (reach(graph.steps[at]?.next ?? [], set)) addBit(ends, bit)
    return set
  })
  const startNext = noBits(reads.length)
  return { next: tabulate(sets), ends, startNext, startEnds: reach([graph.start], startNext) }
}

function holds(at: Assertion, before: Side, after: Side): boolean {
  switch (at) {
    case 'start':
      return before === EDGE
    case 'end':
      return after === EDGE
    case 'word-edge':
      return (before === WORD_CHAR) !== (after === WORD_CHAR)
    case 'no-word-edge':
      return (before === WORD_CHAR) === (after === WORD_CHAR)
  }
}
