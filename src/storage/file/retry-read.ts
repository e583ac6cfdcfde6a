import { setTimeout as sleep } from 'node:timers/promises'

/** Delays between retries for a file that is missing or incomplete: editors save in more than one step. */
const DELAYS_MS = [10, 30, 60, 120]

/** Retries until a read succeeds. The error of the last attempt is thrown. */
export async function retryRead<T>(read: () => Promise<T | null>): Promise<T | null> {
  for (const wait of DELAYS_MS) {
    const data = await read().catch(() => null)
    if (data) return data
    await sleep(wait)
  }
  return read()
}
