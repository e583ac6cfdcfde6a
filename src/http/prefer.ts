import type { Request, Response } from 'express'
import { exposeTo } from './exposed-headers.ts'
import { elementsOf, unquoted } from './header-list.ts'

/** The preferences of a client by name: `return` → `minimal`. A preference without a value has the value ''. */
export type Preferences = ReadonlyMap<string, string>

/** The `Prefer` headers (RFC 7240). Names in any case, values may be quoted, the first of a name wins. */
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

/** Tells the client which of its preferences were honored, besides those that others honored. */
export function tellApplied(req: Request, res: Response, applied: readonly string[]): void {
  const before = res.getHeader('Preference-Applied')
  res.setHeader('Preference-Applied', [...(before === undefined ? [] : [before]), ...applied].join(', '))
  res.vary('Prefer')
  exposeTo(req, res, ['Preference-Applied'])
}

const NONE: Preferences = new Map()

/** A token, an optional value (a token or quoted), then the end or parameters. */
const PREFERENCE = /^([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;"]*))?\s*(?:;|$)/
