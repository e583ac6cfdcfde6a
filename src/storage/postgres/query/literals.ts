import type { CharSet } from '../../query/like/char-set.ts'
import { ignoringCase } from '../../query/like/letter-case.ts'
import { isLiteral, MOST_CHARACTERS } from '../../query/like/like.ts'
import { type Pattern, parsePattern } from '../../query/like/parse-pattern.ts'

/** More code units than this in a set are not cases of one letter. */
const MOST_CASES = 4

/**
 * What every text that matches a `_like` pattern has in it, in lower case: for each way to match, parts that follow
 * each other without overlap. Undefined if that cannot be told.
 */
export function literalsOf(pattern: string): readonly (readonly string[])[] | undefined {
  if (isLiteral(pattern)) return [partsOf(plain(pattern))]
  const parsed = pattern.length > MOST_CHARACTERS ? undefined : parsePattern(pattern)
  if (!parsed) return undefined
  return (parsed.kind === 'choice' ? parsed.parts : [parsed]).map(partsOf)
}

function plain(text: string): Pattern {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return {
    kind: 'sequence',
    parts: units.map((unit) => ({ kind: 'chars', set: ignoringCase([[unit, unit]]) })),
  }
}

function partsOf(pattern: Pattern): readonly string[] {
  const parts: string[] = []
  let run = ''
  const end = () => {
    if (run !== '') parts.push(run)
    run = ''
  }
  const take = (one: Pattern) => {
    if (one.kind === 'sequence') for (const part of one.parts) take(part)
    else if (one.kind === 'chars') {
      const letter = letterOf(one.set)
      if (letter === undefined) end()
      else run += letter
    } else if (one.kind !== 'assertion') {
      end()
      if (one.kind === 'repeat' && one.min > 0) take(one.part)
      end()
    }
  }
  take(pattern)
  end()
  return parts
}

/** What all of the set are in lower case, wherever they stand: not so for sigma, nor for halves of surrogate pairs. */
function letterOf(set: CharSet): string | undefined {
  let letter: string | undefined
  let cases = 0
  for (const [low, high] of set) {
    cases += high - low + 1
    if (cases > MOST_CASES || (high >= 0xd800 && low <= 0xdfff)) return undefined
    for (let unit = low; unit <= high; unit++) {
      const lower = String.fromCharCode(unit).toLowerCase()
      if (letter !== undefined && lower !== letter) return undefined
      letter = lower
    }
  }
  return letter === undefined || /[σς]/.test(letter) ? undefined : letter
}
