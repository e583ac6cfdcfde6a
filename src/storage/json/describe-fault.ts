import { findJsonFault } from '../../json/json-fault.ts'

/** Where a part of a text starts, and what stands before it, as far as that matters for what may come. */
export interface Start {
  readonly context: string
  readonly line: number
  readonly column: number
}

const START: Start = { context: '', line: 1, column: 1 }

/** Where `JSON.parse` rejected a text, or a part after its context, and what to do. Never quotes the text. */
export function describeFault(text: string, fault = findJsonFault(text), start = START): string {
  const { line, column, expected, at } = fault
  const shift = line === 1 ? start.column - start.context.length - 1 : 0
  const place = `line ${start.line + line - 1}, column ${column + shift}`
  return `not valid JSON: expected ${expected} at ${place}. ${hint(text, at, expected)}`
}

function hint(json: string, at: number, expected: string): string {
  const found = json.charAt(at)
  const before = previousChar(json, at)
  if (found === '') return 'The text ends there: something was not closed.'
  if (found === '#' || /^\/[/*]/.test(json.slice(at, at + 2))) return 'JSON has no comments: remove it.'
  if (found === "'" || found === '`' || found === '“' || found === '”') return 'Use double quotes.'
  if (before === ',' && /[}\],]/.test(found)) return 'Remove the comma before it.'
  if (before === '' && /[a-z]/.test(found))
    return 'This looks like JavaScript: name the file .js, or leave the object alone.'
  if (/^[<=>]{7}/.test(json.slice(at, at + 7))) return 'This looks like a merge conflict: resolve it.'
  if (before === '' && found === '<') return 'This looks like a web page.'
  if (expected.startsWith('a name') && /[\w$/:-]/.test(found)) return 'Put the name in double quotes.'
  if (expected.startsWith('a value') && /[A-Za-z]/.test(found))
    return 'Put text in double quotes; or write null, true or false.'
  if (expected.startsWith('","') && /["{[\w-]/.test(found)) return 'Add the comma that is missing before it.'
  return 'Correct it there.'
}

function previousChar(json: string, at: number): string {
  let before = at - 1
  while (/^\s$/.test(json.charAt(before))) before--
  return json.charAt(before)
}
