import { findJsonFault, type JsonFault } from '../../json/json-scanner.ts'

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
