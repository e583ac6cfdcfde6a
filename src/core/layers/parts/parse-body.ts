import querystring from 'node:querystring'
import { exceededBound } from '../../kernel/json/exceeded-bound.ts'
import { findJsonFault, findLongJsonFault, type JsonFault } from '../../kernel/json/find-json-fault.ts'
import { BOUNDS, count, type JsonBounds, MAX_DEPTH, MAX_KEYS, storable } from '../../kernel/json/limits.ts'
import { parseInPieces } from '../../kernel/json/parse-in-pieces.ts'
import { attempt } from '../../kernel/util/attempt.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import { BodyError, invalidBody } from './read-body.ts'

/** Characters: others get a turn between the steps. */
const LONG = 1_000_000

/**
 * Parses a JSON object or array. A number that overflows is null, as it will be saved.
 * @param takesAny any other value, too
 */
export async function parseJsonBody(text: string, takesAny = false): Promise<unknown> {
  const bound = exceededBound(text, BOUNDS)
  if (bound !== undefined) throw invalidBody(BEYOND[bound]())
  const isLong = text.length >= LONG
  const pace = new TimeSlice()
  if (isLong) await pace.yieldToEventLoop()
  let value: unknown
  try {
    value = isLong ? await parseInPieces(text, pace) : JSON.parse(text)
  } catch {
    throw malformed(
      isLong
        ? await findLongJsonFault(text, () => (pace.isUsedUp ? pace.yieldToEventLoop() : undefined))
        : findJsonFault(text),
    )
  }
  if (isLong) await pace.yieldToEventLoop()
  const body = isLong || MAY_OVERFLOW.test(text) ? storable(value, MAX_DEPTH) : value
  if (typeof body === 'object' && body !== null) boundedBodies.add(body)
  else if (!takesAny) throw invalidBody(OBJECT_EXPECTED)
  return body
}

/** A number with an exponent, or with as many digits as only one that overflows has. */
const MAY_OVERFLOW = /\d[eE]|(?<!\d)\d{309}/

/** Bodies parsed here, within the bounds: they need no other check. */
export const boundedBodies = new WeakSet<object>()

function malformed({ line, column, expected }: JsonFault): BodyError {
  const message = `The body is not valid JSON: line ${line}, column ${column} should be ${expected}.`
  return new BodyError('MALFORMED_JSON', message)
}

/** Functions, since the first number in English loads tables of the language, at each start. */
const BEYOND: Readonly<Record<keyof JsonBounds, () => string>> = {
  depth: () => `The body is nested deeper than ${MAX_DEPTH} levels; send a flatter one.`,
  keys: () =>
    `An object in the body has more than ${count(MAX_KEYS)} keys; make it an array, or several objects.`,
  values: () => `The body has more than ${count(BOUNDS.values)} values; send fewer at a time.`,
  indents: () => 'The body has too many deeply nested values; send a flatter one, or fewer at a time.',
}

const OBJECT_EXPECTED = 'The body must be a JSON object or an array of them, such as {"name": "Desk"}.'

const PLUS = 0x2b
const SPACE = 0x20

/** The fields of a form, as an array for a repeated name; undefined if there are too many. */
export function parseForm(text: string, most: number): Record<string, string | string[]> | undefined {
  // There may be an empty part at each end.
  const parts = text.split(/&+/, most + 2).filter((part) => part !== '')
  if (parts.length > most) return undefined
  const fields = new Map<string, string | string[]>()
  for (const part of parts) addField(fields, part)
  return Object.fromEntries(fields)
}

function addField(fields: Map<string, string | string[]>, part: string): void {
  const equals = part.indexOf('=')
  const name = decode(equals === -1 ? part : part.slice(0, equals))
  const value = equals === -1 ? '' : decode(part.slice(equals + 1))
  const before = fields.get(name)
  if (before === undefined) fields.set(name, value)
  else if (Array.isArray(before)) before.push(value)
  else fields.set(name, [before, value])
}

/** On bytes: for millions of `+`, `replaceAll` takes seconds, and so does Node's own `querystring.parse`. */
function decode(text: string): string {
  if (!text.includes('+')) return querystring.unescape(text)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE
  return querystring.unescape(bytes.toString())
}

const UTF_8 = new TextDecoder()

/** Decodes a body by the charset in its content type; undefined if that is not a Unicode charset. */
export function decodeBody(bytes: Uint8Array, contentType = ''): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  if (/^utf-8$/i.test(charset)) return UTF_8.decode(bytes)
  return /^utf-/i.test(charset) ? attempt(() => new TextDecoder(charset).decode(bytes)) : undefined
}
