import { Worker } from 'node:worker_threads'
import type { RealServer } from '../child/real-server.ts'

/** The longest anyone may wait, in milliseconds, whatever others ask for. */
export const LONGEST_WAIT = 500

/** Number of attempts: the machine may be busy, and the best one shows what the server needs. */
const TRIES = 3

/** Anything that responds, such as a `Victim`. */
type Served = Pick<RealServer, 'port' | 'process'>

/**
 * The longest wait of other clients, in milliseconds, while this ran: they send requests from a separate thread,
 * each time over a new connection. What they wait because the server itself waits for a core does not count.
 * @param path what they request; a 404 counts too
 */
export async function othersWait(
  { port, process }: Served,
  act: () => Promise<unknown>,
  path = '/others/1',
): Promise<number> {
  const workerData = { port, path, pid: process.child.pid }
  const bystander = new Worker(new URL('./bystander.mjs', import.meta.url), { workerData })
  const failed = new Promise<never>((_, reject) => bystander.once('error', reject))
  failed.catch(() => undefined)
  const hear = <Message>() =>
    Promise.race([failed, new Promise<Message>((resolve) => bystander.once('message', resolve))])
  try {
    await hear()
    await act()
    const told = hear<{ longest: number }>()
    bystander.postMessage('enough')
    return (await told).longest
  } finally {
    await bystander.terminate()
  }
}

/**
 * The shortest of up to three such waits, each on a fresh server: what was cached or indexed the
 * first time would make the second one easy.
 */
export async function othersWaitAtBest<Server extends Served>(
  start: () => Promise<Server>,
  act: (server: Server) => Promise<unknown>,
  path?: string,
  bound = LONGEST_WAIT,
): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < TRIES && best >= bound; turn += 1) {
    const server = await start()
    best = Math.min(best, await othersWait(server, () => act(server), path))
  }
  return best
}
