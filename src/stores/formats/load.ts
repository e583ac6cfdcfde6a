import { isUtf8 } from 'node:buffer'
import type { Data } from '../../core/engine/types.ts'
import { ConfigError, StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { findJsonFault, findLongJsonFault, type JsonFault } from '../../core/kernel/json/find-json-fault.ts'
import { isWithin, type NumberCheck, withFiniteNumbers } from '../../core/kernel/json/limits.ts'
import { parseInPieces } from '../../core/kernel/json/parse-in-pieces.ts'
import { describeRounded } from '../../core/kernel/json/rounded-numbers.ts'
import { isRecord } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { MOST_LEVELS, withoutMark } from './codec.ts'

/** Anything but UTF-8 is refused: the next save would damage it for good. */
export function decodeText(bytes: Uint8Array, name: string): string {
  const text = decodeJson(bytes)
  if (text === undefined) throw notUtf8(name)
  return text
}

function notUtf8(name: string): StorageError {
  return invalid(`${name} is not UTF-8 text. Save it as UTF-8.`)
}

export function parseData(text: string, name: string): Data {
  return parseDocument(text, name, (value) => value).data
}

export interface ParsedDocument {
  readonly data: Data
  /** Numbers that are others once they are read, and their places. */
  readonly rounded: string | undefined
}

/**
 * @param arrange makes data of what a file holds
 * @param written the text in the file, where numbers may have more digits
 */
export function parseDocument(
  text: string,
  name: string,
  arrange: (value: unknown) => unknown,
  written = text,
): ParsedDocument {
  const json = withoutMark(text)
  const value: unknown = attempt(() => JSON.parse(json))
  if (value === undefined) throw syntaxFault(findJsonFault(json), name)
  return documentOf(value, name, arrange, written)
}

/** The same, with pauses for other requests: while a server runs. */
export async function parseLongDocument(
  ...[text, name, arrange, written = text]: Parameters<typeof parseDocument>
): Promise<ParsedDocument> {
  const json = withoutMark(text)
  const pace = new TimeSlice()
  const value = await parseInPieces(json, pace).catch(async () => {
    throw syntaxFault(
      await findLongJsonFault(json, () => (pace.isUsedUp ? pace.yieldToEventLoop() : undefined)),
      name,
    )
  })
  await pace.yieldToEventLoop()
  return documentOf(value, name, arrange, written)
}

function documentOf(
  value: unknown,
  name: string,
  arrange: (value: unknown) => unknown,
  written: string,
): ParsedDocument {
  const numbers = { isInfinite: false, mayBeRounded: false }
  const data = checkData(arrange(value), name, numbers)
  const rounded = numbers.mayBeRounded ? describeRounded(written) : undefined
  // Null for numbers that overflow, as the next save would write them.
  return { data: numbers.isInfinite ? (withFiniteNumbers(data) ?? data) : data, rounded }
}

function syntaxFault(fault: JsonFault, name: string): StorageError {
  const isEmpty = fault.state === 'root' && fault.expected === 'a value' && fault.found === ''
  const isCommented = name.endsWith('.json') && /^\/[/*]/.test(fault.found)
  const also = isCommented ? ' Or name the file .jsonc, where comments stay.' : ''
  return invalid(`${name} is ${isEmpty ? 'empty. Put at least {} in it.' : explainFault(fault) + also}`)
}

/** The value, if it is an object of collections and objects. */
export function checkData(value: unknown, name: string, numbers?: NumberCheck): Data {
  const data = checkParts(value, name)
  for (const [key, part] of Object.entries(data)) {
    if (!isWithin(part, MOST_LEVELS - 1, numbers)) throw tooDeep(key, name)
  }
  return data
}

function tooDeep(key: string, name: string): StorageError {
  const remedy = 'make it flatter, or remove the cycle'
  return invalid(`${name} is nested deeper than ${MOST_LEVELS} levels under "${key}": ${remedy}.`)
}

function checkParts(value: unknown, name: string): Data {
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

/** The contents of a JSON file of settings. Throws a one-line ConfigError that begins with the file's name. */
export function parseJsonFile(bytes: Uint8Array, file: string, ifEmpty = 'Put at least {} in it.'): unknown {
  const json = decodeJson(bytes)
  if (json === undefined) throw new ConfigError(`${file}: this is not UTF-8 text. Save it as UTF-8.`)
  try {
    return JSON.parse(json)
  } catch (cause) {
    const fault = json.trim() === '' ? `the file is empty. ${ifEmpty}` : explainFault(findJsonFault(json))
    throw new ConfigError(`${file}: ${fault}`, { cause })
  }
}

/** The text of a JSON file; undefined if it is not UTF-8. */
function decodeJson(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined
  return withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
}

/** Where `JSON.parse` rejected a text, and what to do. Never quotes the text. */
function explainFault(fault: JsonFault): string {
  const { line, column, expected } = fault
  return `not valid JSON: expected ${expected} at line ${line}, column ${column}. ${hint(fault)}`
}

function hint({ state, found, expected }: JsonFault): string {
  const isAtStart = state === 'root'
  if (found === '') return 'The text ends there: something was not closed.'
  if (/^(?:#|\/[/*])/.test(found)) return 'JSON has no comments: remove it.'
  if (/^['`“”]/.test(found)) return 'Use double quotes.'
  if ((state === 'item' || state === 'name') && /^[}\],]/.test(found)) return 'Remove the comma before it.'
  if (isAtStart && /^[a-z]/.test(found))
    return 'This looks like JavaScript: name the file .js, or leave the object alone.'
  if (/^[<=>]{7}/.test(found)) return 'This looks like a merge conflict: resolve it.'
  if (isAtStart && found.startsWith('<')) return 'This looks like a web page.'
  if (expected.startsWith('a name') && /^[\w$/:-]/.test(found)) return 'Put the name in double quotes.'
  if (expected.startsWith('a value') && /^[A-Za-z]/.test(found))
    return 'Put text in double quotes; or write null, true or false.'
  if (expected.startsWith('","') && /^["{[\w-]/.test(found)) return 'Add the comma that is missing before it.'
  return 'Correct it there.'
}
