import { type Connection, openConnection } from './connection.ts'

export interface LoadOptions {
  readonly port: number
  /** The n-th request, ready to be sent. */
  readonly request: (n: number) => string
  /** Where to begin counting, so that the next round asks for other things. */
  readonly from?: number
  readonly connections?: number
  /** No new request after this time, unless fewer than `atLeast` were answered. */
  readonly forMs: number
  readonly atLeast?: number
  /** No new request after this time whatever was answered. */
  readonly atMostMs?: number
  /** No more requests than these. */
  readonly count?: number
}

export interface LoadResult {
  readonly answered: number
  /** Answers whose status was not 2xx. */
  readonly refused: number
  readonly perSecond: number
  /** One per answer, in the order of the answers. */
  readonly latencies: readonly number[]
  /** How much of one core the generator itself used. Near 1, it was the one that was measured. */
  readonly generatorBusy: number
}

/**
 * Keeps a server busy: every connection asks again as soon as it has its answer. What is under way at the end
 * is waited for and counted, so that nothing of it falls into the next round and slow servers lose nothing.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { port, request, from = 0, connections = 16, forMs } = options
  const { atLeast = 0, atMostMs = forMs, count = Number.POSITIVE_INFINITY } = options
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const latencies: number[] = []
  let refused = 0
  let sent = 0
  const cpu = process.cpuUsage()
  const started = performance.now()
  let ended = started

  const mayAsk = (now: number): boolean =>
    sent < count && (now - started < forMs || (latencies.length < atLeast && now - started < atMostMs))

  const ask = (connection: Connection, now: number, finished: () => void): void => {
    if (!mayAsk(now)) {
      finished()
      return
    }
    connection.ask(request(from + sent++), (status) => {
      const answeredAt = performance.now()
      latencies.push(answeredAt - now)
      if (status < 200 || status > 299) refused++
      ended = answeredAt
      ask(connection, answeredAt, finished)
    })
  }

  try {
    await Promise.all(
      open.map((connection) =>
        Promise.race([
          new Promise<void>((finished) => ask(connection, performance.now(), finished)),
          connection.broken,
        ]),
      ),
    )
  } finally {
    for (const connection of open) connection.close()
  }
  const { user, system } = process.cpuUsage(cpu)
  const ms = Math.max(ended - started, Number.EPSILON)
  return {
    answered: latencies.length,
    refused,
    perSecond: (latencies.length / ms) * 1000,
    latencies,
    generatorBusy: (user + system) / 1000 / ms,
  }
}
