import type { TimeSlice } from '../util/pace.ts'
import { endOfString } from './exceeded-bound.ts'
import { setField } from './values.ts'

/** Characters: even the worst take only some milliseconds. */
const PIECE = 64 * 1024

/** Each level is walked again; deeper ones are parsed in one go. */
const MOST_WALKED = 8

/**
 * `JSON.parse` with pauses: it takes a second for 10 MB with different names. Finds the commas of long arrays and objects, and
 * leaves what is between them to `JSON.parse`. Throws, as that does, if the text is not valid.
 */
export async function parseInPieces(text: string, pace: TimeSlice, level = 1): Promise<unknown> {
  const json = text.trim()
  const isList = json.startsWith('[') && json.endsWith(']')
  const isObject = json.startsWith('{') && json.endsWith('}')
  if (json.length <= PIECE || level > MOST_WALKED || !(isList || isObject)) return JSON.parse(json)
  const value: unknown[] | object = isList ? [] : {}
  if (json.slice(1, -1).trim() === '') return value
  let [from, last] = [1, 0]
  const addUpTo = async (end: number, isLong: boolean): Promise<void> => {
    const members = json.slice(from, end)
    from = end + 1
    if (members.trim() === '') throw new SyntaxError('A member is missing.')
    if (!isLong) add(value, JSON.parse(isList ? `[${members}]` : `{${members}}`))
    else if (isList) add(value, [await parseInPieces(members, pace, level + 1)])
    else {
      const colon = members.indexOf(':', endOfString(members, members.indexOf('"')))
      const [name = ''] = Object.keys(JSON.parse(`{${members.slice(0, colon + 1)}0}`))
      setField(value, name, await parseInPieces(members.slice(colon + 1), pace, level + 1))
    }
  }
  for (const end of endsOfMembers(json)) {
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    const isLong = end - last > PIECE
    if (isLong && last >= from) await addUpTo(last, false)
    if (isLong || end - from > PIECE || end === json.length - 1) await addUpTo(end, isLong)
    last = end
  }
  return value
}

function add(value: object, members: object): void {
  if (Array.isArray(value) && Array.isArray(members)) for (const member of members) value.push(member)
  else for (const [name, member] of Object.entries(members)) setField(value, name, member)
}

/** Where the members of an array or object end: its own commas, and its last bracket. */
function* endsOfMembers(json: string): Generator<number> {
  const end = json.length - 1
  let depth = 0
  for (let at = 1; at < end; at++) {
    const char = json[at]
    if (char === '"') at = endOfString(json, at)
    else if (char === '[' || char === '{') depth += 1
    else if (char === ']' || char === '}') depth -= 1
    else if (char === ',' && depth === 0) yield at
    if (depth < 0 || at >= end) throw new SyntaxError('A bracket or quote is missing.')
  }
  if (depth !== 0) throw new SyntaxError('A bracket is missing.')
  yield end
}
