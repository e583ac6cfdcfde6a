import { type CharSet, complement, LINE_ENDS, single } from './char-set.ts'
import { Cursor, Unsupported } from './cursor.ts'
import { ignoringCase } from './letter-case.ts'
import { parseClass, parseEscape } from './parse-chars.ts'

/** A regular expression as a tree. What matters only for captures (groups, greediness) is left out. */
export type Pattern =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'assertion'; readonly at: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number }

export type Assertion = 'start' | 'end' | 'word-edge' | 'no-word-edge'

/**
 * Parses a pattern that JavaScript accepts (flag `i`, no others), with all its legacy quirks. Undefined for what
 * no automaton can do: lookaround and backreferences.
 */
export function parsePattern(text: string): Pattern | undefined {
  try {
    return parseChoice(new Cursor(text))
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}

function parseChoice(cursor: Cursor): Pattern {
  const parts = [parseSequence(cursor)]
  while (cursor.take('|')) parts.push(parseSequence(cursor))
  const [only] = parts
  return only && parts.length === 1 ? only : { kind: 'choice', parts }
}

function parseSequence(cursor: Cursor): Pattern {
  const parts: Pattern[] = []
  while (!cursor.isAtEnd && !cursor.sees('|') && !cursor.sees(')')) {
    parts.push(parseQuantifier(cursor, parseAtom(cursor)))
  }
  const [only] = parts
  return only && parts.length === 1 ? only : { kind: 'sequence', parts }
}

function parseAtom(cursor: Cursor): Pattern {
  if (cursor.take('^')) return { kind: 'assertion', at: 'start' }
  if (cursor.take('$')) return { kind: 'assertion', at: 'end' }
  if (cursor.take('\\b')) return { kind: 'assertion', at: 'word-edge' }
  if (cursor.take('\\B')) return { kind: 'assertion', at: 'no-word-edge' }
  if (cursor.take('(')) return parseGroup(cursor)
  if (cursor.take('.')) return { kind: 'chars', set: complement(LINE_ENDS) }
  if (cursor.take('[^')) return { kind: 'chars', set: complement(ignoringCase(parseClass(cursor))) }
  if (cursor.take('[')) return { kind: 'chars', set: ignoringCase(parseClass(cursor)) }
  if (cursor.take('\\')) return { kind: 'chars', set: ignoringCase(parseEscape(cursor)) }
  return { kind: 'chars', set: ignoringCase(single(cursor.next())) }
}

function parseGroup(cursor: Cursor): Pattern {
  if (cursor.sees('?') && !cursor.match(/\?:|\?<[^=!][^>]*>/y)) throw new Unsupported()
  const inner = parseChoice(cursor)
  cursor.take(')')
  return inner
}

function parseQuantifier(cursor: Cursor, part: Pattern): Pattern {
  const quantifier = cursor.match(/(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y)
  if (!quantifier) return part
  const [, sign, least, comma, most] = quantifier
  if (sign !== undefined) {
    return {
      kind: 'repeat',
      part,
      min: sign === '+' ? 1 : 0,
      max: sign === '?' ? 1 : Number.POSITIVE_INFINITY,
    }
  }
  const min = Number(least)
  if (comma === undefined) return { kind: 'repeat', part, min, max: min }
  return { kind: 'repeat', part, min, max: most ? Number(most) : Number.POSITIVE_INFINITY }
}
