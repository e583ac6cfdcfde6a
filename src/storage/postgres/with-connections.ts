import type { Address } from './link/address.ts'
import { Connections } from './link/connections.ts'
import { loadPg } from './link/load-pg.ts'

/** Data may come, and be taken, slowly. */
const NO_HURRY = '-c idle_in_transaction_session_timeout=0 -c tcp_user_timeout=0'

/** Connections for one piece of work, which a signal ends immediately, even if the database is silent. */
export async function withConnections<T>(
  address: Address,
  signal: AbortSignal | undefined,
  work: (connections: Connections) => Promise<T>,
): Promise<T> {
  const settings = `${address.settings} ${NO_HURRY}`
  const connections = new Connections(await loadPg(), { ...address, settings }, undefined, signal)
  connections.guardBy(async () => signal?.throwIfAborted())
  try {
    return await work(connections)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    await connections.close()
  }
}
