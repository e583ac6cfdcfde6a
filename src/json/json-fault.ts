/** Position of the first syntax error, counted from 1, and what was expected there. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly expected: string
  /** The same place, counted from the start of the text. */
  readonly at: number
}

/** In a text that `JSON.parse` rejected. V8's own message has no position for some errors, and may quote a password. */
export function findJsonFault(text: string): JsonFault {
  const search = new FaultSearch(text)
  for (;;) {
    const fault = search.step()
    if (fault) return fault
  }
}

type State = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end'

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
/** The codes of `"\/bfnrt`. */
const ESCAPED: ReadonlySet<number> = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74])
const UNICODE = /\\u[0-9a-fA-F]{4}/y

export class FaultSearch {
  readonly #text: string
  readonly #place: Place
  readonly #open: ('{' | '[')[] = []
  #state: State = 'value'

  constructor(text: string) {
    this.#text = text
    this.#place = new Place(text)
  }

  /** Passes a name, a scalar, a bracket, a comma or a colon; or says what is wrong with it. */
  step(): JsonFault | undefined {
    const place = this.#place
    const state = this.#state
    const innermost = this.#open.at(-1)
    place.skipSpace()
    const char = this.#text.charAt(place.at)
    if (state === ', or end' && innermost === undefined) return place.fault('the end of the text')

    if (char === '"' && state !== ':' && state !== ', or end') {
      const broken = place.skipString()
      if (broken) return place.fault(broken)
      this.#state = state.startsWith('name') ? ':' : ', or end'
    } else if (state === ':' && char === ':') {
      place.at += 1
      this.#state = 'value'
    } else if (state === ', or end' && char === ',') {
      place.at += 1
      this.#state = innermost === '{' ? 'name' : 'value'
    } else if (char !== '' && char === closer(state, innermost)) {
      place.at += 1
      this.#open.pop()
      this.#state = ', or end'
    } else if (state.startsWith('value') && (char === '{' || char === '[')) {
      place.at += 1
      this.#open.push(char)
      this.#state = char === '{' ? 'name or }' : 'value or ]'
    } else {
      const end = state.startsWith('value') ? skip(SCALAR, this.#text, place.at) : place.at
      if (end === place.at) return place.fault(wanted(state, innermost))
      place.at = end
      this.#state = ', or end'
    }
    return undefined
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
function skip(pattern: RegExp, text: string, at: number): number {
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
