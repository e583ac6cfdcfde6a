import { ANY, type PatternBuilder, PatternParser } from '../patterns/pattern-parser.ts'
import type { Maker } from './maker.ts'

/** More of what may be repeated without end makes texts long, and nothing else. */
const MOST_REPEATED = 8

/** Repetitions within repetitions multiply. */
const LONGEST = 10_000

/** Texts that match a regular expression; undefined if it has what is not known here, such as lookarounds. */
export function patternMaker(pattern: string): Maker<string> | undefined {
  const parser = new PatternParser(pattern, 'u', BUILDER)
  const make = parser.whole()
  return parser.isForRe2 ? make : undefined
}

const BUILDER: PatternBuilder<Maker<string>> = {
  atom(source) {
    if (!source.startsWith('[')) return () => ''
    let characters: readonly string[] | undefined
    return (random) => {
      characters ??= charactersOf(source === ANY ? String.raw`[\w]` : source)
      return random.pick(characters) ?? ''
    }
  },
  sequence: (parts) => (random) => parts.map((make) => make(random)).join(''),
  choice: (options) => (random) => random.pick(options)(random),
  group: (inner) => inner,
  repeat(make, _, least, max) {
    const most = max === Number.POSITIVE_INFINITY ? least + MOST_REPEATED : Math.min(max, least + 100)
    return (random) => {
      let text = ''
      for (let left = least + random.below(most - least + 1); left > 0 && text.length < LONGEST; left--)
        text += make(random)
      return text
    }
  },
  lookaround: (group) => group,
  backreference: (source) => () => source,
}

const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))

/** Those of ASCII that a class of re2 has; else those between the first and the last that it names. */
function charactersOf(source: string): readonly string[] {
  const expression = new RegExp(`^${source.replaceAll('\\x{', '\\u{')}$`, 'u')
  const printable = PRINTABLE.filter((each) => expression.test(each))
  if (printable.length > 0) return printable
  const named = [...source.matchAll(/\\x\{([\da-f]+)\}/g)].map(([, hex = '']) => Number.parseInt(hex, 16))
  const first = Math.min(...named)
  const length = Math.max(...named) - first + 1
  const others = Array.from({ length }, (_, at) => String.fromCodePoint(first + at))
  return others.filter((each) => expression.test(each))
}
