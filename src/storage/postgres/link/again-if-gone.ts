import { isConflict, isGone } from './unavailable.ts'

/** How often a question is asked again because others got in the way: everything was replaced meanwhile. */
const MOST_TRIES = 5

export async function againIfGone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(isGone(error) || isConflict(error)) || tries === MOST_TRIES) throw error
    }
  }
}
