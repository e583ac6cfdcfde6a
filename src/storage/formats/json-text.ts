import { isUtf8 } from 'node:buffer'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { findJsonFault, type JsonFault } from '../../json/json-scanner.ts'

/** The contents of a JSON file of settings. Throws a one-line ConfigError that begins with the file's name. */
export function parseJsonFile(bytes: Uint8Array, file: string, ifEmpty = 'Put at least {} in it.'): unknown {
  const json = decodeJson(bytes)
  if (json === undefined) throw new ConfigError(`${file}: this is not UTF-8 text. Save it as UTF-8.`)
  try {
    return JSON.parse(json)
  } catch (cause) {
    const fault = json.trim() === '' ? `the file is empty. ${ifEmpty}` : describeFault(json)
    throw new ConfigError(`${file}: ${fault}`, { cause })
  }
}

/** The text of a JSON file; undefined if it is not UTF-8. */
export function decodeJson(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined
  return withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
}

/** Some editors on Windows start files with a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** Where `JSON.parse` rejected a text, and what to do. Never quotes the text. */
export function describeFault(text: string): string {
  return explainFault(findJsonFault(text))
}

export function explainFault(fault: JsonFault): string {
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
