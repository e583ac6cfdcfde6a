import { Lru } from '../util/lru.ts'
import { TimeSlice } from '../util/pace.ts'
import { LONG, sizeUpTo } from './json-size.ts'

/** Whether serializing the value would block the event loop: many rows, or a few huge ones. */
export function isLong(value: unknown): boolean {
  return sizeUpTo(LONG, value) >= LONG
}

/** `JSON.stringify(value, null, 2)` in pieces. */
export function prettyJson(value: unknown): Generator<Uint8Array, void> {
  return new PrettyWriter().write(value)
}

/** The same for a list with repeated objects: large ones are serialized once. @param depth of the list in the whole */
export function prettyList(list: List, depth = 0): Generator<Uint8Array, void> {
  const written = new Lru<object, Written>({ limit: MOST_CACHED, sizeOf: ({ size }) => size })
  return new PrettyWriter(written).writeList(list, depth)
}

export async function collectPieces(
  pieces: Iterable<Uint8Array>,
  pace = new TimeSlice(),
): Promise<Uint8Array[]> {
  const gathered: Uint8Array[] = []
  for (const piece of pieces) {
    gathered.push(piece)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return gathered
}

const DEEPEST = 200

const MOST_CACHED = 8 * 1024 * 1024

/** The text written for a large object. */
export interface Written {
  readonly depth: number
  readonly pieces: readonly Uint8Array[]
  readonly size: number
}

type WrittenObjects = Lru<object, Written> | WeakMap<object, Written>

export interface List {
  readonly length: number
  at(index: number): unknown
}

type Pieces = Generator<Uint8Array, void>

/** Writes JSON byte for byte as `JSON.stringify(value, null, 2)` does, in pieces. */
export class PrettyWriter {
  #text = ''
  readonly #written: WrittenObjects | undefined
  readonly #long: number

  /** @param written large objects, to be used again if they repeat */
  constructor(written?: WrittenObjects, long = LONG) {
    this.#written = written
    this.#long = long
  }

  *write(value: unknown, depth = 0): Pieces {
    const part = inJson(value, '')
    if (part !== undefined) yield* this.#value(part, depth)
    yield* this.#flush()
  }

  *writeList(list: List, depth: number): Pieces {
    yield* this.#list(list, depth)
    yield* this.#flush()
  }

  *writeItems(list: List, depth: number): Pieces {
    yield* this.#items(list, depth, COMMA)
    yield* this.#flush()
  }

  *#value(value: unknown, depth: number): Pieces {
    if (!this.#isLong(value, depth)) this.#text += textAt(value, depth)
    else if (typeof value === 'string') yield* this.#string(value)
    else if (Array.isArray(value)) yield* this.#list(value, depth)
    else if (this.#written) yield* this.#repeatedObject(this.#written, value, depth)
    else yield* this.#object(value, depth)
    if (this.#text.length >= this.#long) yield* this.#flush()
  }

  *#list(list: List, depth: number): Pieces {
    if (list.length === 0) {
      this.#text += '[]'
      return
    }
    this.#text += '['
    yield* this.#items(list, depth, '\n')
    this.#text += `\n${indent(depth)}]`
  }

  *#items(list: List, depth: number, first: string): Pieces {
    let before = first
    let short: unknown[] = []
    let size = 0
    for (let at = 0; at < list.length; at++) {
      const item = list.at(at)
      const own = sizeUpTo(this.#long, item, depth + 1)
      const isShort = own < this.#long || !mayBeSplit(item, depth + 1)
      if (isShort) {
        short.push(item)
        size += own
      }
      if (short.length > 0 && (size >= this.#long || !isShort)) {
        this.#text += before + itemsAt(short, depth)
        before = COMMA
        short = []
        size = 0
        yield* this.#flush()
      }
      if (!isShort) {
        this.#text += before + indent(depth + 1)
        before = COMMA
        yield* this.#value(item, depth + 1)
      }
    }
    if (short.length > 0) this.#text += before + itemsAt(short, depth)
  }

  *#object(value: object, depth: number): Pieces {
    let before = '{\n'
    // Flush first: listing the keys of a large object may take long.
    yield* this.#flush()
    for (const name of Object.keys(value)) {
      const part = inJson(Reflect.get(value, name), name)
      if (part === undefined) continue
      this.#text += `${before}${indent(depth + 1)}${JSON.stringify(name)}: `
      before = COMMA
      yield* this.#value(part, depth + 1)
    }
    this.#text += before === COMMA ? `\n${indent(depth)}}` : '{}'
  }

  *#repeatedObject(written: WrittenObjects, value: object, depth: number): Pieces {
    yield* this.#flush()
    const cached = written.get(value)
    if (cached?.depth === depth) {
      yield* cached.pieces
      return
    }
    const most = written instanceof Lru ? MOST_CACHED : Number.POSITIVE_INFINITY
    const pieces: Uint8Array[] = []
    let size = 0
    for (const part of [this.#object(value, depth), this.#flush()]) {
      for (const piece of part) {
        size += piece.length
        if (size <= most) pieces.push(piece)
        else pieces.length = 0
        yield piece
      }
    }
    written.set(value, { depth, pieces, size })
  }

  *#string(value: string): Pieces {
    this.#text += '"'
    let end = 0
    for (let start = 0; start < value.length; start = end) {
      end = Math.min(start + this.#long, value.length)
      // Do not split a surrogate pair: a lone half would be written as an escape.
      const last = value.charCodeAt(end - 1)
      if (last >= 0xd800 && last <= 0xdbff) end = Math.min(end + 1, value.length)
      this.#text += JSON.stringify(value.slice(start, end)).slice(1, -1)
      yield* this.#flush()
    }
    this.#text += '"'
  }

  #isLong(value: unknown, depth: number): value is string | object {
    return sizeUpTo(this.#long, value, depth) >= this.#long && mayBeSplit(value, depth)
  }

  *#flush(): Pieces {
    if (this.#text === '') return
    const piece = Buffer.from(this.#text)
    this.#text = ''
    yield piece
  }
}

const COMMA = ',\n'

function indent(depth: number): string {
  return '  '.repeat(depth)
}

/** Whether JSON.stringify writes exactly the parts of the value, in order. */
function mayBeSplit(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return true
  const isOdd = value instanceof String || typeof Object(value).toJSON === 'function'
  return typeof value === 'object' && value !== null && !isOdd && depth <= DEEPEST
}

function inJson(value: unknown, name: string): unknown {
  const toJson: unknown = Object(value).toJSON
  const meant: unknown = typeof toJson === 'function' ? Reflect.apply(toJson, value, [name]) : value
  return typeof meant === 'function' || typeof meant === 'symbol' ? undefined : meant
}

/** Wrapped in `depth` arrays for the indentation, which are cut off again. */
export function itemsAt(items: readonly unknown[], depth: number): string {
  let nested = items
  for (let level = 0; level < depth; level++) nested = [nested]
  const frame = (depth + 1) * (depth + 2)
  return JSON.stringify(nested, null, 2).slice(frame, -frame)
}

function textAt(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value, null, 2)
  return itemsAt([value], depth - 1).slice(2 * depth)
}
