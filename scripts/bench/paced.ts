import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'

export interface PacedOptions {
  readonly port: number
  readonly request: (n: number) => string
  readonly perSecond: number
  readonly forMs: number
  readonly connections?: number
}

/**
 * Asks at a steady pace whether or not the server keeps up, and tells how late each answer was. The time runs
 * from when a request was due: a server that stands still for a second is seen by all who came meanwhile.
 */
export async function paced(options: PacedOptions): Promise<readonly number[]> {
  const { port, request, perSecond, forMs, connections = 16 } = options
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const total = Math.round((forMs / 1000) * perSecond)
  const due = Array.from({ length: total }, (_, n) => (n * 1000) / perSecond)
  const latencies: number[] = []
  const started = performance.now()
  let next = 0

  const serve = async (connection: Connection): Promise<void> => {
    for (let n = next++; n < total; n = next++) {
      const dueAt = started + (due[n] ?? 0)
      const early = dueAt - performance.now()
      if (early > 0) await wait(early)
      const status = await new Promise<number>((done) => connection.ask(request(n), done))
      if (status < 200 || status > 299) throw new Error(`A request was answered with status ${status}`)
      latencies.push(performance.now() - dueAt)
    }
  }

  try {
    await Promise.all(open.map((connection) => Promise.race([serve(connection), connection.broken])))
  } finally {
    for (const connection of open) connection.close()
  }
  return latencies
}
