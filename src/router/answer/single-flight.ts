import type { Reading } from '../read.ts'
import type { AnyAnswer } from './render-answer.ts'

/** What a client wants, and how to get it. */
export interface Want {
  /** Whether the client is still there. */
  isWanted(): boolean
  find(isWanted: () => boolean): Reading | undefined | Promise<Reading | undefined>
  /** Also renders nothing: a 404 has a body. */
  render(reading: Reading | undefined): AnyAnswer | Promise<AnyAnswer>
}

type Keep = (answer: AnyAnswer) => void

/** A response being rendered, for all requests that asked for it since. */
interface Flight {
  readonly wants: Want[]
  readonly reading: Promise<Reading | undefined>
  readonly answer: Promise<AnyAnswer>
}

/** How often a request joins before it renders for itself: where responses are never current, all would queue up. */
const MOST_JOINS = 2

/** Renders each response once, however many requests ask for it meanwhile: the first one renders, the others wait. */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>()

  /** @param keep stores a response that is still current once it is rendered */
  fetch(key: string, want: Want, keep: Keep, joins = 0): AnyAnswer | Promise<AnyAnswer> {
    const joined = joins < MOST_JOINS ? this.#flights.get(key) : undefined
    if (joined) return this.#join(joined, key, want, keep, joins)
    const wants = [want]
    const found = want.find(() => wants.some((each) => each.isWanted()))
    const answer =
      found instanceof Promise ? found.then((reading) => want.render(reading)) : want.render(found)
    const finish = (finished: AnyAnswer) => {
      if (finished.reading.isCurrent()) keep(finished)
    }
    if (!(answer instanceof Promise)) {
      finish(answer)
      return answer
    }
    const flight = { wants, reading: Promise.resolve(found), answer }
    this.#flights.set(key, flight)
    const land = () => this.#land(key, flight)
    // Waiting requests get the error.
    answer.then((finished) => land() && finish(finished), land)
    return answer
  }

  clear(): void {
    this.#flights.clear()
  }

  async #join(flight: Flight, key: string, want: Want, keep: Keep, joins: number): Promise<AnyAnswer> {
    flight.wants.push(want)
    const reading = await flight.reading
    if (reading?.isCurrent()) return flight.answer
    // It shows the data from before this request.
    this.#land(key, flight)
    return this.fetch(key, want, keep, joins + 1)
  }

  /** Whether it was still in flight. */
  #land(key: string, flight: Flight): boolean {
    return this.#flights.get(key) === flight && this.#flights.delete(key)
  }
}
