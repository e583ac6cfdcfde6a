import { checkCreated, checkSame, type Pair, WrongAnswer } from './check.ts'
import { inTurns } from './in-turns.ts'
import { type LoadResult, load } from './load.ts'
import type { Pace } from './plan.ts'
import type { RunningServer } from './servers.ts'
import { percentile } from './statistics.ts'
import { asks, type LoadName, type MakeAsk, type Sample, writeRequest } from './works.ts'
import { BOTH, type Workshop } from './workshop.ts'

/** What was seen of one server, one entry per round. */
export interface Samples {
  readonly values: readonly number[]
  readonly p99Ms?: readonly number[]
  /** The share of a core that the generator needed at most. */
  readonly generatorBusy?: number
}

/** Both sides of a line. */
export interface Sides {
  readonly ours: Samples
  readonly rival: Samples
}

/** Slow servers are given time for this many answers, up to four times a round. */
const ANSWERS = 20
/** The compiler inside Node wants to have seen some thousands before it gives its best. */
const WARM_ANSWERS = 5000
/** A collection gets so many rows by POST in a round, or a twentieth of those it has, before they are deleted again. */
const POSTS = 500

/** Requests per second of both, round by round in turns, after their answers were compared. */
export async function measureRate(work: LoadName, pair: Pair, sample: Sample, pace: Pace): Promise<Sides> {
  await checkSame(pair, work, sample)
  const ours = rounds(pair.ours, work, sample)
  const rival = rounds(pair.rival, work, sample)
  await ours.warmUp(pace.warmUpMs)
  await rival.warmUp(pace.warmUpMs)
  return await ratesInTurns(
    pace.rounds,
    () => ours.next(pace.roundMs),
    () => rival.next(pace.roundMs),
  )
}

/**
 * The same for POST, on servers that stay. The collection must not grow from round to round, so what was created is
 * deleted again, untimed.
 */
export async function measurePosts(workshop: Workshop, rows: number, pace: Pace): Promise<Sides> {
  const sample = workshop.sample(rows)
  await workshop.withPair(BOTH, rows, (pair) => checkSame(pair, 'post', sample))
  return await workshop.withPair(BOTH, rows, async ({ ours, rival }) => {
    const [post, postToRival] = [posts(ours, sample), posts(rival, sample)]
    await post.warmUp(pace.warmUpMs)
    await postToRival.warmUp(pace.warmUpMs)
    return await ratesInTurns(
      rows < POSTS ? pace.shortPostRounds : pace.postRounds,
      () => post.next(pace.roundMs),
      () => postToRival.next(pace.roundMs),
    )
  })
}

function isSmall(rows: number): boolean {
  return rows <= 1000
}

/** POSTs to one server, and what keeps its collection about as large as the line says. */
function posts(server: RunningServer, sample: Sample) {
  const { rows } = sample
  const most = Math.max(POSTS, rows / 20)
  // json-server looks for orphans at each DELETE, which takes it seconds there: but in all rounds it creates no more
  // than about a twentieth of what there was.
  const mayDelete = server.name !== 'json-server' || isSmall(rows)
  let created = 0
  const next = async (forMs: number): Promise<LoadResult> => {
    const result = await rounds(server, 'post', sample, most).next(forMs)
    created += result.answered
    await checkCreated(server, rows, created)
    if (mayDelete && (isSmall(rows) || created >= most)) {
      await rounds(server, 'remove', sample, created).next(Number.POSITIVE_INFINITY)
      created = 0
    }
    return result
  }
  const warmUp = async (forMs: number): Promise<void> => {
    const deadline = performance.now() + 3 * forMs
    while (performance.now() < deadline) await next(forMs)
  }
  return { next, warmUp }
}

/** The rounds of one server; each goes on with the requests where the last one stopped. */
function rounds(server: RunningServer, work: LoadName, sample: Sample, count = Number.POSITIVE_INFINITY) {
  const make: MakeAsk = asks[work]
  const { port, name } = server
  let from = 0
  const next = async (forMs: number): Promise<LoadResult> => {
    const request = (n: number) => writeRequest(make(sample, n))
    const result = await load({ port, request, from, count, forMs, atLeast: ANSWERS, atMostMs: 4 * forMs })
    if (result.refused > 0) {
      throw new WrongAnswer(`${name} refused ${result.refused} of ${result.answered} requests`)
    }
    from += result.answered
    return result
  }
  const warmUp = async (forMs: number): Promise<void> => {
    const deadline = performance.now() + 3 * forMs
    while (from < WARM_ANSWERS && performance.now() < deadline) await next(forMs)
  }
  return { next, warmUp }
}

async function ratesInTurns(
  count: number,
  ours: () => Promise<LoadResult>,
  rival: () => Promise<LoadResult>,
): Promise<Sides> {
  const seen = await inTurns(count, ours, rival)
  return { ours: samplesOf(seen.ours), rival: samplesOf(seen.rival) }
}

function samplesOf(results: readonly LoadResult[]): Samples {
  return {
    values: results.map(({ perSecond }) => perSecond),
    p99Ms: results.map(({ latencies }) => percentile(latencies, 0.99)),
    generatorBusy: Math.max(...results.map(({ generatorBusy }) => generatorBusy)),
  }
}
