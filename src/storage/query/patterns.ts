import { toText } from '../../catalogue/text.ts'
import { Pace } from '../../util/pace.ts'
import type { Condition, Row, Where } from '../types.ts'
import { leavesOf } from '../where.ts'
import { compileCondition, compileWhere } from './compile-where.ts'
import { isLiteral, LongText, needsEngine, PatternEngine, tooSlow } from './like.ts'
import { compilePath, somePath } from './path.ts'
import { filterRows } from './scan.ts'

const MOST_TIME = 2000

/** Milliseconds per batch, and per million characters on top. */
const MOST_TIME_OF_SOME = 300
const MOST_TIME_OF_MILLION = 100

const CHARACTERS = 2 ** 20
const TEXTS = 2000

const engine = new PatternEngine()

/** Whether a pattern in it needs a thread: V8's engine may take years. */
export function needsThread(where: Where, hasLongTexts: boolean): boolean {
  return leavesOf(where).some((leaf) => isForThread(leaf, hasLongTexts))
}

function isForThread({ op, values }: Condition, hasLongTexts: boolean): boolean {
  return op === 'like' && values.some((value) => needsEngine(value) || (hasLongTexts && !isLiteral(value)))
}

export async function filterByPatterns(
  all: readonly Row[],
  conditions: readonly Where[],
  hasLongTexts: boolean,
  isWanted: (() => boolean) | undefined,
): Promise<readonly Row[]> {
  const budget = { left: MOST_TIME }
  let rows = all
  for (const where of conditions)
    rows = await filterByPattern(rows, where, { hasLongTexts, budget, isWanted })
  return rows
}

export async function rowsPassing(rows: readonly Row[], where: readonly Where[]): Promise<readonly Row[]> {
  try {
    return await filterByPatterns(rows, where, false, undefined)
  } catch (error) {
    if (error instanceof LongText) return filterByPatterns(rows, where, true, undefined)
    throw error
  }
}

interface Matching {
  readonly hasLongTexts: boolean
  readonly budget: { left: number }
  readonly isWanted: (() => boolean) | undefined
}

async function filterByPattern(
  rows: readonly Row[],
  where: Where,
  matching: Matching,
): Promise<readonly Row[]> {
  const matches = new Map<Condition, ReadonlySet<unknown>>()
  for (const leaf of leavesOf(where).filter((one) => isForThread(one, matching.hasLongTexts))) {
    matches.set(leaf, await findMatching(rows, leaf, matching))
  }
  const passes = compileWhere(where, (condition) => {
    const matched = matches.get(condition)
    return matched ? (row) => matched.has(row) : compileCondition(condition)
  })
  return filterRows([rows], passes)
}

async function findMatching(
  rows: readonly Row[],
  { path, values }: Condition,
  { budget, isWanted }: Matching,
): Promise<ReadonlySet<unknown>> {
  const pace = new Pace()
  const matched = new Set<unknown>()
  for (const { texts, owners, size } of batchesOf(rows, path)) {
    const limit = MOST_TIME_OF_SOME + (MOST_TIME_OF_MILLION * size) / 1e6
    if (budget.left <= 0) throw tooSlow()
    const { bits, time } = await engine.match(values, texts, Math.min(limit, budget.left), isWanted)
    budget.left -= time
    for (const [at, owner] of owners.entries()) if (bits[at] === 1) matched.add(owner)
    if (pace.isDue) await pace.turn()
  }
  return matched
}

interface Batch {
  readonly texts: string[]
  readonly owners: Row[]
  size: number
}

function* batchesOf(rows: readonly Row[], text: string): Generator<Batch> {
  const path = compilePath(text)
  let batch: Batch = { texts: [], owners: [], size: 0 }
  for (const row of rows) {
    somePath(row, path, (value) => {
      const own = toText(value)
      batch.texts.push(own)
      batch.owners.push(row)
      batch.size += own.length
      return false
    })
    if (batch.size < CHARACTERS && batch.texts.length < TEXTS) continue
    yield batch
    batch = { texts: [], owners: [], size: 0 }
  }
  if (batch.texts.length > 0) yield batch
}
