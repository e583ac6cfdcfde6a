import { StorageError } from '../../catalogue/error-classes.ts'
import { JsonBoundError, parseInPieces, UNBOUNDED } from '../../json/json-parser.ts'
import { findJsonFault, type JsonFault, JsonSyntaxError } from '../../json/json-scanner.ts'
import { isWithin, storable } from '../../json/limits.ts'
import { isRecord, setField } from '../../json/values.ts'
import type { Data } from '../types.ts'
import { decodeJson, explainFault, withoutMark } from './json-text.ts'

/** Levels of nesting: beyond any real file, and well below where `JSON.stringify` runs out of stack. */
export const MAX_DEPTH = 1000

/** Anything but UTF-8 is refused: the next save would damage it for good. */
export function decodeText(bytes: Uint8Array, name: string): string {
  const text = decodeJson(bytes)
  if (text === undefined) throw notUtf8(name)
  return text
}

export function notUtf8(name: string): StorageError {
  return invalid(`${name} is not UTF-8 text. Save it as UTF-8.`)
}

/** Makes data of what a file holds. */
export type Arrange = (value: unknown) => unknown

export function parseData(text: string, name: string, arrange: Arrange = asIs): Data {
  const json = withoutMark(text)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw syntaxFault(findJsonFault(json), name, cause)
  }
  return storableData(arrange(value), name)
}

function asIs(value: unknown): unknown {
  return value
}

/** The value as it will be saved, if it is an object of collections and objects. */
function storableData(value: unknown, name: string): Data {
  const data = checkParts(value, name)
  for (const [key, part] of Object.entries(data)) {
    // Null for numbers that overflow, as the next save would write them.
    const stored = storable(part, MAX_DEPTH - 1)
    if (stored === undefined) throw tooDeep(key, name)
    if (stored !== part) setField(data, key, stored)
  }
  return data
}

/** Characters that `JSON.parse` takes a tenth of a second for. In pieces it takes longer, but does not block. */
const LONG = 16 * 1024 * 1024

export async function parseLongData(
  text: string,
  name: string,
  arrange: Arrange = asIs,
  long = LONG,
): Promise<Data> {
  if (text.length < long) return parseData(text, name, arrange)
  const json = withoutMark(text)
  try {
    return checkParts(arrange(await parseInPieces(json, { ...UNBOUNDED, depth: MAX_DEPTH })), name)
  } catch (error) {
    // Only the parsed value shows which part is nested too deep.
    if (error instanceof JsonBoundError) return parseData(json, name, arrange)
    throw error instanceof JsonSyntaxError ? syntaxFault(error.fault, name, error) : error
  }
}

export function syntaxFault(fault: JsonFault, name: string, cause?: unknown): StorageError {
  const isEmpty = fault.state === 'root' && fault.expected === 'a value' && fault.found === ''
  const isCommented = name.endsWith('.json') && /^\/[/*]/.test(fault.found)
  const also = isCommented ? ' Or name the file .jsonc, where comments stay.' : ''
  return invalid(
    `${name} is ${isEmpty ? 'empty. Put at least {} in it.' : explainFault(fault) + also}`,
    cause,
  )
}

/** The value, if it is an object of collections and objects. */
export function checkData(value: unknown, name: string): Data {
  const data = checkParts(value, name)
  for (const [key, part] of Object.entries(data)) {
    if (!isWithin(part, MAX_DEPTH - 1)) throw tooDeep(key, name)
  }
  return data
}

export function tooDeep(key: string, name: string): StorageError {
  const remedy = 'make it flatter, or remove the cycle'
  return invalid(`${name} is nested deeper than ${MAX_DEPTH} levels under "${key}": ${remedy}.`)
}

export function checkParts(value: unknown, name: string): Data {
  if (!isRecord(value)) {
    const expected = 'an object of collections is expected, such as { "posts": [] }'
    throw invalid(`${name} holds ${kindOf(value)} where ${expected}.`)
  }
  for (const [key, part] of Object.entries(value)) {
    if (key.includes('/')) {
      throw invalid(`${name} has the key "${key}": rename it without "/", or map the path in a routes file.`)
    }
    if (key !== '$schema' && !Array.isArray(part) && !isRecord(part)) {
      const remedy = 'make it an array of objects, or a single object'
      throw invalid(`${name} has ${kindOf(part)} under "${key}": ${remedy}.`)
    }
  }
  return value
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'a class instance' : `a ${typeof value}`
}

export function invalid(message: string, cause?: unknown): StorageError {
  return new StorageError('INVALID_DATA', message, { cause })
}
