import querystring from 'node:querystring'

const PLUS = 0x2b
const SPACE = 0x20

/** The fields of a form, as an array for a repeated name; undefined if there are too many. */
export function parseForm(text: string, most: number): Record<string, string | string[]> | undefined {
  // With room for an empty one at each end.
  const found = text.split(/&+/, most + 2).filter((field) => field !== '')
  if (found.length > most) return undefined
  const fields = new Map<string, string | string[]>()
  for (const field of found) add(fields, field)
  return Object.fromEntries(fields)
}

function add(fields: Map<string, string | string[]>, field: string): void {
  const equals = field.indexOf('=')
  const name = decode(equals === -1 ? field : field.slice(0, equals))
  const value = equals === -1 ? '' : decode(field.slice(equals + 1))
  const before = fields.get(name)
  if (before === undefined) fields.set(name, value)
  else if (Array.isArray(before)) before.push(value)
  else fields.set(name, [before, value])
}

function decode(text: string): string {
  return querystring.unescape(text.includes('+') ? withSpaces(text) : text)
}

/** On bytes: for millions of `+`, `replaceAll` takes seconds, and so does Node's own `querystring.parse`. */
function withSpaces(text: string): string {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE
  return bytes.toString()
}
