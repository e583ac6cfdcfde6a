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
/** POSTs of one round at most, so that the collection stays about as large as its line says. */
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
 * The same for POST. The collection must not grow from round to round, so what was created is deleted again, untimed.
 * json-server looks for orphans at each DELETE, which takes it seconds at 10,000 rows: with many rows each round has
 * fresh servers instead, warmed up with PATCH, which goes the same way to the disk, and then with a few POSTs.
 */
export async function measurePosts(workshop: Workshop, rows: number, pace: Pace): Promise<Sides> {
  const sample = workshop.sample(rows)
  await workshop.withPair(BOTH, rows, (pair) => checkSame(pair, 'post', sample))
  return rows > DELETABLE
    ? await onFreshServers(workshop, sample, pace)
    : await onTheSame(workshop, sample, pace)
}

const DELETABLE = 1000

async function onFreshServers(workshop: Workshop, sample: Sample, pace: Pace): Promise<Sides> {
  const { rows } = sample
  const once = async (name: 'restable' | 'json-server'): Promise<LoadResult> => {
    const server = await workshop.start(name, rows)
    try {
      await rounds(server, 'patch', sample).warmUp(pace.warmUpMs)
      const first = await rounds(server, 'post', sample, rows / 20).next(pace.warmUpMs)
      const result = await rounds(server, 'post', sample, rows / 10).next(pace.roundMs)
      await checkCreated(server, rows, first.answered + result.answered)
      return result
    } finally {
      await server.stop()
    }
  }
  return await ratesInTurns(
    pace.postRounds,
    () => once('restable'),
    () => once('json-server'),
  )
}

/** A round is short, since the collection must stay small: so there are more of them. */
async function onTheSame(workshop: Workshop, sample: Sample, pace: Pace): Promise<Sides> {
  const once = async (server: RunningServer): Promise<LoadResult> => {
    const result = await rounds(server, 'post', sample, POSTS).next(pace.roundMs)
    await checkCreated(server, sample.rows, result.answered)
    await rounds(server, 'remove', sample, result.answered).next(Number.POSITIVE_INFINITY)
    return result
  }
  const warmUp = async (server: RunningServer): Promise<void> => {
    const deadline = performance.now() + 3 * pace.warmUpMs
    while (performance.now() < deadline) await once(server)
  }
  return await workshop.withPair(BOTH, sample.rows, async ({ ours, rival }) => {
    await warmUp(ours)
    await warmUp(rival)
    return await ratesInTurns(
      2 * pace.postRounds,
      () => once(ours),
      () => once(rival),
    )
  })
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
