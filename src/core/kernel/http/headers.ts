import type { Request, Response } from 'express'

/** The elements of a comma-separated header, trimmed. Commas inside quotes do not separate. */
function elementsOf(text: string): readonly string[] {
  const elements = text.includes('"') ? (text.match(ELEMENT) ?? []) : text.split(',')
  return elements.map((element) => element.trim()).filter(Boolean)
}

/** Each alternative begins with a different character, so matching takes linear time. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.|\\$)*(?:"|$))+/g

/** `"a \"b\""` is `a "b"`; text without quotes is returned as it is. */
function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text
}

export interface EntityTags {
  readonly isAny: boolean
  /** Whether one of the tags is this one, weak or not: all of ours are weak. */
  has(tag: string): boolean
}

/** Undefined if the header is missing. A tag without quotes is accepted; anything else that is not a tag matches nothing. */
export function parseEntityTags(header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined
  const tags = new Set(elementsOf(header).map(opaque))
  return { isAny: header.trim() === '*', has: (tag) => tags.has(opaque(tag)) }
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replace(/^"(.*)"$/, '$1')
}

/** The preferences of a client by name: `return` → `minimal`. A preference without a value has the value ''. */
export type Preferences = ReadonlyMap<string, string>

const NO_PREFERENCES: Preferences = new Map()

/** The `Prefer` headers (RFC 7240). Names in any case, values may be quoted, the first of a name wins. */
export function preferencesOf({ headers }: Pick<Request, 'headers'>): Preferences {
  if (headers.prefer === undefined) return NO_PREFERENCES
  const preferences = new Map<string, string>()
  for (const element of elementsOf([headers.prefer].flat().join(','))) {
    const [, name, value = ''] = PREFERENCE.exec(element) ?? []
    const key = name?.toLowerCase()
    if (key !== undefined && !preferences.has(key)) preferences.set(key, unquoted(value))
  }
  return preferences
}

/** The value of one preference, if it is one of these. */
export function preferenceOf<Value extends string>(
  req: Pick<Request, 'headers'>,
  name: string,
  values: readonly Value[],
): Value | undefined {
  if (req.headers.prefer === undefined) return undefined
  const preferred = preferencesOf(req).get(name)
  return values.find((value) => value === preferred)
}

/** `Prefer: shape=none`: rows as they are stored, whatever responses look like otherwise. */
export function prefersPlain(req: Pick<Request, 'headers'>): boolean {
  return preferenceOf(req, 'shape', ['none']) !== undefined
}

/** A token, an optional value (a token or quoted), then the end or parameters. */
const PREFERENCE = /^([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;"]*))?\s*(?:;|$)/

/** Adds preferences to those that the response says were honored. */
export function addApplied(req: Request, res: Response, applied: readonly string[]): void {
  const before = res.getHeader('Preference-Applied')
  res.setHeader('Preference-Applied', [...(before === undefined ? [] : [before]), ...applied].join(', '))
  res.vary('Prefer')
  exposeTo(req, res, ['Preference-Applied'])
}

/** Response headers that scripts of other origins may read. */
export const EXPOSED_HEADERS: readonly string[] = [
  'X-Total-Count',
  'Link',
  'Location',
  'Content-Range',
  'ETag',
]

/** Lets pages of other origins read these response headers, in addition to those already exposed. */
export function exposeTo(req: Request, res: Response, names: readonly string[]): void {
  if (req.headers.origin !== undefined) addExposed(res, names)
}

/** When to try again, for a client that is refused for now. */
export function setRetryAfter(req: Request, res: Response, seconds = 5): void {
  res.setHeader('Retry-After', String(seconds))
  exposeTo(req, res, ['Retry-After'])
}

export function addExposed(res: Response, names: readonly string[]): void {
  const before = res.getHeader('Access-Control-Expose-Headers')
  if (before === undefined) {
    if (names.length > 0) res.setHeader('Access-Control-Expose-Headers', names.join(', '))
    return
  }
  const present = elementsOf(String(before))
  const lowerCase = new Set(present.map((name) => name.toLowerCase()))
  const all = [...present, ...names.filter((name) => !lowerCase.has(name.toLowerCase()))]
  if (all.length > 0) res.setHeader('Access-Control-Expose-Headers', all.join(', '))
}
