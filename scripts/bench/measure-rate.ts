import { checkSame, createdIds, type Pair, WrongAnswer } from './check.ts'
import { type LoadResult, load } from './load.ts'
import type { Pace } from './plan.ts'
import type { RunningServer } from './servers.ts'
import { percentile } from './statistics.ts'
import { asks, type LoadName, type MakeAsk, type Sample, writeRequest } from './works.ts'

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
const WARM_ANSWERS = 3000
/** POSTs of one round at most, so that the collection stays about as large as its line says. */
const POSTS = 500

/** Requests per second of both, round by round in turns, after their answers were compared. */
export async function measureRate(work: LoadName, pair: Pair, sample: Sample, pace: Pace): Promise<Sides> {
  const checked = await checkSame(pair, work, sample)
  const ours = rounds(pair.ours, work, sample, checked)
  const rival = rounds(pair.rival, work, sample, checked)
  await ours.warmUp(pace.warmUpMs)
  await rival.warmUp(pace.warmUpMs)
  for (let round = 0; round < pace.rounds; round++) {
    await ours.round(pace.roundMs)
    await rival.round(pace.roundMs)
  }
  return { ours: samplesOf(ours.results), rival: samplesOf(rival.results) }
}

/** The rounds of one server; each goes on with the requests where the last one stopped. */
function rounds(server: RunningServer, work: LoadName, sample: Sample, checked: number) {
  const make: MakeAsk = asks[work]
  const results: LoadResult[] = []
  const count = work === 'post' ? Math.max(POSTS, sample.rows / 10) : Number.POSITIVE_INFINITY
  let from = checked
  let created = work === 'post' ? checked : 0

  const once = async (forMs: number): Promise<LoadResult> => {
    const result = await loadAll(server, {
      request: (n) => writeRequest(make(sample, n)),
      from,
      count,
      forMs,
      atLeast: ANSWERS,
      atMostMs: 4 * forMs,
    })
    from += result.answered
    if (work === 'post') created = await keepSmall(server, sample.rows, created + result.answered)
    return result
  }
  return {
    results,
    async warmUp(forMs: number): Promise<void> {
      const deadline = performance.now() + 3 * forMs
      let answered = 0
      while (answered < WARM_ANSWERS && performance.now() < deadline) {
        answered += (await once(forMs)).answered
      }
    },
    async round(forMs: number): Promise<void> {
      results.push(await once(forMs))
    },
  }
}

/** Sees that every acknowledged product is there, and removes them before they make the collection larger. */
async function keepSmall(server: RunningServer, rows: number, created: number): Promise<number> {
  const ids = await createdIds(server, rows)
  if (ids.length !== created) {
    throw new WrongAnswer(`${server.name} acknowledged ${created} new products and has ${ids.length}`)
  }
  if (created <= rows / 100) return created
  const request = (n: number) => `DELETE /products/${ids[n]} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  await loadAll(server, { request, count: ids.length, forMs: Number.POSITIVE_INFINITY })
  return 0
}

async function loadAll(
  server: RunningServer,
  options: Omit<Parameters<typeof load>[0], 'port'>,
): Promise<LoadResult> {
  const result = await load({ ...options, port: server.port })
  if (result.refused > 0) {
    throw new WrongAnswer(`${server.name} refused ${result.refused} of ${result.answered} requests`)
  }
  return result
}

function samplesOf(results: readonly LoadResult[]): Samples {
  return {
    values: results.map(({ perSecond }) => perSecond),
    p99Ms: results.map(({ latencies }) => percentile(latencies, 0.99)),
    generatorBusy: Math.max(...results.map(({ generatorBusy }) => generatorBusy)),
  }
}
