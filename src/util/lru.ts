export interface LruOptions<Key, Value> {
  readonly limit: number
  /** Maximum size of one value. The limit by default. */
  readonly largest?: number | undefined
  /** 1 by default, which makes the limit a count. */
  readonly sizeOf?: ((value: Value, key: Key) => number) | undefined
  /** Whether a new key may evict others. Always by default. */
  readonly mayDisplace?: ((key: Key) => boolean) | undefined
  /** Called for values that are replaced, deleted or evicted. */
  readonly onDrop?: ((value: Value) => void) | undefined
}

interface Entry<Value> {
  readonly value: Value
  size: number
}

export class Lru<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>()
  readonly #options: LruOptions<Key, Value>
  #size = 0

  constructor(options: LruOptions<Key, Value>) {
    this.#options = options
  }

  get size(): number {
    return this.#size
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value
  }

  set(key: Key, value: Value): boolean {
    if (this.#entries.has(key)) this.delete(key)
    const { limit, largest = limit, mayDisplace, sizeOf } = this.#options
    const size = sizeOf?.(value, key) ?? 1
    if (size > largest) return false
    if (this.#size + size > limit && mayDisplace?.(key) === false) return false
    this.#entries.set(key, { value, size })
    this.#size += size
    if (this.#size > limit) this.#makeRoom()
    return true
  }

  /** Call when the size of a value has changed. */
  resize(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    const size = this.#options.sizeOf?.(entry.value, key) ?? 1
    this.#size += size - entry.size
    entry.size = size
    this.#makeRoom()
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= entry.size
    this.#options.onDrop?.(entry.value)
  }

  /** Values may be set and deleted during iteration. */
  *[Symbol.iterator](): IterableIterator<[Key, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value]
  }

  #makeRoom(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#options.limit) return
      this.delete(oldest)
    }
  }
}
