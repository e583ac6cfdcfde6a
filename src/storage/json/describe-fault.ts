import { findJsonFault, type JsonFault } from '../../json/json-scanner.ts'

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
