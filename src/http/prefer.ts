import type { Request } from 'express'
import { elementsOf, unquoted } from './header-list.ts'

/** The preferences of a client by name: `return` → `minimal`. A preference without a value has the value ''. */
export type Preferences = ReadonlyMap<string, string>

/**
 * Reads the `Prefer` headers of a request (RFC 7240). Names are case-insensitive, values may be quoted, and the first
 * preference of a name wins. Parameters and malformed preferences are skipped.
 */
export function preferencesOf({ headers }: Pick<Request, 'headers'>): Preferences {
  const text = headers.prefer
  return text === undefined ? NONE : parsePreferences([text].flat().join(','))
}

export function parsePreferences(text: string): Preferences {
  const preferences = new Map<string, string>()
  for (const element of elementsOf(text)) {
    const [, name, value = ''] = PREFERENCE.exec(element) ?? []
    const key = name?.toLowerCase()
    if (key !== undefined && !preferences.has(key)) preferences.set(key, unquoted(value))
  }
  return preferences
}

const NONE: Preferences = new Map()

/** A token, an optional value (a token or quoted), then the end or parameters. */
const PREFERENCE = /^([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;"]*))?\s*(?:;|$)/
