export interface LruOptions<Key, Value> {
  readonly limit: number
  /** Maximum size of one value. The limit by default. */
  readonly largest?: number | undefined
  /** 1 by default, which makes the limit a count. */
  readonly sizeOf?: ((value: Value, key: Key) => number) | undefined
  /** Whether a new key may evict others, or come in beyond `roomy`. Always by default. */
  readonly mayDisplace?: ((key: Key) => boolean) | undefined
  /** Up to this size, every key comes in. The limit by default. */
  readonly roomy?: number | undefined
  /** Called for values that are replaced, deleted or evicted. */
  readonly onDrop?: ((value: Value) => void) | undefined
}

interface Entry<Key, Value> {
  readonly key: Key
  readonly value: Value
  size: number
  older: Entry<Key, Value> | undefined
  newer: Entry<Key, Value> | undefined
}

/**
 * Links its entries by age. The order of a Map would do, but V8 keeps deleted entries until the Map grows: a key that is
 * deleted and set again at each use, in a large Map, takes longer each time.
 */
export class Lru<Key, Value> {
  readonly #entries = new Map<Key, Entry<Key, Value>>()
  readonly #options: LruOptions<Key, Value>
  #oldest: Entry<Key, Value> | undefined
  #newest: Entry<Key, Value> | undefined
  #size = 0

  constructor(options: LruOptions<Key, Value>) {
    this.#options = options
  }

  get size(): number {
    return this.#size
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry && entry !== this.#newest) {
      this.#unlink(entry)
      this.#link(entry)
    }
    return entry?.value
  }

  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value
  }

  set(key: Key, value: Value): boolean {
    if (this.#entries.has(key)) this.delete(key)
    const { limit, largest = limit, roomy = limit, mayDisplace, sizeOf } = this.#options
    const size = sizeOf?.(value, key) ?? 1
    if (size > largest) return false
    const isCrowded = this.#size > roomy || this.#size + size > limit
    if (isCrowded && mayDisplace?.(key) === false) return false
    const entry = { key, value, size, older: undefined, newer: undefined }
    this.#entries.set(key, entry)
    this.#link(entry)
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
    this.#unlink(entry)
    entry.older = undefined
    entry.newer = undefined
    this.#size -= entry.size
    this.#options.onDrop?.(entry.value)
  }

  /** From the least recently used on. Not to be changed meanwhile. */
  *[Symbol.iterator](): IterableIterator<[Key, Value]> {
    for (let entry = this.#oldest; entry; entry = entry.newer) yield [entry.key, entry.value]
  }

  #makeRoom(): void {
    while (this.#oldest && this.#size > this.#options.limit) this.delete(this.#oldest.key)
  }

  #link(entry: Entry<Key, Value>): void {
    entry.older = this.#newest
    entry.newer = undefined
    if (this.#newest) this.#newest.newer = entry
    else this.#oldest = entry
    this.#newest = entry
  }

  #unlink({ older, newer }: Entry<Key, Value>): void {
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
  }
}
