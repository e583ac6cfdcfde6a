import { MAX_DEPTH } from './bounds.ts'

/** Characters of a pointer. No data has longer names, and to unescape millions of characters takes a second. */
const MAX_POINTER = 64 * 1024

export function isPointer(text: string): boolean {
  if (text.length > MAX_POINTER) return false
  return text === '' || (text.startsWith('/') && !/~(?![01])/.test(text))
}

/**
 * The names in a JSON Pointer, after an empty one for the value itself. A path deeper than any value can be is cut short: it
 * still leads nowhere.
 */
export function parsePointer(text: string): readonly string[] {
  const names = text.split('/', MAX_DEPTH + 3)
  return text.includes('~') ? names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')) : names
}

/** The index in a list that a name stands for, at most its length; undefined for `01`, `-1`, `1e0` and the like. */
export function placeIn(list: readonly unknown[], name: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(name)) return undefined
  const place = Number(name)
  return place <= list.length ? place : undefined
}

export function isWithinPath(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= path.length && prefix.every((name, at) => path[at] === name)
}
