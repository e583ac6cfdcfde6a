import { compileFind } from '../like/find-text.ts'

/**
 * A text folded for case-insensitive comparison. The two lowercase sigmas count as one letter: which one lowercasing
 * yields depends on what follows, and a substring would no longer be found in its text.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}

type Matches = (text: string) => boolean

export function compileContains(parts: readonly string[]): Matches {
  const finds = parts.map((part) => compileFind(fold(part)))
  return (text) => {
    const folded = fold(text)
    return finds.some((isIn) => isIn(folded))
  }
}

export function compileStartsWith(starts: readonly string[]): Matches {
  const needles = starts.map(fold)
  return (text) => needles.some((needle) => fold(text.slice(0, needle.length + 1)).startsWith(needle))
}

export function compileEndsWith(ends: readonly string[]): Matches {
  const needles = ends.map(fold)
  return (text) =>
    needles.some((needle) => needle === '' || fold(text.slice(-needle.length - 1)).endsWith(needle))
}
