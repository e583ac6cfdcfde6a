import type { CharSet } from './char-set.ts'
import type { Assertion, Pattern } from './parse-pattern.ts'

/** A step of the graph: read one of a set, be at a place, or go several ways. `next` are indexes of steps. */
type Step =
  | { readonly kind: 'read'; readonly set: CharSet; readonly next: readonly number[] }
  | { readonly kind: 'check'; readonly at: Assertion; readonly next: readonly number[] }
  | { readonly kind: 'branch'; readonly next: readonly number[] }

/** A pattern as steps from `start` to `end`, with counted repeats unrolled. */
export interface Graph {
  readonly steps: readonly Step[]
  readonly start: number
  readonly end: number
}

/** Number of steps a pattern needs; infinite repeats count once. */
export function weigh(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'chars':
    case 'assertion':
      return 1
    case 'sequence':
    case 'choice':
      return pattern.parts.reduce((sum, part) => sum + weigh(part), 1)
    case 'repeat': {
      const { part, min, max } = pattern
      return 1 + weigh(part) * (max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max)
    }
  }
}

/** Links the steps back to front: each gets its successor. */
export function toGraph(pattern: Pattern): Graph {
  const steps: Step[] = [{ kind: 'branch', next: [] }]
  const end = 0

  function add(step: Step): number {
    return steps.push(step) - 1
  }

  function link(part: Pattern, next: number): number {
    switch (part.kind) {
      case 'chars':
        return add({ kind: 'read', set: part.set, next: [next] })
      case 'assertion':
        return add({ kind: 'check', at: part.at, next: [next] })
      case 'sequence':
        return part.parts.reduceRight((after, each) => link(each, after), next)
      case 'choice':
        return add({ kind: 'branch', next: part.parts.map((each) => link(each, next)) })
      case 'repeat':
        return linkRepeat(part.part, part.min, part.max, next)
    }
  }

  function linkRepeat(part: Pattern, min: number, max: number, next: number): number {
    let [start, required] = [next, min]
    if (max === Number.POSITIVE_INFINITY) {
      const loop: number[] = [next]
      start = add({ kind: 'branch', next: loop })
      const body = link(part, start)
      loop.push(body)
      // `a+` is a loop entered through its body; only what is required beyond that is unrolled.
      if (required > 0) start = body
      required -= 1
    } else {
      for (let optional = max - min; optional > 0; optional -= 1) {
        start = add({ kind: 'branch', next: [link(part, start), next] })
      }
    }
    for (; required > 0; required -= 1) start = link(part, start)
    return start
  }

  return { steps, start: link(pattern, end), end }
}
