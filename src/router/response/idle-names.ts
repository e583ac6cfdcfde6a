import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { PARAMETERS } from '../../catalogue/parameters.ts'
import { setField } from '../../json/values.ts'
import { MOST_SUGGESTIONS } from '../query/ignored-parts.ts'
import { parseParameter } from '../query/parse-parameter.ts'
import type { Query } from '../query/query-string.ts'
import type { Reading } from '../read.ts'

/** Parameters that name no field of any row, such as a cache buster: no request needs them. */
export interface IdleNames {
  /** What is reported of each. */
  readonly parts: ReadonlyMap<string, IgnoredPart>
  isCurrent(): boolean
}

const MOST = 20

/**
 * Whether it can mean nothing else, in whatever query: `company.name` is a field with `_expand=company`, `name_like` one
 * in JSON and a condition in a URL.
 */
function isOnlyField(name: string): boolean {
  if (!/^[\w-]{1,100}$/.test(name) || Object.hasOwn(PARAMETERS, name)) return false
  const { path, orElse } = parseParameter(name, [])
  return path === name && !orElse
}

/**
 * The query without idle names, and without jQuery's cache buster `_`, which is never a field: requests that differ only
 * in their values share a response.
 */
export function withoutIdle(query: Query, idle: IdleNames | undefined) {
  const parts = idle?.isCurrent() ? idle.parts : undefined
  const hasBuster = typeof query._ === 'string'
  const rest: Query = {}
  const ignored: IgnoredPart[] = []
  for (const name of Object.keys(query)) {
    const part = typeof query[name] === 'string' ? parts?.get(name) : undefined
    if (part) ignored.push(part)
    else if (name !== '_' || !hasBuster) setField(rest, name, query[name])
  }
  // An empty list would be reported, and refused by a strict read.
  if (ignored.length > 0) return { query: rest, ignored }
  return hasBuster ? { query: rest, ignored: undefined } : undefined
}

export function recordIdle(
  idleNames: Map<string, IdleNames>,
  collection: string,
  { ignored, isCurrent }: Reading,
): void {
  const before = idleNames.get(collection)
  const parts = new Map(before?.isCurrent() ? before.parts : [])
  for (const part of ignored?.parts.slice(0, MOST_SUGGESTIONS) ?? []) {
    if (part.reason === 'unknown field' && isOnlyField(part.name)) parts.set(part.name, part)
  }
  if (parts.size <= MOST) idleNames.set(collection, { parts, isCurrent })
  else idleNames.delete(collection)
}
