import { schemaPattern } from '../../core/kernel/patterns/schema-pattern.ts'
import type { Maker } from './maker.ts'

/** More of what may be repeated without end makes texts long, and nothing else. */
const MOST_REPEATED = 8

/** Repetitions within repetitions multiply. */
const LONGEST = 10_000

/** The start of a group, a class, an escape, a quantifier, or a character. */
const TOKEN =
  /\((?:\?(?::|<?[=!]|<\w+>))?|\[(?:\\.|[^\]\\])*\]|\\(?:x[\da-f]{2}|u\{[\da-f]+\}|u[\da-f]{4}|p\{[^}]*\}|.)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gisu

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/

/** Texts that match a regular expression; undefined if it has look-around or back-references. */
export function patternMaker(pattern: string): Maker<string> | undefined {
  const tokens = pattern.match(TOKEN) ?? []
  return tokens.some((token) => /^(?:\(\?<?[=!]|\\[1-9k])/.test(token)) ? undefined : choiceOf(tokens)
}

/** Each of these takes its tokens. */
function choiceOf(tokens: string[]): Maker<string> {
  const options = [sequenceOf(tokens)]
  while (tokens[0] === '|') {
    tokens.shift()
    options.push(sequenceOf(tokens))
  }
  return (random) => random.pick(options)(random)
}

function sequenceOf(tokens: string[]): Maker<string> {
  const parts: Maker<string>[] = []
  while (tokens[0] !== undefined && tokens[0] !== '|' && tokens[0] !== ')') {
    parts.push(repeated(atomOf(tokens.shift() ?? '', tokens), tokens))
  }
  return (random) => parts.map((make) => make(random)).join('')
}

function atomOf(token: string, tokens: string[]): Maker<string> {
  if (token.startsWith('(')) {
    const inner = choiceOf(tokens)
    tokens.shift()
    return inner
  }
  if (/^(?:[$^]|\\b)$/i.test(token)) return () => ''
  if (!/^(?:\.$|[\\[])/.test(token)) return () => token
  let characters: readonly string[] | undefined
  return (random) => {
    characters ??= charactersOf(token === '.' ? String.raw`\w` : token)
    return random.pick(characters) ?? ''
  }
}

function repeated(make: Maker<string>, tokens: string[]): Maker<string> {
  const [quantifier, sign, count = '1', comma, end] = QUANTIFIER.exec(tokens[0] ?? '') ?? []
  if (quantifier === undefined) return make
  tokens.shift()
  const least = sign ? Number(sign === '+') : Number(count)
  const isEndless = sign ? sign !== '?' : comma !== '' && end === ''
  const most = isEndless ? least + MOST_REPEATED : Math.min(sign ? 1 : Number(end || least), least + 100)
  return (random) => {
    let text = ''
    // What is empty can be repeated without end.
    let left = Math.min(LONGEST, least + random.below(most - least + 1))
    for (; left > 0 && text.length < LONGEST; left--) text += make(random)
    return text
  }
}

const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))

/** Characters that a class or an escape matches: those of ASCII, and the range of others that it names. */
function charactersOf(token: string): readonly string[] {
  const named = token.startsWith('[^') ? [] : [...token.matchAll(/\\[ux]\{?([\da-f]{2,6})\}?|[^ -~]/giu)]
  const codes = named.map(([char, hex]) => (hex ? Number.parseInt(hex, 16) : char.codePointAt(0)) ?? 0)
  const first = Math.min(...codes)
  const beyond = Array.from({ length: Math.max(0, Math.max(...codes) - first + 1) }, (_, at) =>
    String.fromCodePoint(first + at),
  )
  const pattern = schemaPattern(`^${token}$`)
  return [...PRINTABLE, ...beyond].filter((each) => pattern.test(each))
}
