import { findJsonFault } from '../../../json/json-fault.ts'
import type { JsonFault } from '../../../json/json-scanner.ts'

export type Parsed =
  | { readonly value: unknown; readonly fault?: never }
  | { readonly value?: never; readonly fault: JsonFault }

/** The value of a JSON text, or its first syntax error. */
export function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { fault: findJsonFault(text) }
  }
}

/** The offset of the error in the text. */
export function positionOf(text: string, { line, column }: JsonFault): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((length, part) => length + part.length + 1, 0) + column - 1
}
