import { placeIn, type TextPlace } from './text-place.ts'

export interface JsonFault extends TextPlace {
  readonly expected: string
  readonly at: number
  readonly state: JsonState
  /** The first characters there, enough to recognize a merge conflict; none at the end of the text. */
  readonly found: string
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

type JsonState = keyof typeof EXPECTED

const MOST_FOUND = 7

const INVALID_ESCAPE = 'a valid escape such as \\n or \\\\'
const UNESCAPED = 'a closing quote, or an escape such as \\n'
const UNCLOSED = 'a closing quote'

/** For a text that `JSON.parse` rejected: V8's message may lack the position, or quote a password. */
export function findJsonFault(text: string): JsonFault {
  const scan = new Scan(text)
  for (;;) {
    const expected = scan.step()
    if (expected !== undefined) return faultAt(scan, text, expected)
  }
}

/** The same, with pauses: `pause` is called before each step. The page, which has no event loop of Node, uses the other. */
export async function findLongJsonFault(
  text: string,
  pause: () => Promise<void> | undefined,
): Promise<JsonFault> {
  const scan = new Scan(text)
  for (;;) {
    const pausing = pause()
    if (pausing) await pausing
    const expected = scan.step()
    if (expected !== undefined) return faultAt(scan, text, expected)
  }
}

function faultAt({ at, state }: Scan, text: string, expected: string): JsonFault {
  return { ...placeIn(text, at), expected, at, state, found: text.slice(at, at + MOST_FOUND) }
}

/** Whether a text that `JSON.parse` rejected could go on: it ends too early, maybe within a number, a word or an escape. */
export function isCutShort(text: string): boolean {
  return /^(?:[\w.+-]*|\\(?:u[\da-f]{0,3})?)\s*$/i.test(text.slice(findJsonFault(text).at))
}

const SPACE = /[ \t\r\n]*/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
/** In runs of a bounded length: a string may have millions of escapes. */
const ESCAPED = /(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})){1,1000}/y
const SPECIAL = /["\\]|[^ -\uffff]/g

class Scan {
  at = 0
  state: JsonState = 'root'
  readonly #text: string
  readonly #lists: boolean[] = []

  constructor(text: string) {
    this.#text = text
    this.#take(SPACE)
  }

  get isDone(): boolean {
    return this.at === this.#text.length
  }

  /** Takes a token and the white space after it; at a fault, returns what is expected instead. */
  step(): string | undefined {
    const expected = this.#token()
    if (expected === undefined) this.#take(SPACE)
    return expected
  }

  #token(): string | undefined {
    const { state } = this
    const expected = EXPECTED[state]
    const char = this.#text.charAt(this.at)
    switch (state) {
      case 'after item':
        if (char === ',') return this.#goOn('item')
        return char === ']' ? this.#close() : expected
      case 'after value':
        if (char === ',') return this.#goOn('name')
        return char === '}' ? this.#close() : expected
      case 'first name':
      case 'name':
        if (char === '"') return this.#string('after name')
        return char === '}' && state === 'first name' ? this.#close() : expected
      case 'after name':
        return char === ':' ? this.#goOn('value') : expected
      case 'end':
        return expected
    }
    if (char === '"') return this.#string(this.#afterValue)
    if (char === '{' || char === '[') {
      this.#lists.push(char === '[')
      return this.#goOn(char === '[' ? 'first item' : 'first name')
    }
    if (char === ']' && state === 'first item') return this.#close()
    if (!this.#take(SCALAR)) return expected
    this.state = this.#afterValue
    return undefined
  }

  get #afterValue(): JsonState {
    const isList = this.#lists.at(-1)
    if (isList === undefined) return 'end'
    return isList ? 'after item' : 'after value'
  }

  #goOn(state: JsonState): undefined {
    this.at += 1
    this.state = state
  }

  #close(): undefined {
    this.#lists.pop()
    this.#goOn(this.#afterValue)
  }

  #string(next: JsonState): string | undefined {
    for (let from = this.at + 1; ; from = this.at) {
      SPECIAL.lastIndex = from
      const special = SPECIAL.exec(this.#text)
      this.at = special?.index ?? this.#text.length
      if (!special) return UNCLOSED
      if (special[0] === '"') return this.#goOn(next)
      if (special[0] !== '\\') return UNESCAPED
      if (!this.#take(ESCAPED)) return INVALID_ESCAPE
    }
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.#text)) return false
    this.at = pattern.lastIndex
    return true
  }
}
