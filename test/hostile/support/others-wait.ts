import { Worker } from 'node:worker_threads'

/** Nobody waits longer than this, in milliseconds, whatever somebody else asks for. */
export const LONGEST_WAIT = 500

/** So often it is tried: the machine may be busy with other things, and the best is what the server needs. */
const TRIES = 3

/** Something that answers, such as a `Victim`. */
interface Served {
  readonly port: number
}

/**
 * How long others waited, at most and in milliseconds, while this was done: they ask from a thread of their own,
 * each time over a new connection.
 * @param path what they ask for; a 404 is an answer, too
 */
export async function othersWait(
  { port }: Served,
  act: () => Promise<unknown>,
  path = '/others/1',
): Promise<number> {
  const bystander = new Worker(new URL('./bystander.mjs', import.meta.url), { workerData: { port, path } })
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
 * The shortest of up to three such waits, each on a server that has learnt nothing yet: what was kept or indexed the
 * first time would make the second one easy.
 */
export async function othersWaitAtBest<Server extends Served>(
  start: () => Promise<Server>,
  act: (server: Server) => Promise<unknown>,
  path?: string,
): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < TRIES && best >= LONGEST_WAIT; turn += 1) {
    const server = await start()
    best = Math.min(best, await othersWait(server, () => act(server), path))
  }
  return best
}
