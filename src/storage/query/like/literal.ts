import type { Verdict, Work } from '../../../work/in-slices.ts'
import { compileGrow, LONG_TEXT, PIECE } from './find-text.ts'
import { canonical } from './letter-case.ts'

/** Tells whether a text contains another one, ignoring case as JavaScript's flag `i` does. */
export function compileLiteral(literal: string): (text: string) => Verdict {
  if (literal.length > MOST_FOR_REGEXP) return searchLong(literal)
  const expression = new RegExp(literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
  function* testLong(text: string): Work<boolean> {
    for (let start = 0; start < text.length; start += PIECE) {
      // A match may start in this piece and end in the next.
      if (expression.test(text.slice(start, start + PIECE + literal.length))) return true
      yield
    }
    return false
  }
  return (text) => (text.length > LONG_TEXT ? testLong(text) : expression.test(text))
}

/** The native search is the fastest, but its worst case is the product of both lengths. */
const MOST_FOR_REGEXP = 64

/** Reads each letter of the text once. */
function searchLong(literal: string): (text: string) => Verdict {
  const units = Array.from({ length: literal.length }, (_, at) => canonical(literal.charCodeAt(at)))
  const grow = compileGrow(units)

  function read(text: string, start: number, end: number, before: number): number {
    let found = before
    for (let at = start; at < end && found < units.length; at++) {
      found = grow(found, canonical(text.charCodeAt(at)))
    }
    return found
  }
  function* readLong(text: string): Work<boolean> {
    let found = 0
    for (let start = 0; start < text.length && found < units.length; start += PIECE) {
      found = read(text, start, Math.min(start + PIECE, text.length), found)
      yield
    }
    return found === units.length
  }
  return (text) => (text.length > LONG_TEXT ? readLong(text) : read(text, 0, text.length, 0) === units.length)
}
