import { type CharSet, complement, DIGITS, SPACE, single, union, WORD } from './char-set.ts'
import { type Cursor, Unsupported } from './cursor.ts'

/** Reads a character class, including its `]`. */
export function parseClass(cursor: Cursor): CharSet {
  const sets: CharSet[] = []
  while (!cursor.take(']')) {
    if (cursor.isAtEnd) throw new Unsupported()
    const from = parseClassAtom(cursor)
    if (!cursor.sees('-') || cursor.sees('-]')) {
      sets.push(from)
      continue
    }
    cursor.take('-')
    const to = parseClassAtom(cursor)
    const [low, high] = [unitOf(from), unitOf(to)]
    // `[\d-z]` is not a range: the hyphen is literal.
    sets.push(low !== undefined && high !== undefined ? [[low, high]] : union(from, single(0x2d), to))
  }
  return union(...sets)
}

/** Reads what follows a backslash outside a class. */
export function parseEscape(cursor: Cursor): CharSet {
  if (cursor.sees('k') && cursor.hasNamedGroups) throw new Unsupported()
  const reference = cursor.peek(/[1-9]\d*/y)
  if (reference !== undefined && Number(reference) <= cursor.groupCount) throw new Unsupported()
  const control = cursor.match(/c([A-Za-z])/y)
  return control ? controlOf(control) : parseCommonEscape(cursor)
}

function parseClassAtom(cursor: Cursor): CharSet {
  if (!cursor.take('\\')) return single(cursor.next())
  if (cursor.take('b')) return single(0x08)
  const control = cursor.match(/c([\dA-Z_a-z])/y)
  return control ? controlOf(control) : parseCommonEscape(cursor)
}

function parseCommonEscape(cursor: Cursor): CharSet {
  // A `\c` without a letter after it is a backslash followed by `c`.
  if (cursor.sees('c')) return single(0x5c)
  const hex = cursor.match(/x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})/y)
  if (hex) return single(Number.parseInt(hex[1] ?? hex[2] ?? '', 16))
  const octal = cursor.match(/[0-3][0-7]{0,2}|[4-7][0-7]?/y)
  if (octal) return single(Number.parseInt(octal[0], 8))
  const unit = cursor.next()
  return ESCAPES.get(String.fromCharCode(unit)) ?? single(unit)
}

const ESCAPES = new Map<string, CharSet>([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORD],
  ['W', complement(WORD)],
  ['s', SPACE],
  ['S', complement(SPACE)],
  ['t', single(0x09)],
  ['n', single(0x0a)],
  ['v', single(0x0b)],
  ['f', single(0x0c)],
  ['r', single(0x0d)],
])

function controlOf([, letter = '']: RegExpExecArray): CharSet {
  return single(letter.charCodeAt(0) % 32)
}

function unitOf(set: CharSet): number | undefined {
  const [first] = set
  return set.length === 1 && first !== undefined && first[0] === first[1] ? first[0] : undefined
}
