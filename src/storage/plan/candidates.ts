import { MOST_COLUMNS } from '../index/columns.ts'
import type { Compiled, CompiledCondition } from '../query/compile-where.ts'
import type { IndexUse } from '../types.ts'
import {
  type Asked,
  type Asking,
  askAny,
  askEquality,
  askIds,
  askIntervals,
  askRange,
  canAsk,
  isById,
  isRange,
} from './ask-index.ts'
import { type Answer, type Found, intersect } from './found.ts'

/** The rows that indexes found, and the conditions they still have to be tested for. */
export interface Candidates {
  readonly found: Found
  readonly size: number
  readonly rest: readonly Compiled[]
  readonly uses: readonly IndexUse[]
}

/** Once this fraction of the table is left, testing rows is faster than another index. */
const FEW = 1 / 64

/** Asks the indexes for the rows that can pass, until few are left. A promise if one is still being built. */
export function findCandidates(asking: Asking, conditions: readonly Compiled[]): Candidates | Promise<void> {
  const { rows, indexes } = asking.table
  const answers: Answer[] = []
  for (const ask of questionsFor(asking, conditions)) {
    const answer = ask()
    if (answer instanceof Promise) return answer
    if (!answer) continue
    answers.push(answer)
    if (answer.size <= rows.length * FEW) return without(conditions, answer)
  }
  const [first, ...others] = answers
  if (first === undefined) return { found: { kind: 'all' }, size: rows.length, rest: conditions, uses: [] }
  if (others.length === 0) return without(conditions, first)
  const ranks = intersect(indexes.order.slots.length, answers)
  const settled = answers.flatMap((answer) => answer.settled)
  const uses = answers.flatMap((answer) => answer.uses)
  return without(conditions, { found: { kind: 'ranks', ranks }, size: ranks.length, settled, uses })
}

function without(conditions: readonly Compiled[], { found, size, settled, uses }: Answer): Candidates {
  return { found, size, rest: conditions.filter((one) => !settled.includes(one)), uses }
}

/**
 * The lookups to try, the cheapest and most selective first. Each kind of index is used for no more columns than it can
 * hold.
 */
function questionsFor(asking: Asking, compiled: readonly Compiled[]): readonly (() => Asked)[] {
  const conditions = compiled.filter((one) => one.kind === 'condition')
  const ids = conditions.filter((one) => isById(asking, one))
  const equal = conditions.filter((one) => (one.op === 'eq' || one.op === 'in') && !ids.includes(one))
  const bounds = new Map<string, CompiledCondition[]>()
  for (const one of conditions.filter(isRange)) bounds.set(one.path, [...(bounds.get(one.path) ?? []), one])
  const others = conditions.filter(
    (one) => one.op === 'startsWith' || (one.op === 'between' && !isRange(one)),
  )
  const groups = compiled.filter(
    (one) => one.kind !== 'condition' && canAsk(one) && pathsIn(one).size <= MOST_COLUMNS,
  )
  return [
    ...ids.map((one) => () => askIds(asking, one)),
    ...equal.slice(0, MOST_COLUMNS).map((one) => () => askEquality(asking, one)),
    ...[...bounds].slice(0, MOST_COLUMNS).map(
      ([path, some]) =>
        () =>
          askRange(asking, path, some),
    ),
    ...others.slice(0, MOST_COLUMNS).map((one) => () => askIntervals(asking, one)),
    ...groups.slice(0, MOST_GROUPS).map((one) => () => askAny(asking, one)),
  ]
}

/** Further groups are tested row by row: each may need as many indexes as there can be. */
const MOST_GROUPS = 4

function pathsIn(compiled: Compiled): ReadonlySet<string> {
  if (compiled.kind === 'condition') return new Set([compiled.path])
  return new Set(compiled.parts.flatMap((part) => [...pathsIn(part)]))
}
