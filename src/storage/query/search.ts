import type { Verdict, Work } from '../../work/in-slices.ts'
import { compileFind, LONG_TEXT, PIECE } from './like/find-text.ts'

/** Values of a row tested in one go; a longer one counts as several. */
const MOST_VALUES = 1000
const VALUE_LENGTH = 32

/** A quick test of a value; undefined if it takes longer. */
type Glance = (value: unknown) => boolean | undefined

/**
 * Full-text search like json-server 0.17.4: a row matches if any value in it, at any depth, contains the
 * text. Field names do not count, nor do 0, false and the empty string. `search` is in lower case.
 */
export function compileSearch(search: string): (row: unknown) => Verdict {
  // Converting numbers to strings costs more than all the rest, and most searches cannot match one.
  const mayBeNumber = /^[-+.\deinfaty]*$/.test(search)
  const isIn = compileFind(search)

  function holds(value: unknown): boolean | undefined {
    if (typeof value === 'string') {
      return value.length > LONG_TEXT ? undefined : isIn(value.toLowerCase())
    }
    if (!value || (typeof value === 'number' && !mayBeNumber)) return false
    return isIn(String(value).toLowerCase())
  }
  function* holdsLong(text: string): Work<boolean> {
    for (const piece of piecesOf(text, search.length)) {
      if (isIn(piece.toLowerCase())) return true
      yield
    }
    return false
  }
  function* someValueLong(row: unknown): Work<boolean> {
    let seen = 0
    for (const value of valuesOf(row)) {
      const verdict = holds(value)
      if (verdict ?? (yield* holdsLong(String(value)))) return true
      if (++seen % MOST_VALUES === 0) yield
    }
    return false
  }
  return (row) => someValue(row, holds) ?? someValueLong(row)
}

/**
 * Parts of a text, overlapping, that lowercase the same as the whole. Only one letter, the
 * Greek sigma, has another lower case at the end of a word; and some letters are surrogate pairs.
 */
function* piecesOf(text: string, overlap: number): Generator<string> {
  if (text.includes('\u03a3')) return yield text
  for (let start = 0; start < text.length; ) {
    const next = start + PIECE + (isSecondHalf(text, start + PIECE) ? 1 : 0)
    const end = next + overlap
    yield text.slice(start, end + (isSecondHalf(text, end) ? 1 : 0))
    start = next
  }
}

function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** The searchable text of a row, one line per value; undefined if it has more than `most` characters. */
export function searchText(row: unknown, most: number): string | undefined {
  const texts: string[] = []
  let size = 0
  const isLong = someValue(row, (value) => {
    if (!value) return false
    const text = String(value)
    texts.push(text)
    size += text.length + 1
    return size > most
  })
  return isLong === false ? texts.join('\n') : undefined
}

/** Whether any value in a row, at any depth, passes; undefined if there are too many, or one is too long. */
function someValue(row: unknown, passes: Glance): boolean | undefined {
  // An explicit stack instead of recursion: data may be nested deeper than the call stack allows.
  const pending: unknown[] = [row]
  let left = MOST_VALUES
  while (pending.length > 0) {
    const value = pending.pop()
    if (Array.isArray(value)) {
      left -= value.length
      if (left < 0) return undefined
      for (const item of value) pending.push(item)
    } else if (typeof value !== 'object' || value === null) {
      if (typeof value === 'string') left -= value.length / VALUE_LENGTH
      if (left < 0) return undefined
      const verdict = passes(value)
      if (verdict !== false) return verdict
    } else {
      for (const key in value) {
        const field: unknown = (value as Record<string, unknown>)[key]
        left -= typeof field === 'string' ? 1 + field.length / VALUE_LENGTH : 1
        if (left < 0) return undefined
        if (typeof field === 'object') pending.push(field)
        else {
          const verdict = passes(field)
          if (verdict !== false) return verdict
        }
      }
    }
  }
  return false
}

/** All scalar values in a row. */
function* valuesOf(row: unknown): Generator<unknown> {
  const stack: Iterator<unknown>[] = [[row].values()]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { done, value } = top.next()
    if (done) stack.pop()
    else if (typeof value !== 'object' || value === null) yield value
    else stack.push(Array.isArray(value) ? value.values() : fieldsOf(value))
  }
}

function* fieldsOf(object: object): Generator<unknown> {
  for (const key in object) yield (object as Record<string, unknown>)[key]
}
