import { foldText } from '../../../patterns/letter-case.ts'
import { compileFind } from './find-text.ts'

/** The native search is the fastest, but its worst case is the product of both lengths. */
const MOST_FOR_REGEXP = 64

/** Tells whether a text contains another one, ignoring case as JavaScript's flag `i` does. */
export function compileLiteral(literal: string): (text: string) => boolean {
  if (literal.length > MOST_FOR_REGEXP) {
    const isIn = compileFind(foldText(literal))
    return (text) => isIn(foldText(text))
  }
  const expression = new RegExp(literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
  return (text) => expression.test(text)
}
