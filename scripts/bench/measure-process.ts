import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { checkSame, WrongAnswer } from './check.ts'
import { inTurns } from './in-turns.ts'
import { load } from './load.ts'
import type { Sides } from './measure-rate.ts'
import { type PacedResult, paced } from './paced.ts'
import type { Pace } from './plan.ts'
import type { RunningServer } from './servers.ts'
import { percentile } from './statistics.ts'
import { asks, type MakeAsk, type Sample, writeRequest } from './works.ts'
import { BOTH, type Workshop } from './workshop.ts'

const READS_PER_SECOND = 500
const POSTS_PER_SECOND = 20
const SETTLE_MS = 1000

/** Milliseconds from the start of the process to the first item, in turns. */
export async function measureStartup(workshop: Workshop, rows: number, pace: Pace): Promise<Sides> {
  // The first start of each is not counted: it brings the program into the cache of the disk.
  await workshop.withPair(BOTH, rows, (pair) => checkSame(pair, 'item', workshop.sample(rows)))
  const once = async (name: 'restable' | 'json-server'): Promise<number> => {
    const server = await workshop.start(name, rows)
    await server.stop()
    return server.readyAfterMs
  }
  return valuesInTurns(
    pace.starts,
    () => once('restable'),
    () => once('json-server'),
  )
}

/** Megabytes that the process holds after it loaded the data and answered items, pages and filters. */
export async function measureMemory(workshop: Workshop, rows: number, pace: Pace): Promise<Sides> {
  const sample = workshop.sample(rows)
  const once = async (name: 'restable' | 'json-server'): Promise<number> => {
    const server = await workshop.start(name, rows)
    try {
      for (const [make, count] of [
        [asks.item, 200],
        [asks.page, 20],
        [asks.filter, 20],
      ] as const) {
        const request = (n: number) => writeRequest(make(sample, n))
        await load({ port: server.port, request, count, forMs: Number.POSITIVE_INFINITY })
      }
      await wait(SETTLE_MS)
      return await residentMegabytes(server)
    } finally {
      await server.stop()
    }
  }
  return valuesInTurns(
    Math.ceil(pace.starts / 3),
    () => once('restable'),
    () => once('json-server'),
  )
}

/** The 99th percentile of item reads at a steady pace while products are posted at another. */
export async function measureP99(workshop: Workshop, rows: number, pace: Pace): Promise<Sides> {
  const sample = workshop.sample(rows)
  const once = (server: RunningServer, forMs: number): Promise<number> => p99Once(server, sample, forMs)
  return workshop.withPair(BOTH, rows, async ({ ours, rival }) => {
    await checkSame({ ours, rival }, 'item', sample)
    await once(ours, pace.warmUpMs)
    await once(rival, pace.warmUpMs)
    return valuesInTurns(
      pace.pacedRounds,
      () => once(ours, pace.pacedMs),
      () => once(rival, pace.pacedMs),
    )
  })
}

/** The same for one round of one server. */
export async function p99Once({ name, port }: RunningServer, sample: Sample, forMs: number): Promise<number> {
  const at = (perSecond: number, make: MakeAsk): Promise<PacedResult> =>
    paced({ port, request: (n) => writeRequest(make(sample, n)), perSecond, forMs })
  const [reads, posts] = await Promise.all([at(READS_PER_SECOND, asks.item), at(POSTS_PER_SECOND, asks.post)])
  for (const { refused, unanswered, latencies } of [reads, posts]) {
    if (refused > 0) throw new WrongAnswer(`${name} refused ${refused} of ${latencies.length} requests`)
    // With much data json-server cannot save that often: its clients' waiting in vain is its figure.
    if (unanswered > 0 && name !== 'json-server') {
      throw new WrongAnswer(`${name} left ${unanswered} of ${latencies.length} requests unanswered`)
    }
  }
  return percentile(reads.latencies, 0.99)
}

async function valuesInTurns(
  rounds: number,
  ours: () => Promise<number>,
  rival: () => Promise<number>,
): Promise<Sides> {
  const seen = await inTurns(rounds, ours, rival)
  return { ours: { values: seen.ours }, rival: { values: seen.rival } }
}

async function residentMegabytes({ pid }: RunningServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  const kilobytes =
    status === undefined
      ? (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
      : /^VmRSS:\s*(\d+)/m.exec(status)?.[1]
  return Number(kilobytes) / 1024
}
