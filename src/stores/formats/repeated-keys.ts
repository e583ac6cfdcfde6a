import { withoutMark } from './codec.ts'

export interface RepeatedKey {
  readonly name: string
  /** Of the last one, counted from 1. */
  readonly line: number
  readonly column: number
}

/** Up to this size it costs little to look closely, if only the parser is loaded. */
const SMALL = 1_000_000

/** Characters to search for names: all of a file of 32 MB for four names, about 5 ms each. */
const MOST_SEARCHED = 128_000_000

/**
 * Names of collections and objects that a JSON text has more than once: `JSON.parse` drops all but the last.
 * @param names the others that it has
 */
export async function repeatedKeys(json: Buffer, names: readonly string[]): Promise<readonly RepeatedKey[]> {
  const text = withoutMark(json.toString())
  if (!mayRepeat(text, names)) return []
  const { visit } = await import('jsonc-parser')
  const seen = new Set<string>()
  const repeated = new Map<string, RepeatedKey>()
  let depth = 0
  const open = () => void depth++
  const close = () => void depth--
  // It may be written right now, and end too early.
  visit(text, {
    onObjectBegin: open,
    onArrayBegin: open,
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty(name, _offset, _length, line, column) {
      if (depth > 1) return
      if (seen.has(name)) repeated.set(name, { name, line: line + 1, column: column + 1 })
      seen.add(name)
    },
  })
  return [...repeated.values()]
}

/** Whether a name is followed by a colon more than once, at whichever depth: a look takes longer than parsing. */
function mayRepeat(text: string, names: readonly string[]): boolean {
  const isSmall = text.length <= SMALL
  if (isSmall && text.includes('\\u')) return true
  const value = isSmall ? /^\s*:/ : /^\s*:\s*[[{]/
  return names.slice(0, Math.floor(MOST_SEARCHED / text.length)).some((name) => {
    const [, ...after] = text.split(JSON.stringify(name))
    return after.filter((rest) => value.test(rest)).length > 1
  })
}
