interface Flight<T> {
  readonly isCurrent: () => boolean
  readonly result: Promise<T>
}

/** Results that concurrent callers share, by name, while they are current, so that a caller sees its own writes. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>()
  readonly #isKept: boolean

  /** @param isKept whether results are cached while they are current */
  constructor({ isKept }: { readonly isKept: boolean }) {
    this.#isKept = isKept
  }

  get(name: string, isCurrent: () => boolean, make: () => Promise<T>): Promise<T> {
    const current = this.#flights.get(name)
    if (current?.isCurrent()) return current.result
    const flight: Flight<T> = { isCurrent, result: make() }
    this.#flights.set(name, flight)
    const drop = () => {
      if (this.#flights.get(name) === flight) this.#flights.delete(name)
    }
    flight.result.then(() => this.#isKept || drop(), drop)
    return flight.result
  }

  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#flights.keys()) if (!names.has(name)) this.#flights.delete(name)
  }
}
