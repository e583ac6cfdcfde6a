import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { compileFind } from '../../kernel/catalogue/text.ts'
import { compileRe2, foldText } from '../../kernel/patterns/re2.ts'
import { translate } from '../../kernel/patterns/translate.ts'
import { attempt } from '../../kernel/util/attempt.ts'
import { getOrMake } from '../../kernel/util/get-or-make.ts'
import { Lru } from '../../kernel/util/lru.ts'

const MOST_CHARACTERS = 1000
/** Of one pattern: some milliseconds to compile. */
const MOST_STEPS = 250

/** Steps of the patterns times characters of a text: some 40 ms at worst. */
const MOST_WORK = 2 ** 19

/**
 * A case-insensitive regular expression, matched in linear time by re2js. Plain text, with anchors or not, is searched
 * for, and so is what is no regular expression. @param share how many patterns may test a row without a pause
 */
export function compileLike(pattern: string, share: number): (text: string) => boolean {
  const plain = plainTextOf(pattern)
  if (plain) return compilePlain(plain)
  const { matches, steps } = getOrMake(recent, pattern, () => compile(pattern))
  const longest = MOST_WORK / share / Math.max(1, steps)
  return (text) => {
    if (text.length <= longest) return matches(text)
    const value = `a value of ${text.length} characters`
    throw refused(`takes too long for ${value}. Search for plain text, or use a shorter pattern.`)
  }
}

interface Compiled {
  readonly matches: (text: string) => boolean
  readonly steps: number
}

/** As many as one query may have. */
const recent = new Lru<string, Compiled>({ limit: 50 })

function compile(pattern: string): Compiled {
  if (pattern.length > MOST_CHARACTERS) {
    throw refused(`is longer than ${MOST_CHARACTERS} characters. Shorten it.`)
  }
  const { source, steps, unsupported } = translate(pattern)
  if (unsupported !== undefined) {
    const remedy = 'there are no look-around and no back-references. Use other operators, or "not" in _where.'
    throw refused(`has ${unsupported}, which is not supported: ${remedy}`)
  }
  if (steps > MOST_STEPS) throw refused(`takes more than ${MOST_STEPS} steps. Repeat less in it.`)
  return { matches: compileRe2(source), steps }
}

function refused(reason: string): StorageError {
  return new StorageError('INVALID_QUERY', `A _like pattern ${reason}`)
}

interface PlainText {
  readonly text: string
  readonly isStart: boolean
  readonly isEnd: boolean
}

const ANCHORED = /^(\^?)([^\\^$.*+?()[\]{}|]*)(\$?)$/

function plainTextOf(pattern: string): PlainText | undefined {
  const [, start, text, end] = ANCHORED.exec(pattern) ?? []
  if (text !== undefined) return { text, isStart: start !== '', isEnd: end !== '' }
  const isValid = attempt(() => new RegExp(pattern, 'i')) !== undefined
  return isValid ? undefined : { text: pattern, isStart: false, isEnd: false }
}

/** The texts that a value must start with, one of them, if all patterns are such: in ASCII, where an index agrees. */
export function startsIn(patterns: readonly string[]): readonly string[] | undefined {
  const starts: string[] = []
  for (const pattern of patterns) {
    const plain = plainTextOf(pattern)
    if (!plain?.isStart || !/^[ -~]+$/.test(plain.text)) return undefined
    starts.push(plain.text)
  }
  return starts
}

/** The native search is fastest, but its worst case is the product of both lengths. */
const MOST_FOR_REGEXP = 64

function compilePlain({ text, isStart, isEnd }: PlainText): (text: string) => boolean {
  if (text.length <= MOST_FOR_REGEXP) {
    const escaped = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    const expression = new RegExp(`${isStart ? '^' : ''}${escaped}${isEnd ? '$' : ''}`, 'i')
    return (value) => expression.test(value)
  }
  const folded = foldText(text)
  if (isStart && isEnd) return (value) => foldText(value) === folded
  if (isStart) return (value) => foldText(value.slice(0, text.length)) === folded
  if (isEnd) return (value) => foldText(value.slice(-text.length)) === folded
  const isIn = compileFind(folded)
  return (value) => isIn(foldText(value))
}
