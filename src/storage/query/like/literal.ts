import { compileGrow } from './find-text.ts'
import { canonical } from './letter-case.ts'

/** The native search is the fastest, but its worst case is the product of both lengths. */
const MOST_FOR_REGEXP = 64

/** Tells whether a text contains another one, ignoring case as JavaScript's flag `i` does. */
export function compileLiteral(literal: string): (text: string) => boolean {
  if (literal.length > MOST_FOR_REGEXP) return searchLong(literal)
  const expression = new RegExp(literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
  return (text) => expression.test(text)
}

/** Reads each letter of the text once. */
function searchLong(literal: string): (text: string) => boolean {
  const units = Array.from({ length: literal.length }, (_, at) => canonical(literal.charCodeAt(at)))
  const grow = compileGrow(units)
  return (text) => {
    let found = 0
    for (let at = 0; at < text.length && found < units.length; at++) {
      found = grow(found, canonical(text.charCodeAt(at)))
    }
    return found === units.length
  }
}
