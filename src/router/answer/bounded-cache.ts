/** The part of the room from which on it counts as taken. */
const FULL = 7 / 8

/** The part of it that one value may take: those that take longest to make are the largest. */
const LARGEST = 3 / 4

/** Names that are remembered of values which found no room, and how long one may be: 5 MB at most. */
const MOST_TURNED_AWAY = 10_000
const LONGEST_NAME = 512

/**
 * Values by name, those used last, in at most so many bytes. A value has to come twice before others make room for it:
 * whoever walks through more than there is room for would else throw out all that others ask for again and again, and
 * find nothing of his own either.
 */
export class BoundedCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #limit: number
  readonly #costOf: (key: string, value: Value) => number
  readonly #turnedAway = new Set<string>()
  #size = 0

  /** @param costOf how many bytes a value takes; always the same for the same value */
  constructor(limit: number, costOf: (key: string, value: Value) => number) {
    this.#limit = limit
    this.#costOf = costOf
  }

  /** The bytes that are taken. */
  get size(): number {
    return this.#size
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    // While there is room even for the largest, nobody asks which one was used last.
    if (value !== undefined && this.#size > this.#limit * (1 - LARGEST)) {
      this.#values.delete(key)
      this.#values.set(key, value)
    }
    return value
  }

  /** Makes the value only if it is taken. One that needs more than three quarters of the room is not kept. */
  set(key: string, make: () => Value): void {
    this.delete(key)
    const isFull = this.#size > this.#limit * FULL
    if (isFull && !this.#comesAgain(key)) return
    const value = make()
    const cost = this.#costOf(key, value)
    if (cost > this.#limit * LARGEST) return
    if (!isFull && this.#size + cost > this.#limit && !this.#comesAgain(key)) return
    this.#values.set(key, value)
    this.#size += cost
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#limit) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const value = this.#values.get(key)
    if (value === undefined) return
    this.#values.delete(key)
    this.#size -= this.#costOf(key, value)
  }

  clear(): void {
    this.#values.clear()
    this.#turnedAway.clear()
    this.#size = 0
  }

  #comesAgain(key: string): boolean {
    if (key.length > LONGEST_NAME) return false
    if (this.#turnedAway.delete(key)) return true
    if (this.#turnedAway.size >= MOST_TURNED_AWAY) this.#turnedAway.clear()
    this.#turnedAway.add(key)
    return false
  }
}
