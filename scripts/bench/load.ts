import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'

interface LoadOptions {
  readonly port: number
  /** Of more instances, among which connections are shared out. */
  readonly others?: readonly number[] | undefined
  /** The n-th request, ready to be sent. */
  readonly request: (n: number) => string
  readonly forMs: number
  readonly connections?: number | undefined
  /** Where to start counting, so that the next round sends different requests. */
  readonly from?: number
  /** Maximum number of requests. */
  readonly count?: number | undefined
}

/** A slow server gets time for this many responses, up to four times the requested duration. */
const ENOUGH = 20

/**
 * Keeps a server busy: every connection sends its next request as soon as it has a response. Requests in flight at the
 * end are awaited and counted, so that nothing spills into the next round and slow servers lose nothing.
 */
export async function load(options: LoadOptions) {
  const { request, forMs, from = 0, count = Number.POSITIVE_INFINITY } = options
  const { open, close } = await openConnections(options)
  let [sent, answered, refused] = [0, 0, 0]
  const cpu = process.cpuUsage()
  const started = performance.now()
  let now = started
  const keepAsking = async (connection: Connection): Promise<void> => {
    while (sent < count && now - started < (answered < ENOUGH ? 4 * forMs : forMs)) {
      const status = await connection.ask(request(from + sent++))
      now = performance.now()
      answered++
      if (isRefusal(status)) refused++
    }
  }
  await Promise.all(open.map(keepAsking)).finally(close)
  const { user, system } = process.cpuUsage(cpu)
  const ms = now - started
  // The generator's share of one core. Near 1, we measured the generator.
  const generatorBusy = (user + system) / 1000 / ms
  return { answered, refused, perSecond: (answered / ms) * 1000, generatorBusy }
}

/**
 * Sends requests at a steady pace whether or not the server keeps up. Latency counts from when a request was due: if a
 * server is blocked for a second, all requests due in that second show it. One that falls behind for good is given up
 * after a while, and the time its clients have waited by then is counted.
 * @param graceMs how long after the end overdue requests are still sent: a server that catches up by then misses nothing
 */
export async function paced(options: LoadOptions, perSecond: number, graceMs = 1000) {
  const { request, forMs } = options
  const { open, close } = await openConnections(options)
  const total = Math.round((forMs / 1000) * perSecond)
  const answered = new Map<number, number>()
  const started = performance.now()
  const lateness = (n: number): number => performance.now() - started - (n * 1000) / perSecond
  let [next, refused] = [0, 0]
  const keepPace = async (connection: Connection): Promise<void> => {
    for (let n = next++; n < total; n = next++) {
      if (lateness(n) < 0) await wait(-lateness(n))
      if (performance.now() > started + forMs + graceMs) return
      const status = await connection.ask(request(n))
      answered.set(n, lateness(n))
      if (isRefusal(status)) refused++
    }
  }
  // A broken connection leaves its request without a response; the others continue.
  const all = Promise.allSettled(open.map(keepPace))
  await Promise.race([all, wait(forMs + 20 * graceMs, undefined, { ref: false })])
  const latencies = Array.from({ length: total }, (_, n) => answered.get(n) ?? lateness(n))
  close()
  return { latencies, unanswered: total - answered.size, refused }
}

async function openConnections({ port, others = [], connections = 16 }: LoadOptions) {
  const ports = [port, ...others]
  const open = await Promise.all(
    Array.from({ length: connections }, (_, at) => openConnection(ports[at % ports.length] ?? port)),
  )
  const close = (): void => {
    for (const connection of open) connection.close()
  }
  return { open, close }
}

const isRefusal = (status: number): boolean => status < 200 || status > 299
