import { compilePath } from '../../query/path.ts'
import { fold } from '../../query/value/fold.ts'
import type { Condition, Operator } from '../../types.ts'
import { isClean } from '../layout/clean-text.ts'
import type { Values } from './columns.ts'
import { literalsOf } from './literals.ts'

/** Parts of a text that have to be in the words of a row. */
type Parts = readonly string[]

/**
 * A test by the words of a row (all that a search sees, in lower case), which finds at least the rows that pass.
 * Undefined if words cannot tell.
 *
 * What passes has a text that contains the parts: that of a value, or of a list, whose entries have commas between them.
 * Words have every value as it is, so a part without a comma is in them, unless it may come from a value that words leave
 * out (nothing, 0, false) or from an object.
 */
export function narrowByWords(
  { path, op, values }: Condition,
  given: Values,
  { isOneText, areAllThere }: { readonly isOneText: boolean; readonly areAllThere: boolean },
): string | undefined {
  const partsOf = PARTS[op]
  // What is inherited is in no row: the length of a list, for one.
  if (!partsOf || compilePath(path).steps.some(({ isInherited }) => isInherited)) return undefined
  const ways: Parts[] = []
  for (const value of values) {
    const found = partsOf(value)?.map((parts) =>
      parts.flatMap((part) => (isOneText ? part : part.split(','))).filter(isInWords),
    )
    // Any of them may be what passes.
    if (!found?.every((parts) => parts.length > 0)) return undefined
    ways.push(...found)
  }
  if (ways.length === 0) return undefined
  const tests = ways.map((parts) => {
    const patterns = isOneText ? [pattern(...parts)] : parts.map((part) => pattern(part))
    return `(${patterns.map((one) => `words LIKE ${given.add(one)}`).join(' AND ')})`
  })
  return `(${areAllThere ? '' : 'words IS NULL OR '}${tests.join(' OR ')})`
}

/** For each way to pass, what the text has in it in lower case. */
const PARTS: { readonly [O in Operator]?: (value: string) => readonly Parts[] | undefined } = {
  eq: (value) => [[value.toLowerCase()]],
  in: (value) => [[value.toLowerCase()]],
  like: literalsOf,
  contains: (value) => [[fold(value)]],
  startsWith: (value) => [[fold(value)]],
  endsWith: (value) => [[fold(value)]],
}

/** Texts of values that are not in the words of their row. */
const NOT_IN_WORDS = ['', '0', 'false', '[object object]']

/** Sigma has two small letters, of which filters make one, and words none. */
function isInWords(part: string): boolean {
  return isClean(part) && !/[σς]/.test(part) && !NOT_IN_WORDS.some((text) => text.includes(part))
}

/** A pattern for `LIKE` that finds texts anywhere, one after the other. */
export function pattern(...texts: readonly string[]): string {
  return `%${texts.map((text) => text.replace(/[\\%_]/g, '\\$&')).join('%')}%`
}
