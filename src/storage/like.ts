import { toGraph, weigh } from './pattern/graph.ts'
import { compileLiteral } from './pattern/literal.ts'
import { compileMatcher } from './pattern/matcher.ts'
import { parsePattern } from './pattern/parse-pattern.ts'

/** What is longer, or needs more steps when counted repeats are written out, is matched literally. */
export const MOST_CHARACTERS = 1000
export const MOST_STEPS = 160

/**
 * Compiles a `_like` pattern: a regular expression of JavaScript, case ignored, found anywhere in the text.
 * Never throws and never takes longer than the text is long, times a constant: JavaScript's own engine may need
 * years for `(a+)+$`. What does not compile, is too big, looks around or refers back is matched literally.
 */
export function compileLike(pattern: string): (text: string) => boolean {
  const known = recent.get(pattern)
  const matches = known ?? compile(pattern)
  // The last asked is kept longest.
  recent.delete(pattern)
  recent.set(pattern, matches)
  const [oldest] = recent.keys()
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest)
  return matches
}

const recent = new Map<string, (text: string) => boolean>()
const MOST_RECENT = 20

function compile(pattern: string): (text: string) => boolean {
  if (!/[\\^$.*+?()[\]{}|]/.test(pattern) || pattern.length > MOST_CHARACTERS) return compileLiteral(pattern)
  if (!isRegExp(pattern)) return compileLiteral(pattern)
  const parsed = parsePattern(pattern)
  if (parsed === undefined || weigh(parsed) > MOST_STEPS) return compileLiteral(pattern)
  return compileMatcher(toGraph(parsed))
}

/** Only parses: JavaScript compiles an expression when it is first used. */
function isRegExp(pattern: string): boolean {
  try {
    new RegExp(pattern, 'i')
    return true
  } catch {
    return false
  }
}
