import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'

export interface PacedOptions {
  readonly port: number
  readonly request: (n: number) => string
  readonly perSecond: number
  readonly forMs: number
  readonly connections?: number
  /**
   * How long after the time is over requests are still sent that had found no free connection: who catches up
   * within that has missed nothing.
   */
  readonly lateMs?: number
  /** How long, after that, those under way are waited for. */
  readonly waitMs?: number
}

export interface PacedResult {
  /** One for each request that was due. Where no answer came, how long it had been waited for in the end. */
  readonly latencies: readonly number[]
  /** How many had no answer, whether they could be sent or not. */
  readonly unanswered: number
  /** Answers whose status was not 2xx. */
  readonly refused: number
}

/**
 * Asks at a steady pace whether or not the server keeps up, and tells how late each answer was. The time runs
 * from when a request was due: a server that stands still for a second is seen by all who came meanwhile. One
 * that falls behind for good is left alone after a while, and all who still wait are counted.
 */
export async function paced(options: PacedOptions): Promise<PacedResult> {
  const { port, request, perSecond, forMs } = options
  const { connections = 16, lateMs = 1000, waitMs = 20_000 } = options
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const total = Math.round((forMs / 1000) * perSecond)
  const answered = new Map<number, number>()
  const started = performance.now()
  const sendUntil = started + forMs + lateMs
  const dueAt = (n: number): number => started + (n * 1000) / perSecond
  let next = 0
  let refused = 0

  const serve = async (connection: Connection): Promise<void> => {
    for (let n = next++; n < total; n = next++) {
      const early = dueAt(n) - performance.now()
      if (early > 0) await wait(early)
      if (performance.now() > sendUntil) return
      const status = await new Promise<number>((done) => connection.ask(request(n), done))
      answered.set(n, performance.now() - dueAt(n))
      if (status < 200 || status > 299) refused++
    }
  }
  // A broken connection leaves its request without an answer; the others go on.
  const served = open.map((connection) =>
    Promise.race([serve(connection), connection.broken.catch(() => {})]),
  )

  try {
    await Promise.race([Promise.all(served), wait(forMs + lateMs + waitMs, undefined, { ref: false })])
  } finally {
    for (const connection of open) connection.close()
  }
  const ended = performance.now()
  return {
    latencies: Array.from({ length: total }, (_, n) => answered.get(n) ?? ended - dueAt(n)),
    unanswered: total - answered.size,
    refused,
  }
}
