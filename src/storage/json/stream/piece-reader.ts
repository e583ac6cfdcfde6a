import { constants, isUtf8 } from 'node:buffer'
import { findJsonFault } from '../../../json/json-fault.ts'
import { isBlank } from '../../../json/pieced-together.ts'
import type { Start } from '../describe-fault.ts'
import { COLON, COMMA, LevelScanner } from './level-scanner.ts'

/** What a JSON text consists of, one after the other. */
export type Piece =
  /** A name in the outermost object; what it names comes next. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'value'; readonly value: unknown }
  /** A list, whose items come next. */
  | { readonly kind: 'list' }
  | { readonly kind: 'items'; readonly items: readonly unknown[] }

const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/** What is being read, and what stands before it as far as that matters for a fault. */
const CONTEXTS = {
  root: '',
  'first name': '{',
  name: '{"":0,',
  value: '{"":',
  'first item': '{"":[',
  item: '{"":[0,',
  'after list': '{"":[]',
  'first item of root': '[',
  'item of root': '[0,',
  end: '{}',
} as const

type State = keyof typeof CONTEXTS

export class BrokenPiece extends Error {
  override readonly name = 'BrokenPiece'
  readonly start: Start
  /** From its start on, as far as was read. */
  readonly bytes: Uint8Array

  constructor(start: Start, bytes: Uint8Array) {
    super('A piece of the text is not JSON.')
    this.start = start
    this.bytes = bytes
  }
}

export class TooLong extends Error {
  override readonly name = 'TooLong'
}

/** A piece of more bytes that is not complete yet is checked for faults, and again whenever it has doubled. */
const LONG = 8 * 1024 * 1024
/** A fault this close to the end may only be what is not there yet. */
const NEAR_END = 64
const LONGEST = constants.MAX_STRING_LENGTH - NEAR_END

/**
 * Reads a JSON text that comes in chunks, cut anywhere. Looks only for where values end, and leaves them to `JSON.parse`,
 * many at a time. Lists in the outermost object, or outermost themselves, are handed on in parts.
 */
export class PieceReader {
  readonly #isWhole: (name: string) => boolean
  readonly #scanner = new LevelScanner()
  #state: State = 'root'
  name = ''
  /** Where what is being read starts: in the text, and in the current chunk. Before that chunk, it is `#kept`. */
  #line = 1
  #column = 1
  #start = 0
  #kept: Uint8Array[] = []
  #keptBytes = 0
  #checkAt = LONG
  /** Whether something other than space was seen of it. */
  #isBegun = false
  /** The last comma between items in the current chunk. */
  #comma: { readonly at: number; readonly lines: number } | undefined

  /** @param isWhole whether what has this name is handed on as a whole, even if it is a list */
  constructor(isWhole: (name: string) => boolean) {
    this.#isWhole = isWhole
  }

  *read(chunk: Uint8Array): Generator<Piece, void> {
    this.#start = 0
    for (let at = 0; ; at++) {
      if (!this.#isBegun) {
        at = this.#scanner.endOfSpace(chunk, at)
        if (at === chunk.length) break
        if (this.#mayOpen(chunk, at)) continue
        if (this.#state === 'end') this.#fail(chunk)
        this.#isBegun = true
      }
      // Not data, whatever it is: wait for its end.
      if (this.#state === 'root') break
      at = this.#scanner.endOfValue(chunk, at)
      if (at === chunk.length) break
      yield* this.#take(chunk, at)
    }
    yield* this.#keep(chunk)
  }

  *end(): Generator<Piece, void> {
    const nothing = new Uint8Array()
    this.#start = 0
    if (this.#state === 'root') yield { kind: 'value', value: this.#parse(this.#text(nothing, 0), nothing) }
    else if (this.#state !== 'end') this.#fail(nothing)
  }

  /** Passes a bracket that opens the outermost value, or a list that is handed on in parts. */
  #mayOpen(chunk: Uint8Array, at: number): boolean {
    const byte = chunk[at]
    const isList = byte === OPEN_LIST
    if (this.#state === 'root' && (isList || byte === OPEN_OBJECT)) {
      this.#pass(at, isList ? 'first item of root' : 'first name', this.#text(chunk, at))
    } else if (this.#state === 'value' && isList && !this.#isWhole(this.name)) {
      this.#pass(at, 'first item', this.#text(chunk, at))
    } else return false
    return true
  }

  *#take(chunk: Uint8Array, at: number): Generator<Piece, void> {
    const separator = chunk[at]
    const isEnd = separator === CLOSE_OBJECT
    switch (this.#state) {
      case 'first name':
      case 'name': {
        const text = this.#text(chunk, at)
        if (isEnd && this.#state === 'first name' && isBlank(text)) {
          this.#pass(at, 'end', text)
          return
        }
        const name = separator === COLON ? this.#parse(text, chunk) : undefined
        if (typeof name !== 'string') return this.#fail(chunk)
        this.name = name
        yield { kind: 'name', name }
        this.#pass(at, 'value', text)
        return
      }
      case 'value':
      case 'after list': {
        const text = this.#text(chunk, at)
        const isValue = this.#state === 'value'
        if (!(isEnd || separator === COMMA) || !(isValue || isBlank(text))) this.#fail(chunk)
        if (isValue) yield { kind: 'value', value: this.#parse(text, chunk) }
        this.#pass(at, isEnd ? 'end' : 'name', text)
        return
      }
      default:
        if (separator === COMMA) this.#comma = { at, lines: this.#scanner.lines }
        else if (separator === CLOSE_LIST) yield* this.#takeItems(chunk, at)
        else this.#fail(chunk)
    }
  }

  /** Reads items up to a comma, or to the end of the list, and passes that. */
  *#takeItems(chunk: Uint8Array, at: number, lines?: number): Generator<Piece, void> {
    const isEnd = chunk[at] === CLOSE_LIST
    const text = this.#text(chunk, at)
    const isFirst = this.#state.startsWith('first')
    const isRoot = this.#state.endsWith('root')
    const isEmpty = isBlank(text)
    if (isEmpty && !(isFirst && isEnd)) this.#fail(chunk)
    if (isFirst) yield { kind: 'list' }
    if (!isEmpty) {
      const items = this.#parse(`[${text}]`, chunk)
      if (Array.isArray(items)) yield { kind: 'items', items }
    }
    const next = isRoot ? 'item of root' : 'item'
    this.#pass(at, isEnd ? (isRoot ? 'end' : 'after list') : next, text, lines)
  }

  /** At the end of a chunk: hands on the items that are complete, and keeps the rest. */
  *#keep(chunk: Uint8Array): Generator<Piece, void> {
    if (this.#comma) yield* this.#takeItems(chunk, this.#comma.at, this.#comma.lines)
    const rest = chunk.subarray(this.#start)
    this.#kept.push(rest)
    this.#keptBytes += rest.length
    if (this.#keptBytes > LONGEST) throw new TooLong()
    if (this.#keptBytes >= this.#checkAt) this.#check()
  }

  /** A quote that is missing may make everything after it one piece: so it is found without waiting for its end. */
  #check(): void {
    this.#checkAt = 2 * this.#keptBytes
    const bytes = this.#bytesTo(new Uint8Array(), 0)
    // Cut inside a character, it ends with another one, and the fault is there.
    const text = `${CONTEXTS[this.#state]}${bytes.toString('utf8')}`
    if (findJsonFault(text).at < text.length - NEAR_END) this.#fail(new Uint8Array())
  }

  #bytesTo(chunk: Uint8Array, at: number): Buffer {
    return Buffer.concat([...this.#kept, chunk.subarray(this.#start, at)])
  }

  #text(chunk: Uint8Array, at: number): string {
    const bytes = this.#bytesTo(chunk, at)
    if (!isUtf8(bytes)) this.#fail(chunk)
    return bytes.toString('utf8')
  }

  #parse(text: string, chunk: Uint8Array): unknown {
    try {
      return JSON.parse(text)
    } catch {
      return this.#fail(chunk)
    }
  }

  /** Goes on behind a separator; `text` is what stands before it. */
  #pass(at: number, state: State, text: string, lines = this.#scanner.lines): void {
    const lastLine = text.lastIndexOf('\n')
    this.#column = lastLine < 0 ? this.#column + text.length + 1 : text.length - lastLine + 1
    this.#line = lines + 1
    this.#start = at + 1
    this.#kept = []
    this.#keptBytes = 0
    this.#checkAt = LONG
    this.#comma = undefined
    this.#state = state
    this.#isBegun = !(state === 'value' || state === 'end')
  }

  #fail(chunk: Uint8Array): never {
    const start = { context: CONTEXTS[this.#state], line: this.#line, column: this.#column }
    throw new BrokenPiece(start, this.#bytesTo(chunk, chunk.length))
  }
}
