import type { JsonBounds } from './limits.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b
const CLOSE_OBJECT = 0x7d
const CLOSE_LIST = 0x5d

/** The first bound that a JSON text exceeds, before anything is made of it. Whether it is valid does not matter. */
export function exceededBound(text: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  /** How many keys each open object may still have; a list, any number. */
  const open: number[] = []
  let values = 0
  let indents = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) open.pop()
    else if (code === OPEN_OBJECT || code === OPEN_LIST || code === COMMA) {
      const keys =
        code === COMMA ? (open.pop() ?? 0) - 1 : code === OPEN_LIST ? Number.POSITIVE_INFINITY : bounds.keys
      if (keys === 0) return 'keys'
      open.push(keys)
      values += 1
      indents += open.length
      if (open.length > bounds.depth) return 'depth'
      if (values > bounds.values) return 'values'
      if (indents > bounds.indents) return 'indents'
    }
  }
  return undefined
}

export function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1
  return at
}
