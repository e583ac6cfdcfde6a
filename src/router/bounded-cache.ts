/** Values by name, those used last, in at most so many bytes. */
export class BoundedCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #limit: number
  readonly #costOf: (key: string, value: Value) => number
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
    // While there is room for all, nobody asks which one was used last.
    if (value !== undefined && this.#size > this.#limit / 2) {
      this.#values.delete(key)
      this.#values.set(key, value)
    }
    return value
  }

  /** One that takes more than a quarter of the room is not kept. */
  set(key: string, value: Value): void {
    const cost = this.#costOf(key, value)
    if (cost > this.#limit / 4) return
    this.delete(key)
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
    this.#size = 0
  }
}
