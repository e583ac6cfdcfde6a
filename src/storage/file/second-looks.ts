import { setTimeout as sleep } from 'node:timers/promises'

/** Waits between looks at a file that is missing or half there: editors save in more than one step. */
const SECOND_LOOKS = [10, 30, 60, 120]

/** The first look that sees something. What keeps the last one from it is thrown. */
export async function withSecondLooks<T>(look: () => Promise<T | null>): Promise<T | null> {
  for (const wait of SECOND_LOOKS) {
    const data = await look().catch(() => null)
    if (data) return data
    await sleep(wait)
  }
  return look()
}
