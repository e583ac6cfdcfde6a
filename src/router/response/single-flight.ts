import type { Reading } from '../read.ts'
import type { AnyResponse } from './render-response.ts'

export interface Want {
  isWanted(): boolean
  find(isWanted: () => boolean): Promise<Reading | undefined>
  /** Also renders nothing: a 404 has a body. */
  readonly render: (reading: Reading | undefined) => Promise<AnyResponse>
}

interface Keeper {
  set(key: string, answer: AnyResponse): void
}

/** A response being rendered, for all requests that asked for it since. */
interface Flight {
  readonly wants: Want[]
  readonly reading: Promise<Reading | undefined>
  readonly answer: Promise<AnyResponse>
}

/** How often a request joins before it renders for itself: where responses are never current, all would queue up. */
const MOST_JOINS = 2

/** Renders each response once, however many requests ask for it meanwhile: the first one renders, the others wait. */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>()

  /** @param keeper stores a response that is still current once it is rendered */
  async fetch(key: string, want: Want, keeper: Keeper): Promise<AnyResponse> {
    for (let joins = 0; joins < MOST_JOINS; joins++) {
      const joined = this.#flights.get(key)
      if (!joined) break
      joined.wants.push(want)
      const reading = await joined.reading
      if (reading?.isCurrent()) return joined.answer
      // It shows the data from before this request.
      if (this.#flights.get(key) === joined) this.#flights.delete(key)
    }
    const wants = [want]
    const reading = want.find(() => wants.some((each) => each.isWanted()))
    const flight = { wants, reading, answer: reading.then(want.render) }
    this.#flights.set(key, flight)
    try {
      const answer = await flight.answer
      if (this.#flights.get(key) === flight && answer.reading.isCurrent()) keeper.set(key, answer)
      return answer
    } finally {
      // Waiting requests get the error.
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    }
  }

  clear(): void {
    this.#flights.clear()
  }
}
