import type { BenchOptions } from './options.ts'
import { type Target, type Work, works } from './targets.ts'

/** One line to measure. */
export interface Task {
  readonly work: Work
  readonly rows: number
  /** The size that the target is about, where a smaller one stands for it. Such a line is not judged. */
  readonly insteadOf?: number
  readonly target?: Target
}

/** How long and how often. */
export interface Pace {
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
  /** For POST, where rounds end with clearing up. */
  readonly postRounds: number
  /** For POST to few rows, where a round must not add many more, and is soon over. */
  readonly shortPostRounds: number
  /** For what takes long each time: start-ups and memory. */
  readonly starts: number
  readonly pacedRounds: number
  readonly pacedMs: number
}

const FULL: Pace = {
  rounds: 5,
  roundMs: 1200,
  warmUpMs: 1200,
  postRounds: 9,
  shortPostRounds: 31,
  starts: 25,
  pacedRounds: 3,
  pacedMs: 5000,
}
/** Rather few and short rounds than a short warm-up: what is not compiled yet is another program. */
const QUICK: Pace = {
  rounds: 3,
  roundMs: 200,
  warmUpMs: 240,
  postRounds: 2,
  shortPostRounds: 5,
  starts: 3,
  pacedRounds: 1,
  pacedMs: 1500,
}

/** How long and how often a full or a quick measurement looks. */
export function paceOf({ isQuick }: Pick<BenchOptions, 'isQuick'>): Pace {
  return isQuick ? QUICK : FULL
}

/**
 * Many short rounds. Two that are nearly as fast are told apart by their turns, not by their length: the
 * machine itself is faster now and slower then.
 */
export function inShortRounds(pace: Pace): Pace {
  return { ...pace, rounds: pace.rounds * 12, roundMs: pace.roundMs / 6 }
}

/** All lines to measure, in the order of the table and by size. */
export function plan({ rows, only }: Pick<BenchOptions, 'rows' | 'only'>): readonly Task[] {
  return works.filter(({ name }) => only.includes(name)).flatMap((work) => tasksOf(work, rows))
}

function tasksOf(work: Work, sizes: readonly number[]): readonly Task[] {
  const tasks = new Map<number, Task>()
  if (work.grows) for (const rows of sizes) tasks.set(rows, { work, rows })
  const targets = Object.entries(work.targets).map(([rows, target]) => ({ rows: Number(rows), target }))
  for (const { rows: wanted } of targets) {
    const rows = standIn(wanted, sizes)
    if (rows !== undefined && rows !== wanted) tasks.set(rows, { work, rows, insteadOf: wanted })
  }
  // Last, because a target that is met at its own size beats one that is only stood in for.
  for (const { rows, target } of targets) if (sizes.includes(rows)) tasks.set(rows, { work, rows, target })
  return [...tasks.values()].sort((a, b) => a.rows - b.rows)
}

/** The largest size that is not above the wanted one, or the smallest there is. */
function standIn(wanted: number, sizes: readonly number[]): number | undefined {
  return sizes.findLast((rows) => rows <= wanted) ?? sizes[0]
}
