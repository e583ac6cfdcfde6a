export interface LruOptions<Key, Value> {
  /** What all values may take together. */
  readonly limit: number
  /** What a value takes: 1 unless said otherwise, and then the limit is a count. */
  readonly sizeOf?: ((value: Value, key: Key) => number) | undefined
  /** Whether others may have to make room for a new value. They always do unless said otherwise. */
  readonly mayDisplace?: ((key: Key) => boolean) | undefined
  /** Hears of each value that is gone: replaced, deleted, or out of room. */
  readonly onDrop?: ((value: Value) => void) | undefined
}

interface Entry<Value> {
  readonly value: Value
  size: number
}

/** A map with a limit: the least recently used values make room for new ones. */
export class Lru<Key, Value> {
  /** The least recently used first. */
  readonly #entries = new Map<Key, Entry<Value>>()
  readonly #options: LruOptions<Key, Value>
  #size = 0

  constructor(options: LruOptions<Key, Value>) {
    this.#options = options
  }

  /** What all values take together. */
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

  /** The same, without counting as a use. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** A value that is larger than the limit is not taken. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const { limit, mayDisplace } = this.#options
    const size = this.#sizeOf(key, value)
    if (size > limit) return
    if (this.#size + size > limit && mayDisplace?.(key) === false) return
    this.#entries.set(key, { value, size })
    this.#size += size
    this.#makeRoom()
  }

  /** To be told when a value takes more or less than before. */
  resize(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    const size = this.#sizeOf(key, entry.value)
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

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key)
  }

  /** Values may be set and deleted on the way. */
  *[Symbol.iterator](): IterableIterator<[Key, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value]
  }

  #sizeOf(key: Key, value: Value): number {
    return this.#options.sizeOf?.(value, key) ?? 1
  }

  #makeRoom(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#options.limit) return
      this.delete(oldest)
    }
  }
}
