import { paced, type Work } from '../../work/in-slices.ts'
import type { Condition, ListQuery, Row, Selection } from '../types.ts'
import { PatternEngine, tooSlow } from './like/engine.ts'
import { needsEngine } from './like/like.ts'
import { compilePath } from './path.ts'
import { isLongList, longText, toText } from './text.ts'
import { somePath } from './walk-path.ts'

/** How long the patterns of one query may take, in milliseconds. */
const MOST_TIME = 2000

/** How long those may take that are tried on some texts, and on each million characters of them. */
const MOST_TIME_OF_SOME = 300
const MOST_TIME_OF_MILLION = 100

/** So many characters, or texts, are handed over at a time. */
const CHARACTERS = 2 ** 20
const TEXTS = 2000

/** One for all: however many ask, they have one thread. */
const engine = new PatternEngine()

/** Whether a condition has a pattern that only JavaScript's own engine can match. */
export function isForEngine({ op, values }: Condition): boolean {
  return op === 'like' && values.some(needsEngine)
}

/**
 * Answers a query that has such conditions. The others are asked first, so that the engine sees few rows.
 * @param select answers a query without any
 * @param arrange sorts and cuts the rows that passed
 * @param isWanted whether somebody still waits for it
 */
export async function selectByPattern(
  query: ListQuery,
  select: (query: ListQuery) => Selection | Promise<Selection>,
  arrange: (rows: Row[], query: ListQuery) => Selection | Promise<Selection>,
  isWanted?: () => boolean,
): Promise<Selection> {
  const where = query.where.filter((condition) => !isForEngine(condition))
  const found = await select({ ...query, where, sort: [], window: { kind: 'all' } })
  const budget = { left: MOST_TIME }
  let rows = found.items.slice()
  for (const condition of query.where.filter(isForEngine)) {
    rows = await keepMatching(rows, condition, budget, isWanted)
  }
  const { search: _, ...rest } = query
  return arrange(rows, { ...rest, where: [] })
}

async function keepMatching(
  rows: readonly Row[],
  { path, values }: Condition,
  budget: { left: number },
  isWanted: (() => boolean) | undefined,
): Promise<Row[]> {
  const kept = new Set<number>()
  for await (const batch of paced(batchesOf(rows, path))) {
    if (batch === undefined) continue
    const { texts, places, size } = batch
    const limit = MOST_TIME_OF_SOME + (MOST_TIME_OF_MILLION * size) / 1e6
    if (budget.left <= 0) throw tooSlow()
    const { bits, time } = await engine.match(values, texts, Math.min(limit, budget.left), isWanted)
    budget.left -= time
    for (const [at, place] of places.entries()) if (bits[at] === 1) kept.add(place)
  }
  return rows.filter((_, place) => kept.has(place))
}

interface Batch {
  readonly texts: string[]
  /** Whose texts they are. */
  readonly places: number[]
  size: number
}

/** Undefined is no batch, but a moment in which others may have their turn. */
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
    // A long list is walked step by step, and fills more than one batch.
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
