import { settle, type Verdict, type Work } from '../../../work/in-slices.ts'
import { compileLike } from '../like/like.ts'
import { isLongList, longText, toText } from './text.ts'

/** Patterns are compiled lazily, one by one, when there is a value to match: some take a while. */
export function isLike(values: readonly string[]): (value: unknown) => Verdict {
  let patterns: readonly Matches[] | undefined

  function* compileAndMatch(value: unknown): Work<boolean> {
    const compiled: Matches[] = []
    let isFound = false
    for (const pattern of values) {
      const matches = compileLike(pattern)
      compiled.push(matches)
      yield
      if (yield* settle(matchValue(value, [matches]))) isFound = true
      yield
    }
    patterns = compiled
    return isFound
  }
  return (value) => (patterns ? matchValue(value, patterns) : compileAndMatch(value))
}

/** Whether any of the matchers accepts the text of a value. */
export function matchesText(matchers: readonly Matches[]): (value: unknown) => Verdict {
  return (value) => matchValue(value, matchers)
}

type Matches = (text: string) => Verdict

function matchValue(value: unknown, patterns: readonly Matches[]): Verdict {
  return isLongList(value) ? matchList(value, patterns) : matchText(toText(value), patterns)
}

function* matchList(list: readonly unknown[], patterns: readonly Matches[]): Work<boolean> {
  return yield* settle(matchText(yield* longText(list), patterns))
}

function matchText(text: string, patterns: readonly Matches[]): Verdict {
  const late: Work<boolean>[] = []
  for (const matches of patterns) {
    const verdict = matches(text)
    if (verdict === true) return true
    if (verdict !== false) late.push(verdict)
  }
  return late.length > 0 && anyLater(late)
}

function* anyLater(works: readonly Work<boolean>[]): Work<boolean> {
  for (const work of works) if (yield* work) return true
  return false
}
