import type { Pace } from '../../util/pace.ts'

/** Long work that yields where others may have a turn. */
export type Steps<T> = Generator<void, T>

export async function inTurns<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (pace.isDue) await pace.turn()
  }
}

export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
