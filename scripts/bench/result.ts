import type { Sides } from './measure-rate.ts'
import type { Task } from './plan.ts'
import { logLogSlope, median, type Point } from './statistics.ts'
import { reaches, SLOPE_AT_MOST, type Target, type WorkName } from './targets.ts'

/** One measured line of the table. */
export interface Line {
  readonly work: WorkName
  readonly title: string
  readonly unit: string
  readonly rows: number
  /** The size that the target is about, where a smaller one stood for it. */
  readonly insteadOf?: number
  /** Medians of the rounds. */
  readonly ours: number
  readonly rival: number
  /** Ours divided by the other's, round by round, and of these the median: the machine's moods hit both of a round. */
  readonly ratio: number
  readonly target?: Target
  readonly isReached?: boolean
  readonly rounds: Sides
}

/** A line that could not be measured, or whose answers were wrong. */
export interface Fault {
  readonly work: WorkName
  readonly rows: number
  readonly message: string
}

/** How time per request rises with rows, for one kind of work. */
export interface Growth {
  readonly work: WorkName
  readonly title: string
  readonly ours: readonly Point[]
  readonly rival: readonly Point[]
  readonly slope: { readonly ours: number; readonly rival: number }
  readonly slopeAtMost: number
  readonly isReached: boolean
}

/** Everything that one run found. */
export interface Result {
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly node: string
  readonly isQuick: boolean
  readonly seconds: number
  readonly lines: readonly Line[]
  readonly growth: readonly Growth[]
  readonly faults: readonly Fault[]
}

/** Sums the rounds of a task up, and judges them. */
export function lineOf({ work, rows, insteadOf, target }: Task, rounds: Sides): Line {
  const ours = median(rounds.ours.values)
  const rival = median(rounds.rival.values)
  const ratio = median(ratiosOf(rounds))
  return {
    work: work.name,
    title: work.title,
    unit: work.unit,
    rows,
    ...(insteadOf !== undefined && { insteadOf }),
    ours,
    rival,
    ratio,
    ...(target && { target, isReached: reaches(target, { ratio, ours }) }),
    rounds,
  }
}

function ratiosOf({ ours, rival }: Sides): readonly number[] {
  return ours.values.map((value, round) => value / (rival.values[round] ?? Number.NaN))
}

/** The growth of everything that was measured in requests per second at two sizes or more. */
export function growthOf(lines: readonly Line[]): readonly Growth[] {
  const rates = lines.filter(({ unit }) => unit === 'requests/s')
  return [...new Set(rates.map(({ work }) => work))].flatMap((work) => {
    const same = rates.filter((line) => line.work === work)
    const [first] = same
    if (first === undefined || same.length < 2) return []
    const points = (side: 'ours' | 'rival'): readonly Point[] =>
      same.map((line) => ({ rows: line.rows, ms: 1000 / line[side] }))
    const slope = { ours: logLogSlope(points('ours')), rival: logLogSlope(points('rival')) }
    return {
      work,
      title: first.title,
      ours: points('ours'),
      rival: points('rival'),
      slope,
      slopeAtMost: SLOPE_AT_MOST,
      isReached: slope.ours <= SLOPE_AT_MOST,
    }
  })
}
