import type { Compare } from './comparisons.ts'
import { fold } from './fold.ts'
import { toText } from './text.ts'

export function matchesText(matches: (text: string, isFolded?: boolean) => boolean): Compare {
  return (value) => (isFiniteNumber(value) ? matches(String(value), true) : matches(toText(value)))
}

/** Patterns are compiled when there is a value to match: some take a while. */
export function matchesLike(
  values: readonly string[],
  compileLike: (pattern: string) => (text: string) => boolean,
): Compare {
  let patterns: readonly ((text: string) => boolean)[] | undefined
  return (value) => {
    patterns ??= values.map(compileLike)
    const text = toText(value)
    for (const matches of patterns) if (matches(text)) return true
    return false
  }
}

/** A list contains its entries, not parts of them. */
export function equalsFolded(values: readonly string[]): Compare {
  const texts = new Set(values.map(fold))
  const longest = Math.max(0, ...[...texts].map(({ length }) => length))
  return (entry) => {
    if (isFiniteNumber(entry)) return texts.has(String(entry))
    const text = toText(entry)
    // No letter becomes shorter, and to fold megabytes takes long.
    return text.length <= longest && texts.has(fold(text))
  }
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
