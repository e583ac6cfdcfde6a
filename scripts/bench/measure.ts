import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { checkCreated, checkSame } from './check.ts'
import { load, paced } from './load.ts'
import type { Pace, Task } from './plan.ts'
import {
  cold,
  filter,
  item,
  type MakeAsk,
  page,
  post,
  postAnyId,
  remove,
  removeAll,
  WARM_URLS,
  writeRequest,
} from './requests.ts'
import type { Pair, RunningServer, Servers } from './servers.ts'
import { percentile } from './statistics.ts'
import type { Work } from './works.ts'

/** The measurements of both servers, round by round, and the largest share of one core that the load generator used. */
export type Rounds = Pair<readonly number[]> & { readonly generatorBusy?: number }

/** Puts load on one server for a while, continuing where the last round stopped. */
type Round = (forMs: number) => ReturnType<typeof load>

const BOTH = { ours: 'restable', rival: 'json-server' } as const
/** V8's optimizing compiler needs a few thousand requests to warm up. */
const WARM_ANSWERS = 5000
/** A collection grows by this many rows, or by a twentieth, before they are deleted again. */
const POSTS = 500

/** Measures one line of the table. */
export async function measure({ work, rows }: Task, servers: Servers, pace: Pace): Promise<Rounds> {
  const { name, title, make, contenders = BOTH, isClose = false } = work
  const atStart = (rounds: number, look: (server: RunningServer) => Promise<number>): Promise<Rounds> =>
    inTurns(rounds, (side) => servers.one(BOTH[side], rows, look))
  if (name === 'startup') {
    // The second start of a command is what users wait for: we keep compiled code a second after the first.
    await atStart(1, () => wait(2000, 0))
    return await atStart(pace.starts, async ({ readyAfterMs }) => readyAfterMs)
  }
  if (name === 'memory') {
    const forMs = title === 'memory after reads' ? pace.roundMs : undefined
    return atStart(Math.ceil(pace.starts / 3), (server) => megabytesOf(server, rows, forMs))
  }
  // Many rounds, not long ones: the speed of the machine itself varies.
  const turns = isClose ? { ...pace, rounds: pace.rounds * 12, roundMs: pace.roundMs / 6 } : pace
  return servers.two(contenders, rows, (pair) =>
    make ? ratesOf(pair, { ...work, make }, rows, turns, servers) : latenciesOf(pair, rows, turns),
  )
}

/** Alternates between the servers, so that anything that slows the machine down for a while affects both. */
async function inTurns(
  rounds: number,
  look: (side: keyof Pair) => Promise<number>,
  isApart = false,
): Promise<Rounds> {
  const seen: { ours: number[]; rival: number[] } = { ours: [], rival: [] }
  const [turns, perTurn] = isApart ? [1, rounds] : [rounds, 1]
  for (let turn = 0; turn < turns; turn++) {
    for (const side of ['ours', 'rival'] as const) {
      for (let round = 0; round < perTurn; round++) seen[side].push(await look(side))
    }
  }
  return seen
}

/**
 * Memory of the process after loading the data and serving items, pages and filters: a few, the same number from both
 * servers, or as many as it can of each kind.
 */
async function megabytesOf(server: RunningServer, rows: number, forMs?: number): Promise<number> {
  for (const make of [item, page, filter]) {
    const count = make === item ? 200 : 20
    if (forMs === undefined) await requests(server, make, rows, { count })(Number.POSITIVE_INFINITY)
    else await requests(server, cold(make), rows)(forMs)
  }
  // To settle.
  await wait(1000)
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(server.pid)])
  return Number(stdout) / 1024
}

async function latenciesOf(pair: Pair, rows: number, pace: Pace): Promise<Rounds> {
  await checkSame(pair, item, rows)
  // To warm up.
  await inTurns(1, (side) => p99Of(pair[side], rows, pace.roundMs))
  return await inTurns(pace.pacedRounds, (side) => p99Of(pair[side], rows, pace.pacedMs))
}

/** The 99th percentile of item reads at a steady pace while products are posted at another. */
async function p99Of({ name, port }: RunningServer, rows: number, forMs: number): Promise<number> {
  const at = (perSecond: number, make: MakeAsk) =>
    paced({ port, request: (n) => writeRequest(name, make(rows, n)), forMs }, perSecond)
  const [reads, writes] = await Promise.all([at(500, item), at(20, post)])
  for (const { refused, unanswered, latencies } of [reads, writes]) {
    if (refused > 0) throw new Error(`${name} refused ${refused} of ${latencies.length} requests`)
    // With much data, json-server cannot save that often: unanswered requests are part of its result.
    if (unanswered > 0 && name !== 'json-server')
      throw new Error(`${name} left ${unanswered} of ${latencies.length} requests unanswered`)
  }
  return percentile(reads.latencies, 0.99)
}

/** Requests per second, after comparing the responses. */
async function ratesOf(
  pair: Pair,
  { make, title, connections, isApart }: Work & { readonly make: MakeAsk },
  rows: number,
  pace: Pace,
  servers: Servers,
): Promise<Rounds> {
  const checked = await checkSame(pair, make, rows)
  await servers.settled()
  const warmedUp = async (server: RunningServer): Promise<Round> => {
    const how = { connections }
    const isPost = make === post || make === postAnyId
    const round = isPost ? posts(server, rows, checked, how) : requests(server, make, rows, how)
    const deadline = performance.now() + 3 * pace.roundMs
    // json-server has no cache to warm up.
    const few = server.name.startsWith('json-server') || !title.includes(', warm') ? 1 : WARM_URLS
    for (let answered = 0; answered < (performance.now() < deadline ? WARM_ANSWERS : few); )
      answered += (await round(pace.roundMs)).answered
    return round
  }
  const warm = new Map<keyof Pair, Round>()
  // With few rows, a round of POSTs is short.
  const rounds = make !== post && make !== postAnyId ? pace.rounds : pace.postRounds * (rows < POSTS ? 3 : 1)
  let busiest = 0
  const look = async (side: keyof Pair) => {
    const round = warm.get(side) ?? (await warmedUp(pair[side]))
    warm.set(side, round)
    const { perSecond, generatorBusy } = await round(pace.roundMs)
    busiest = Math.max(busiest, generatorBusy)
    return perSecond
  }
  const seen = await inTurns(rounds, look, isApart)
  return { ...seen, generatorBusy: busiest }
}

type How = { readonly count?: number; readonly connections?: number | undefined }

function requests({ name, port, others }: RunningServer, make: MakeAsk, rows: number, how: How = {}): Round {
  const request = (n: number): string => writeRequest(name, make(rows, n))
  let from = 0
  return async (forMs) => {
    const result = await load({ port, others, request, from, forMs, ...how })
    const { answered, refused } = result
    if (refused > 0) throw new Error(`${name} refused ${refused} of ${answered} requests`)
    from += answered
    return result
  }
}

/** POSTs. What they create is deleted again, untimed, so that the collection keeps about its nominal size. */
function posts(server: RunningServer, rows: number, alreadyCreated: number, how: How): Round {
  const isSmall = rows <= 1000
  const most = Math.max(POSTS, rows / 20)
  // json-server looks for orphans on each DELETE, which takes seconds with many rows. But then it is so slow that in
  // all rounds it creates no more than about a twentieth of what was there.
  const isJsonServer = server.name.startsWith('json-server')
  const mayDelete = !isJsonServer || isSmall
  // The next line finds the database as this one leaves it.
  const isShared = server.name.endsWith('PostgreSQL')
  let created = alreadyCreated
  return async (forMs) => {
    const result = await requests(server, post, rows, { ...how, count: most })(forMs)
    created += result.answered
    // json-server 1.0 reads its file again after its own saves, and can have one row less by then.
    if (server.name !== 'json-server 1.0') await checkCreated(server, rows, created)
    if (mayDelete && (isSmall || isShared || created >= most)) {
      const [make, count] = isJsonServer ? [remove, created] : [removeAll, 1]
      await requests(server, make, rows, { count })(Number.POSITIVE_INFINITY)
      created = 0
    }
    return result
  }
}
