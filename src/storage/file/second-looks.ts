import { setTimeout as sleep } from 'node:timers/promises'

/** Delays between retries for a file that is missing or incomplete: editors save in more than one step. */
const SECOND_LOOKS = [10, 30, 60, 120]

/** Retries until a read succeeds. The error of the last attempt is thrown. */
export async function withSecondLooks<T>(look: () => Promise<T | null>): Promise<T | null> {
  for (const wait of SECOND_LOOKS) {
    const data = await look().catch(() => null)
    if (data) return data
    await sleep(wait)
  }
  return look()
}
