import { type JsonFault, JsonScanner, JsonSyntaxError } from './json-scanner.ts'

/** In a text that `JSON.parse` rejected. V8's own message has no position for some errors, and may quote a password. */
export function findJsonFault(text: string): JsonFault {
  const scanner = new JsonScanner()
  try {
    scanner.push(text)
    scanner.end()
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.fault
    throw error
  }
  throw new Error('There is no fault in this text.')
}
