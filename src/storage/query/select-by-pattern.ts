import { paced, type Work, waitFor, workInSlices } from '../../work/in-slices.ts'
import type { Condition, ListQuery, Row, Selection, Trace, Where } from '../types.ts'
import { everyLeaf, leavesOf } from '../where.ts'
import { type Compiled, compileWhere } from './compile-where.ts'
import { compileCondition } from './condition.ts'
import type { Decided } from './decide/decide.ts'
import { PatternEngine, tooSlow } from './like/engine.ts'
import { needsEngine } from './like/like.ts'
import { compilePath } from './path.ts'
import { RowTests } from './row-tests.ts'
import { rowsAt } from './rows-at.ts'
import { isLongList, longText, toText } from './value/text.ts'
import { somePath } from './walk-path.ts'
import { withIgnored } from './with-ignored.ts'

/** How long the patterns of one query may take, in milliseconds. */
const MOST_TIME = 2000

/** Time limit for a batch of texts, and the extra time per million characters. */
const MOST_TIME_OF_SOME = 300
const MOST_TIME_OF_MILLION = 100

/** Characters, or texts, per batch. */
const CHARACTERS = 2 ** 20
const TEXTS = 2000

/** Shared: all requests use one thread. */
const engine = new PatternEngine()

/** Whether a query may have a pattern that only V8's engine can match. */
export function mayNeedEngine(query: ListQuery): boolean {
  return everyLeaf(query).some(({ orElse, ...own }) => isForEngine(orElse ?? own))
}

function isForEngine({ op, values }: Condition): boolean {
  return op === 'like' && values.some(needsEngine)
}

interface Ways {
  /** Decides what a query means. */
  readonly decide: (query: ListQuery) => Decided | Promise<Decided>
  /** Runs a query without such patterns. */
  readonly select: (query: ListQuery) => Selection | Promise<Selection>
  /** Sorts and pages the rows that passed. */
  readonly arrange: (rows: readonly Row[], query: ListQuery) => Selection | Promise<Selection>
  /** Whether the client is still waiting. */
  readonly isWanted: (() => boolean) | undefined
  readonly trace?: Trace | undefined
}

/** Runs a query with such patterns. Its other conditions come first, so that the engine sees few rows. */
export async function selectByPattern(asked: ListQuery, ways: Ways): Promise<Selection> {
  const { query, ignored } = await ways.decide(asked)
  const isLate = (where: Where) => leavesOf(where).some(isForEngine)
  const early = query.where.filter((where) => !isLate(where))
  const found = await ways.select({ ...query, where: early, sort: [], window: { kind: 'all' } })
  const budget = { left: MOST_TIME }
  let rows: readonly Row[] = found.items.slice()
  for (const where of query.where.filter(isLate)) {
    if (ways.trace) ways.trace.examined += rows.length
    rows = await keepPassing(rows, where, budget, ways.isWanted)
  }
  return withIgnored(await ways.arrange(rows, query), ignored)
}

/** Those of a few rows that pass. */
export function* rowsPassing(rows: readonly Row[], where: Where): Work<readonly Row[]> {
  if (leavesOf(where).some(isForEngine)) return yield* waitFor(keepPassing(rows, where, { left: MOST_TIME }))
  return yield* pickRows(rows, compileWhere([where]))
}

function* pickRows(rows: readonly Row[], tests: readonly Compiled[]): Work<readonly Row[]> {
  const kept: number[] = []
  yield* new RowTests(tests, undefined).pick({ slots: rows }, kept, { end: rows.length })
  return rowsAt(rows, kept)
}

/** Lets the engine match each of its patterns; after that, the rest is a test like any other. */
async function keepPassing(
  rows: readonly Row[],
  where: Where,
  budget: { left: number },
  isWanted?: () => boolean,
): Promise<readonly Row[]> {
  const matching = new Map<Condition, ReadonlySet<unknown>>()
  for (const leaf of leavesOf(where).filter(isForEngine)) {
    matching.set(leaf, await findMatching(rows, leaf, budget, isWanted))
  }
  const tests = compileWhere([where], (condition) => {
    const known = matching.get(condition)
    return known ? (row) => known.has(row) : compileCondition(condition)
  })
  return await workInSlices(pickRows(rows, tests))
}

async function findMatching(
  rows: readonly Row[],
  { path, values }: Condition,
  budget: { left: number },
  isWanted: (() => boolean) | undefined,
): Promise<ReadonlySet<unknown>> {
  const found = new Set<unknown>()
  for await (const batch of paced(batchesOf(rows, path))) {
    if (batch === undefined) continue
    const { texts, places, size } = batch
    const limit = MOST_TIME_OF_SOME + (MOST_TIME_OF_MILLION * size) / 1e6
    if (budget.left <= 0) throw tooSlow()
    const { bits, time } = await engine.match(values, texts, Math.min(limit, budget.left), isWanted)
    budget.left -= time
    for (const [at, place] of places.entries()) if (bits[at] === 1) found.add(rows[place])
  }
  return found
}

interface Batch {
  readonly texts: string[]
  /** The positions of the rows they belong to. */
  readonly places: number[]
  size: number
}

/** Undefined is not a batch, but a chance to yield. */
function* batchesOf(rows: readonly Row[], text: string): Generator<Batch | undefined> {
  const path = compilePath(text)
  let batch = emptyBatch()
  for (const [place, row] of rows.entries()) {
    const take = (own: string): false => {
      batch.texts.push(own)
      batch.places.push(place)
      batch.size += own.length
      return false
    }
    const takeLong = function* (list: readonly unknown[]): Work<boolean> {
      return take(yield* longText(list))
    }
    const walk = somePath(row, path, (value) => (isLongList(value) ? takeLong(value) : take(toText(value))))
    // A long list is walked in steps, and fills more than one batch.
    while (typeof walk !== 'boolean' && !walk.next().done) {
      yield isFull(batch) ? batch : undefined
      if (isFull(batch)) batch = emptyBatch()
    }
    if (!isFull(batch)) continue
    yield batch
    batch = emptyBatch()
  }
  if (batch.texts.length > 0) yield batch
}

function emptyBatch(): Batch {
  return { texts: [], places: [], size: 0 }
}

function isFull({ texts, size }: Batch): boolean {
  return size >= CHARACTERS || texts.length >= TEXTS
}
