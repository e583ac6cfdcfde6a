interface Flight<T> {
  isPending: boolean
  readonly isCurrent: (() => boolean) | undefined
  readonly result: Promise<T>
}

/**
 * Results that concurrent callers share, by name. Reused only while they are current, so that a caller sees its own
 * writes; if nobody can tell whether they are, only while they are being made.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>()
  readonly #isKept: boolean

  /** @param isKept whether results are kept once they are made, as long as they are current */
  constructor({ isKept }: { readonly isKept: boolean }) {
    this.#isKept = isKept
  }

  get(name: string, isCurrent: (() => boolean) | undefined, make: () => Promise<T>): Promise<T> {
    const known = this.#flights.get(name)
    if (known && (known.isCurrent ? known.isCurrent() : known.isPending)) return known.result
    const flight: Flight<T> = { isPending: true, isCurrent, result: make() }
    this.#flights.set(name, flight)
    const drop = () => {
      if (this.#flights.get(name) === flight) this.#flights.delete(name)
    }
    flight.result.then(() => {
      flight.isPending = false
      if (!this.#isKept) drop()
    }, drop)
    return flight.result
  }

  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#flights.keys()) if (!names.has(name)) this.#flights.delete(name)
  }
}
