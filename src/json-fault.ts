/** Where a text stops being JSON, counted from 1, and what should have stood there. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly expected: string
}

type State = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end'

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
const SPACE = /[ \t\n\r]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Finds the first fault of a text that `JSON.parse` refused. V8's own message gives no position for some
 * faults, and quotes the text around others, which may hold a password.
 */
export function findJsonFault(text: string): JsonFault {
  const open: ('{' | '[')[] = []
  let state: State = 'value'
  let at = 0
  for (;;) {
    at = skip(SPACE, text, at)
    const char = text.charAt(at)
    if (state === ', or end' && open.length === 0) return fault(text, at, 'the end of the text')

    if (char === '"' && state !== ':' && state !== ', or end') {
      const end = skipString(text, at)
      if (end.broken) return fault(text, end.at, end.broken)
      at = end.at
      state = state.startsWith('name') ? ':' : ', or end'
    } else if (state === ':' && char === ':') {
      at += 1
      state = 'value'
    } else if (state === ', or end' && char === ',') {
      at += 1
      state = open.at(-1) === '{' ? 'name' : 'value'
    } else if (char !== '' && char === closer(state, open.at(-1))) {
      at += 1
      open.pop()
      state = ', or end'
    } else if (state.startsWith('value') && (char === '{' || char === '[')) {
      at += 1
      open.push(char)
      state = char === '{' ? 'name or }' : 'value or ]'
    } else {
      const end = state.startsWith('value') ? skip(SCALAR, text, at) : at
      if (end === at) return fault(text, at, wanted(state, open.at(-1)))
      at = end
      state = ', or end'
    }
  }
}

/** The bracket that may close the innermost list or object now; a comma just before forbids it. */
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

/** The end of what a sticky pattern finds at this place; the place itself where it finds nothing. */
export function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function skipString(text: string, start: number): { at: number; broken?: string } {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return { at: at + 1 }
    if (code < 0x20) return { at, broken: 'a closing quote, or an escape such as \\n' }
    const next = code === 0x5c ? skip(ESCAPE, text, at) : at + 1
    if (next === at) return { at, broken: 'a valid escape such as \\n or \\\\' }
    at = next
  }
  return { at, broken: 'a closing quote' }
}

function fault(text: string, at: number, expected: string): JsonFault {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1, expected }
}
