import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** re2js, which matches in linear time. Loaded lazily: it is large, and few patterns need it. */
export function loadRe2(): typeof import('re2js') {
  return require('re2js')
}

/** Bytes for what an expression remembers of its states: a query may have 50 patterns. */
const MOST_MEMORY = 2 ** 20

/** @param source as `translate` makes it */
export function compileRe2(source: string): (text: string) => boolean {
  const expression = loadRe2().RE2JS.compile(source)
  const { dfa } = expression.re2()
  dfa.stateBudget = MOST_MEMORY
  dfa.memBudget = MOST_MEMORY
  return (text) => expression.test(splitPairs(foldText(text)))
}

export type Flags = 'i' | 'u'

/** Where `splitPairs` puts half pairs: a plane for private use. */
const HALVES = 0x100000

/** Makes each half of a surrogate pair a character of its own, as which JavaScript sees it without the flag `u`. */
function splitPairs(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, (half) => String.fromCodePoint(HALVES + half.charCodeAt(0)))
}

export type Chars = number | string

/** Finds a character or escape, in a class or outside: one code unit, or one code point. */
export const UNITS =
  /\\(?:([dDsSwW])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|([fnrtv]|0(?!\d))|([^\da-zA-Z]))|[^\\]/y
export const POINTS: RegExp = new RegExp(UNITS, 'uy')

/** The character or class of a match; undefined if that depends on the flags. */
export function toChars(
  [text, set, two, four, many, control, sign]: RegExpExecArray,
  flags: Flags,
): Chars | undefined {
  if (set) return SETS[set]
  if (control) return CONTROLS[control]
  const hex = two ?? four ?? many
  if (hex === undefined) return (sign ?? text).codePointAt(0)
  const point = Number.parseInt(hex, 16)
  // `\u{2}` is a repeated u without the flag; with it, two of these may be a pair.
  const isOdd = flags === 'u' ? isHalf(point) : many !== undefined
  return isOdd ? undefined : point
}

const SETS: Readonly<Record<string, string>> = {
  d: String.raw`\d`,
  D: String.raw`\D`,
  w: String.raw`\w`,
  W: String.raw`\W`,
  s: String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`,
  S: String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`,
}

const CONTROLS: Readonly<Record<string, number>> = { 0: 0, f: 12, n: 10, r: 13, t: 9, v: 11 }

/** The characters of a range and, with the flag `i`, their capitals, as they stand in a class. */
export function toRange(low: number, high: number, flags: Flags): string {
  let source = low === high ? toHex(low) : `${toHex(low)}-${toHex(high)}`
  for (const [unit, capital] of flags === 'i' ? capitals() : []) {
    const isAdded = unit >= low && unit <= high && !(capital >= low && capital <= high)
    if (isAdded) source += toHex(capital)
  }
  if (flags !== 'u' && low <= LAST_HALF && high >= FIRST_HALF)
    source += `${toHex(HALVES + Math.max(low, FIRST_HALF))}-${toHex(HALVES + Math.min(high, LAST_HALF))}`
  return source
}

const [FIRST_HALF, LAST_HALF] = [0xd800, 0xdfff]

function isHalf(point: number): boolean {
  return point >= FIRST_HALF && point <= LAST_HALF
}

function toHex(point: number): string {
  return `\\x{${point.toString(16)}}`
}

/**
 * Folds a code unit for case-insensitive comparison: JavaScript's rule for the flag `i`. Letters with
 * no single capital (ß) are unchanged, and nothing outside ASCII becomes ASCII (ſ is not s, K is not k).
 */
export function foldUnit(unit: number): number {
  return capitals().get(unit) ?? unit
}

/** The text with each code unit folded: two texts are equal but for case if these are equal. */
export function foldText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text.toUpperCase()
  let folded = ''
  for (let at = 0; at < text.length; at++) folded += String.fromCharCode(foldUnit(text.charCodeAt(at)))
  return folded
}

let cachedCapitals: ReadonlyMap<number, number> | undefined

/** What `foldUnit` changes. Built lazily: it takes some milliseconds. */
function capitals(): ReadonlyMap<number, number> {
  if (cachedCapitals) return cachedCapitals
  const found = new Map<number, number>()
  for (let unit = 0; unit <= 0xffff; unit++) {
    const text = String.fromCharCode(unit).toUpperCase()
    const capital = text.charCodeAt(0)
    if (text.length === 1 && capital !== unit && (unit < 0x80 || capital >= 0x80)) found.set(unit, capital)
  }
  cachedCapitals = found
  return found
}
