import { canonical } from './letter-case.ts'

/** Tells whether a text holds another one, whatever the case of its letters, as JavaScript's flag `i` sees it. */
export function compileLiteral(literal: string): (text: string) => boolean {
  if (literal.length > MOST_FOR_REGEXP) return searchLong(literal)
  const expression = new RegExp(literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
  return (text) => expression.test(text)
}

/** JavaScript's own search is the fastest, but its worst case is the length of one text times that of the other. */
const MOST_FOR_REGEXP = 64

/** Knuth, Morris and Pratt: reads each letter of the text once. */
function searchLong(literal: string): (text: string) => boolean {
  const units = Array.from({ length: literal.length }, (_, at) => canonical(literal.charCodeAt(at)))
  /** For each length of a match so far, how much of it can stay when the next letter differs. */
  const kept = [0]

  function grow(length: number, unit: number): number {
    let matched = length
    while (matched > 0 && units[matched] !== unit) matched = kept[matched - 1] ?? 0
    return units[matched] === unit ? matched + 1 : 0
  }

  let matched = 0
  for (const unit of units.slice(1)) {
    matched = grow(matched, unit)
    kept.push(matched)
  }
  return (text) => {
    let found = 0
    for (let at = 0; at < text.length; at += 1) {
      found = grow(found, canonical(text.charCodeAt(at)))
      if (found === units.length) return true
    }
    return false
  }
}
