/** Positions are counted from the start of the text. */
export interface JsonEvents {
  open?(at: number, isList: boolean): void
  close?(at: number): void
  comma?(at: number): void
  /** A name in an object, with its quotes. */
  name?(start: number, end: number): void
}

/** Line and column are counted from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly expected: string
  readonly at: number
  readonly state: JsonState
  /** The first characters there; none at the end of the text. */
  readonly found: string
}

export class JsonSyntaxError extends SyntaxError {
  readonly fault: JsonFault

  constructor(fault: JsonFault) {
    super(`Expected ${fault.expected} at line ${fault.line}, column ${fault.column}`)
    this.fault = fault
  }
}

const EXPECTED = {
  root: 'a value',
  'first item': 'a value or "]"',
  item: 'a value',
  'after item': '"," or "]"',
  'first name': 'a name in double quotes or "}"',
  name: 'a name in double quotes',
  'after name': '":"',
  value: 'a value',
  'after value': '"," or "}"',
  end: 'the end of the text',
} as const

export type JsonState = keyof typeof EXPECTED

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b
const CLOSE_OBJECT = 0x7d
const CLOSE_LIST = 0x5d

const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/
const SPECIAL = /["\\]|[^ -\uffff]/g
const SHORT_ESCAPES = '"\\/bfnrt'
const LONG_ESCAPE = /^\\u[\dA-Fa-f]{4}$/
const LONGEST_ESCAPE = 6

/** Enough to recognize a merge conflict. */
export const MOST_FOUND = 7

/** Scans JSON in chunks, cut anywhere. Accepts what `JSON.parse` accepts; else throws a JsonSyntaxError. */
export class JsonScanner {
  /** Whether a number was too large for a double. */
  hasInfinity = false
  readonly #events: JsonEvents
  #state: JsonState = 'root'
  readonly #lists: boolean[] = []
  #line = 1
  #lineStart = 0
  #base = 0
  #string: number | undefined
  #scalar = ''
  #escape = ''

  constructor(events: JsonEvents = {}) {
    this.#events = events
  }

  push(chunk: string): void {
    const text = this.#escape + chunk
    this.#base -= this.#escape.length
    this.#escape = ''
    let at = 0
    if (this.#string !== undefined) at = this.#readString(text, at, this.#string)
    else if (this.#scalar !== '') at = this.#readScalar(text, at)
    while (at < text.length) at = this.#step(text, at)
    this.#base += text.length
  }

  end(): void {
    if (this.#escape !== '') this.#fail(-this.#escape.length, this.#escape, INVALID_ESCAPE)
    if (this.#string !== undefined) this.#fail(0, '', UNCLOSED)
    if (this.#scalar !== '') this.#endScalar('', 0)
    if (this.#state !== 'end') this.#fail(0, '')
  }

  #step(text: string, at: number): number {
    const state = this.#state
    const code = text.charCodeAt(at)
    if (code <= 0x20) return this.#skipSpace(text, at)
    switch (state) {
      case 'after item':
      case 'after value':
        if (code === COMMA) {
          this.#state = state === 'after item' ? 'item' : 'name'
          this.#events.comma?.(this.#base + at)
          return at + 1
        }
        return this.#close(text, at, code, state === 'after item')
      case 'first name':
      case 'name':
        if (code === QUOTE) return this.#readString(text, at + 1, this.#base + at)
        return state === 'name' ? this.#fail(at, text.slice(at)) : this.#close(text, at, code, false)
      case 'after name':
        if (code !== COLON) this.#fail(at, text.slice(at))
        this.#state = 'value'
        return at + 1
      case 'end':
        return this.#fail(at, text.slice(at))
    }
    if (code === QUOTE) return this.#readString(text, at + 1, this.#base + at)
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const isList = code === OPEN_LIST
      this.#lists.push(isList)
      this.#state = isList ? 'first item' : 'first name'
      this.#events.open?.(this.#base + at, isList)
      return at + 1
    }
    if (code === CLOSE_LIST && state === 'first item') return this.#close(text, at, code, true)
    return this.#readScalar(text, at)
  }

  #skipSpace(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 0x0a) {
        this.#line += 1
        this.#lineStart = this.#base + at + 1
      } else if (code !== 0x20 && code !== 0x0d && code !== 0x09) {
        return at === from ? this.#fail(at, text.slice(at)) : at
      }
    }
    return text.length
  }

  #close(text: string, at: number, code: number, isList: boolean): number {
    if (code !== (isList ? CLOSE_LIST : CLOSE_OBJECT)) this.#fail(at, text.slice(at))
    this.#lists.pop()
    this.#endValue()
    this.#events.close?.(this.#base + at)
    return at + 1
  }

  #endValue(): void {
    const isList = this.#lists[this.#lists.length - 1]
    this.#state = isList === undefined ? 'end' : isList ? 'after item' : 'after value'
  }

  #readString(text: string, from: number, start: number): number {
    this.#string = start
    for (let at = from; ; ) {
      SPECIAL.lastIndex = at
      if (!SPECIAL.test(text)) return text.length
      at = SPECIAL.lastIndex - 1
      const code = text.charCodeAt(at)
      if (code === QUOTE) return this.#endString(start, at + 1)
      if (code !== BACKSLASH) this.#fail(at, text.slice(at), UNESCAPED)
      const length = lengthOfEscape(text, at)
      if (length === 0 && text.length - at >= LONGEST_ESCAPE) this.#fail(at, text.slice(at), INVALID_ESCAPE)
      if (length === 0) {
        this.#escape = text.slice(at)
        return text.length
      }
      at += length
    }
  }

  #endString(start: number, end: number): number {
    this.#string = undefined
    if (this.#state === 'name' || this.#state === 'first name') {
      this.#state = 'after name'
      this.#events.name?.(start, this.#base + end)
    } else this.#endValue()
    return end
  }

  #readScalar(text: string, at: number): number {
    let end = at
    while (end < text.length && isOfScalar(text.charCodeAt(end))) end += 1
    if (end === at && this.#scalar === '') this.#fail(at, text.slice(at))
    this.#scalar += text.slice(at, end)
    if (end < text.length) this.#endScalar(text, end)
    return end
  }

  #endScalar(text: string, end: number): void {
    const scalar = this.#scalar
    if (!SCALAR.test(scalar)) this.#fail(end - scalar.length, scalar + text.slice(end))
    if (scalar.length > 4 && Math.abs(Number(scalar)) === Number.POSITIVE_INFINITY) this.hasInfinity = true
    this.#scalar = ''
    this.#endValue()
  }

  /** @param at from the start of the chunk; negative if the token began before it */
  #fail(at: number, text: string, expected: string = EXPECTED[this.#state]): never {
    const position = this.#base + at
    const fault = { line: this.#line, column: position - this.#lineStart + 1, at: position, expected }
    throw new JsonSyntaxError({ ...fault, state: this.#state, found: text.slice(0, MOST_FOUND) })
  }
}

const INVALID_ESCAPE = 'a valid escape such as \\n or \\\\'
const UNESCAPED = 'a closing quote, or an escape such as \\n'
const UNCLOSED = 'a closing quote'

function lengthOfEscape(text: string, at: number): number {
  const char = text.charAt(at + 1)
  if (char !== '' && SHORT_ESCAPES.includes(char)) return 2
  return LONG_ESCAPE.test(text.slice(at, at + LONGEST_ESCAPE)) ? LONGEST_ESCAPE : 0
}

/** Letters, digits and `_.+-`: a scalar ends before the first other character. */
function isOfScalar(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true
  const letter = code | 0x20
  return (
    (letter >= 0x61 && letter <= 0x7a) || code === 0x2d || code === 0x2e || code === 0x2b || code === 0x5f
  )
}

/** For a text that `JSON.parse` rejected: V8's message may lack the position, or quote a password. */
export function findJsonFault(text: string): JsonFault {
  const scanner = new JsonScanner()
  try {
    scanner.push(text)
    scanner.end()
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.fault
    throw error
  }
  throw new Error('There is no fault in this text.')
}
