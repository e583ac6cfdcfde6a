/** Up to this size every byte is looked at. Beyond, that would take nearly as long as parsing. */
const MOST_SCANNED = 4_000_000

/** Up to this size a file is worth a look at all. Larger ones are made by programs, which repeat no keys. */
export const MOST_BYTES = 32_000_000

/** Bytes that may be searched for the names of a larger file: 32 MB for four of them, some 5 ms each. */
const MOST_SEARCHED = 4 * MOST_BYTES

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * The names that stand more than once at the top of a JSON object, of which parsers keep the last in silence.
 * @param json valid JSON
 * @param names those that the parsed object has
 */
export function repeatedKeys(json: Buffer, names: readonly string[]): readonly string[] {
  const searched = names.slice(0, Math.max(1, Math.floor(MOST_SEARCHED / json.length)))
  if (json.length > MOST_SCANNED && !searched.some((name) => mayRepeat(json, name))) return []
  const keys = topLevelKeys(json)
  return [...new Set(keys.filter((key, place) => keys.indexOf(key) !== place))]
}

/** Whether more than one place looks like the beginning of a collection or object of that name. */
function mayRepeat(json: Buffer, name: string): boolean {
  const quoted = Buffer.from(JSON.stringify(name))
  let count = 0
  for (let at = json.indexOf(quoted); at >= 0; at = json.indexOf(quoted, at + quoted.length)) {
    if (isBeginning(json, at, at + quoted.length) && ++count > 1) return true
  }
  return false
}

/** Before it comes the opening brace, or the end of another collection or object; behind it `: [` or `: {`. */
function isBeginning(json: Buffer, start: number, end: number): boolean {
  const colon = skipSpace(json, end, 1)
  if (json[colon] !== code(':') || !isOneOf(json[skipSpace(json, colon + 1, 1)], '[{')) return false
  const before = skipSpace(json, start - 1, -1)
  return isOneOf(json[before], '{') || isOneOf(json[skipSpace(json, before - 1, -1)], ']}"')
}

function topLevelKeys(json: Buffer): readonly string[] {
  const keys: string[] = []
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) {
      const end = endOfString(json, at)
      const isKey = depth === 1 && json[skipSpace(json, end, 1)] === code(':')
      if (isKey) keys.push(String(JSON.parse(json.toString('utf8', at, end))))
      at = end - 1
    } else if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return keys
}

/** Just past the closing quote. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at + 1
}

function skipSpace(json: Buffer, from: number, step: 1 | -1): number {
  let at = from
  while (isOneOf(json[at], ' \t\n\r')) at += step
  return at
}

function isOneOf(byte: number | undefined, chars: string): boolean {
  return byte !== undefined && chars.includes(String.fromCharCode(byte))
}

function code(char: string): number {
  return char.charCodeAt(0)
}
