import { compileFind } from './find-text.ts'

/**
 * A text folded for case-insensitive comparison. The two lowercase sigmas count as one letter: which one lowercasing
 * yields depends on what follows, and a substring would no longer be found in its text.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}

/** @param isFolded spares millions of numbers in a list the folding, which takes longer than all the rest */
type Matches = (text: string, isFolded?: boolean) => boolean

export function compileContains(parts: readonly string[]): Matches {
  const finds = parts.map((part) => compileFind(fold(part)))
  return (text, isFolded) => {
    const folded = isFolded ? text : fold(text)
    for (const isIn of finds) if (isIn(folded)) return true
    return false
  }
}

export function compileStartsWith(starts: readonly string[]): Matches {
  const needles = starts.map(fold)
  return (text, isFolded) => {
    for (const needle of needles) {
      if ((isFolded ? text : fold(text.slice(0, needle.length + 1))).startsWith(needle)) return true
    }
    return false
  }
}

export function compileEndsWith(ends: readonly string[]): Matches {
  const needles = ends.map(fold)
  return (text, isFolded) => {
    for (const needle of needles) {
      if (needle === '') return true
      if ((isFolded ? text : fold(text.slice(-needle.length - 1))).endsWith(needle)) return true
    }
    return false
  }
}
