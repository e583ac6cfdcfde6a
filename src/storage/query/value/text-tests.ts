import { compileLike } from '../like/like.ts'
import { toText } from './text.ts'

type Matches = (text: string) => boolean

/** Patterns are compiled when there is a value to match: some take a while. */
export function isLike(values: readonly string[]): (value: unknown) => boolean {
  let patterns: readonly Matches[] | undefined
  return (value) => {
    patterns ??= values.map(compileLike)
    const text = toText(value)
    for (const matches of patterns) if (matches(text)) return true
    return false
  }
}

/** Whether the matcher accepts the text of a value. */
export function matchesText(matches: Matches): (value: unknown) => boolean {
  return (value) => matches(toText(value))
}
