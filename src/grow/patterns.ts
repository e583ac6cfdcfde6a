import { type PatternBuilder, PatternParser } from '../core/kernel/patterns/pattern-parser.ts'
import { schemaPattern } from '../core/kernel/patterns/schema-pattern.ts'
import type { Maker } from './maker.ts'

/** More of what may be repeated without end makes texts long, and nothing else. */
const MOST_REPEATED = 8

/** Repetitions within repetitions multiply. */
const LONGEST = 10_000

/** Texts that match a regular expression; undefined if it has what is not known here, such as lookarounds. */
export function patternMaker(pattern: string): Maker<string> | undefined {
  const parser = new PatternParser(pattern, 'u', BUILDER)
  const make = parser.whole()
  return parser.unsupported === undefined ? make : undefined
}

const BUILDER: PatternBuilder<Maker<string>> = {
  atom(source, written) {
    if (!source.startsWith('[')) return () => ''
    if ([...written].length === 1 && written !== '.') return () => written
    let characters: readonly string[] | undefined
    return (random) => {
      characters ??= charactersOf(source, written === '.' ? String.raw`\w` : written)
      return random.pick(characters) ?? ''
    }
  },
  sequence: (parts) => (random) => parts.map((make) => make(random)).join(''),
  choice: (options) => (random) => random.pick(options)(random),
  group: (inner) => inner,
  repeat(make, quantifier, least, max) {
    const usual = MOST_REPEATED + (quantifier.startsWith('{') ? least : 0)
    const most = max === Number.POSITIVE_INFINITY ? usual : Math.min(max, least + 100)
    return (random) => {
      let text = ''
      // What is empty can be repeated without end.
      let left = Math.min(LONGEST, least + random.below(most - least + 1))
      for (; left > 0 && text.length < LONGEST; left--) text += make(random)
      return text
    }
  },
}

const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))

/** What a class matches: of ASCII, and between the first and the last of others that it names. */
function charactersOf(source: string, written: string): readonly string[] {
  const isNaming = !/^\[\^|\\[sSDW]/.test(written)
  const codes = [...source.matchAll(/\\x\{([\da-f]+)\}/g)].map(([, hex = '']) => Number.parseInt(hex, 16))
  const others = isNaming ? codes.filter((code) => code < 32 || code > 126) : []
  const first = Math.min(...others)
  const beyond = Array.from({ length: Math.max(...others) - first + 1 }, (_, at) =>
    String.fromCodePoint(first + at),
  )
  const pattern = schemaPattern(`^${written}$`)
  return [...PRINTABLE, ...beyond].filter((each) => pattern.test(each))
}
