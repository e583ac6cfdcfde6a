import { findJsonFault, type JsonFault } from '../../core/kernel/json/find-json-fault.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { shorten } from './format.ts'

type Parsed =
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

const LENGTH = 90

/** A value in one short line: `[3] Rome, Milan, Turin`, `lat 45.4, lon 9.2`. */
export function preview(value: unknown): string {
  if (Array.isArray(value)) return shorten(`[${value.length}] ${list(value)}`.trimEnd(), LENGTH)
  if (isObject(value)) return shorten(fields(value), LENGTH)
  return shorten(scalar(value), LENGTH)
}

export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : String(value)
}

function list(values: readonly unknown[]): string {
  return values.slice(0, 6).map(inner).join(', ') + (values.length > 6 ? ', …' : '')
}

function fields(value: Record<string, unknown>): string {
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  return entries
    .slice(0, 6)
    .map(([name, field]) => `${shorten(name, 20)} ${inner(field)}`)
    .join(', ')
}

/** Inside another value, an object is represented by its first string or number. */
function inner(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`
  if (!isObject(value)) return shorten(scalar(value), 30)
  const telling = Object.values(value).find((field) => typeof field === 'string' || typeof field === 'number')
  return telling === undefined ? '{…}' : shorten(scalar(telling), 30)
}
