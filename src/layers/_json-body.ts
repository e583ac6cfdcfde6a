import type { ErrorBody } from '../errors.ts'
import { findJsonFault } from '../json-fault.ts'

/** Levels of objects and lists in a body. Far deeper ones overflow the stack when they are sent again. */
export const MAX_DEPTH = 100

/** A body that cannot be used, as it is answered. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, error: string, code: string, message: string) {
    super(message)
    this.status = status
    this.body = { error, message, code }
  }
}

/** The object or list that a text holds. `__proto__` is a name like any other, as `JSON.parse` has it. */
export function parseJsonBody(text: string): object {
  if (isDeeperThan(MAX_DEPTH, text)) {
    throw invalidBody(`The body is nested deeper than ${MAX_DEPTH} levels; send a flatter one.`)
  }
  const value = parse(text)
  if (typeof value === 'object' && value !== null) return value
  throw invalidBody('The body must be a JSON object or a list of them, such as {"name": "Desk"}.')
}

/** The refusal of a body that is no object or list. */
export function invalidBody(message: string, status = 400): BodyError {
  return new BodyError(status, 'Invalid body', 'INVALID_BODY', message)
}

/**
 * A number such as 1e999 is read as Infinity, and saved as null. It is null from the start, so that what is
 * answered and searched is what will be found in the file.
 */
const MAY_OVERFLOW = /\d[eE]\+?\d{3}|\d{300}/

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return MAY_OVERFLOW.test(text) ? JSON.parse(JSON.stringify(value)) : value
  } catch {
    const { line, column, expected } = findJsonFault(text)
    const message = `The body is no valid JSON: line ${line}, column ${column} should be ${expected}.`
    throw new BodyError(400, 'Malformed JSON', 'MALFORMED_JSON', message)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `{` or `[`, and `}` or `]`, once the bit that tells them apart is set. */
const BRACE_BIT = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

/** Counts brackets outside strings: no parsing, no recursion, and it stops at the first level too many. */
function isDeeperThan(limit: number, text: string): boolean {
  if (text.length <= limit) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
    } else if ((code | BRACE_BIT) === OPEN) {
      depth += 1
      if (depth > limit) return true
    } else if ((code | BRACE_BIT) === CLOSE) {
      depth -= 1
    }
  }
  return false
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}
