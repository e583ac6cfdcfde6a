import { BOUNDS, MAX_DEPTH, MAX_KEYS } from '../../json/bounds.ts'
import { parseFinite } from '../../json/finite.ts'
import { isDeeperThan } from '../../json/json-depth.ts'
import { findJsonFault, type JsonFault } from '../../json/json-fault.ts'
import { JsonBoundError, type JsonBounds, parseInPieces } from '../../json/parse-in-pieces.ts'
import { searchJsonFault } from '../../json/search-json-fault.ts'
import { BodyError, invalidBody } from './body-error.ts'

/** Parses a JSON object or array; a promise if it is long. A number that overflows is null, as it will be saved. */
export function parseJsonBody(text: string): object | Promise<object> {
  if (text.length > SHORT) return parseLong(text)
  if (isDeeperThan(MAX_DEPTH, text)) throw invalidBody(BEYOND.depth)
  let value: unknown
  try {
    value = parseFinite(text)
  } catch {
    throw malformed(findJsonFault(text))
  }
  return checkKind(value)
}

/** Whether a body was parsed here with bounds, so that a large one need not be checked again. */
export function isKnownToBeBounded(body: object): boolean {
  return BOUNDED.has(body)
}

const BOUNDED = new WeakSet<object>()

/** Parsed in one go. With so few characters, only the depth bound can be exceeded. */
const SHORT = 32 * 1024

const BEYOND: Readonly<Record<keyof JsonBounds, string>> = {
  depth: `The body is nested deeper than ${MAX_DEPTH} levels; send a flatter one.`,
  keys: `An object in the body has more than ${count(MAX_KEYS)} keys; make it an array, or several objects.`,
  values: `The body has more than ${count(BOUNDS.values)} values; send fewer at a time.`,
  indents: 'The body has too many deeply nested values; send a flatter one, or fewer at a time.',
}

async function parseLong(text: string): Promise<object> {
  try {
    const body = checkKind(await parseInPieces(text, BOUNDS))
    BOUNDED.add(body)
    return body
  } catch (error) {
    if (error instanceof JsonBoundError) throw invalidBody(BEYOND[error.bound])
    if (!(error instanceof SyntaxError)) throw error
    throw malformed(await searchJsonFault(text))
  }
}

function malformed({ line, column, expected }: JsonFault): BodyError {
  const message = `The body is not valid JSON: line ${line}, column ${column} should be ${expected}.`
  return new BodyError('MALFORMED_JSON', message)
}

function checkKind(value: unknown): object {
  if (typeof value === 'object' && value !== null) return value
  throw invalidBody('The body must be a JSON object or an array of them, such as {"name": "Desk"}.')
}

function count(number: number): string {
  return number.toLocaleString('en')
}
