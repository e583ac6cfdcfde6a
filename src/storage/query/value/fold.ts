import type { Verdict, Work } from '../../../work/in-slices.ts'
import { compileFind, LONG_TEXT, PIECE } from '../like/find-text.ts'

/**
 * A text folded for case-insensitive comparison. The two lowercase sigmas count as one letter: which one lowercasing
 * yields depends on what follows, and a substring would no longer be found in its text.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}

/** Whether a text contains another, ignoring case; in slices if it is long. */
export function compileContains(part: string): (text: string) => Verdict {
  const needle = fold(part)
  const isIn = compileFind(needle)

  function* isInLong(text: string): Work<boolean> {
    for (let start = 0; start < text.length; start += PIECE) {
      // Folding never shortens a text, so this overlap covers every match that begins in this piece.
      if (isIn(fold(text.slice(start, start + PIECE + needle.length + 1)))) return true
      yield
    }
    return false
  }
  return (text) => (text.length > LONG_TEXT ? isInLong(text) : isIn(fold(text)))
}

export function compileStartsWith(start: string): (text: string) => boolean {
  const needle = fold(start)
  return (text) => fold(text.slice(0, needle.length + 1)).startsWith(needle)
}

export function compileEndsWith(end: string): (text: string) => boolean {
  const needle = fold(end)
  if (needle === '') return () => true
  return (text) => fold(text.slice(-needle.length - 1)).endsWith(needle)
}
