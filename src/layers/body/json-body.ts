import { JsonBoundError, JsonParser, parseInPieces } from '../../json/json-parser.ts'
import { JsonSyntaxError } from '../../json/json-scanner.ts'
import type { JsonBounds } from '../../json/limits.ts'
import { BOUNDS, MAX_DEPTH, MAX_KEYS, storable } from '../../json/limits.ts'
import { BodyError, invalidBody } from './body-error.ts'

/** Parses a JSON object or array; a promise if it is long. A number that overflows is null, as it will be saved. */
export function parseJsonBody(text: string): object | Promise<object> {
  if (text.length > SHORT) return parseLong(text)
  try {
    return checkKind(parseShort(text))
  } catch (error) {
    throw explained(error)
  }
}

/** Whether a body was parsed here with bounds, so that a large one need not be checked again. */
export function isKnownToBeBounded(body: object): boolean {
  return BOUNDED.has(body)
}

const BOUNDED = new WeakSet<object>()

/** Parsed in one go. With so few characters, only the depth bound can be exceeded. */
const SHORT = 32 * 1024

function parseShort(text: string): unknown {
  let value: unknown
  try {
    value = storable<unknown>(JSON.parse(text), MAX_DEPTH)
  } catch {
    // This says where, or that it is nested too deep before that.
    const parser = new JsonParser(BOUNDS)
    parser.push(text)
    return parser.end()
  }
  if (value === undefined) throw new JsonBoundError('depth')
  return value
}

async function parseLong(text: string): Promise<object> {
  try {
    const body = checkKind(await parseInPieces(text, BOUNDS))
    BOUNDED.add(body)
    return body
  } catch (error) {
    throw explained(error)
  }
}

const BEYOND: Readonly<Record<keyof JsonBounds, string>> = {
  depth: `The body is nested deeper than ${MAX_DEPTH} levels; send a flatter one.`,
  keys: `An object in the body has more than ${count(MAX_KEYS)} keys; make it an array, or several objects.`,
  values: `The body has more than ${count(BOUNDS.values)} values; send fewer at a time.`,
  indents: 'The body has too many deeply nested values; send a flatter one, or fewer at a time.',
}

function explained(error: unknown): unknown {
  if (error instanceof JsonBoundError) return invalidBody(BEYOND[error.bound])
  if (!(error instanceof JsonSyntaxError)) return error
  const { line, column, expected } = error.fault
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
