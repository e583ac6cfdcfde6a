/** Position of the first syntax error, counted from 1, and what was expected there. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly expected: string
  /** The same place, counted from the start of the text. */
  readonly at: number
}

/**
 * Finds the first syntax error in a text that `JSON.parse` rejected. V8's own message gives no position for some
 * errors, and quotes the text around others, which may contain a password.
 */
export function findJsonFault(text: string): JsonFault {
  const search = searchJsonFault(text)
  for (;;) {
    const { done, value } = search.next()
    if (done) return value
  }
}

type State = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end'

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
/** The codes of `"\/bfnrt`. */
const ESCAPED: ReadonlySet<number> = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74])
const UNICODE = /\\u[0-9a-fA-F]{4}/y

/** Yields after this many characters. */
const STRETCH = 16 * 1024

/** The same as a generator, which yields between slices. */
export function* searchJsonFault(text: string): Generator<undefined, JsonFault> {
  const open: ('{' | '[')[] = []
  const place = new Place(text)
  let state: State = 'value'
  let pause = STRETCH
  for (;;) {
    place.skipSpace()
    const { at } = place
    if (at > pause) {
      pause = at + STRETCH
      yield
    }
    const char = text.charAt(at)
    if (state === ', or end' && open.length === 0) return place.fault('the end of the text')

    if (char === '"' && state !== ':' && state !== ', or end') {
      const broken = place.skipString()
      if (broken) return place.fault(broken)
      state = state.startsWith('name') ? ':' : ', or end'
    } else if (state === ':' && char === ':') {
      place.at += 1
      state = 'value'
    } else if (state === ', or end' && char === ',') {
      place.at += 1
      state = open.at(-1) === '{' ? 'name' : 'value'
    } else if (char !== '' && char === closer(state, open.at(-1))) {
      place.at += 1
      open.pop()
      state = ', or end'
    } else if (state.startsWith('value') && (char === '{' || char === '[')) {
      place.at += 1
      open.push(char)
      state = char === '{' ? 'name or }' : 'value or ]'
    } else {
      place.at = state.startsWith('value') ? skip(SCALAR, text, at) : at
      if (place.at === at) return place.fault(wanted(state, open.at(-1)))
      state = ', or end'
    }
  }
}

/** The bracket that may close the innermost array or object here; not right after a comma. */
function closer(state: State, innermost: '{' | '[' | undefined): string | undefined {
  if (state === 'value or ]') return ']'
  if (state === 'name or }') return '}'
  return state === ', or end' ? (innermost === '{' ? '}' : ']') : undefined
}

function wanted(state: State, innermost: '{' | '[' | undefined): string {
  if (state === 'value') return 'a value'
  if (state === 'value or ]') return 'a value or "]"'
  if (state === 'name') return 'a name in double quotes'
  if (state === 'name or }') return 'a name in double quotes or "}"'
  if (state === ':') return '":"'
  return innermost === '{' ? '"," or "}"' : '"," or "]"'
}

/** The end of a sticky pattern's match at this position; the position itself if there is none. */
export function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function skipEscape(text: string, at: number): number {
  return ESCAPED.has(text.charCodeAt(at + 1)) ? at + 2 : skip(UNICODE, text, at)
}

/** A position in a text and its line: JSON has line breaks only in white space. */
class Place {
  at = 0
  readonly #text: string
  #line = 1
  #lineStart = 0

  constructor(text: string) {
    this.#text = text
  }

  skipSpace(): void {
    const text = this.#text
    let { at } = this
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
      at += 1
      if (code !== 0x0a) continue
      this.#line += 1
      this.#lineStart = at
    }
    this.at = at
  }

  /** Moves past a string, or to where it is broken, and returns what was expected there. */
  skipString(): string | undefined {
    const text = this.#text
    let at = this.at + 1
    let broken: string | undefined = 'a closing quote'
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === 0x22) {
        broken = undefined
        at += 1
        break
      }
      if (code < 0x20) {
        broken = 'a closing quote, or an escape such as \\n'
        break
      }
      const next = code === 0x5c ? skipEscape(text, at) : at + 1
      if (next === at) {
        broken = 'a valid escape such as \\n or \\\\'
        break
      }
      at = next
    }
    this.at = at
    return broken
  }

  fault(expected: string): JsonFault {
    return { line: this.#line, column: this.at - this.#lineStart + 1, expected, at: this.at }
  }
}
