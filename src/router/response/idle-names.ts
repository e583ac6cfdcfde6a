import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { PARAMETERS } from '../../catalogue/parameters.ts'
import { setField } from '../../json/values.ts'
import type { Query } from '../query/query-string.ts'
import type { Reading } from '../read.ts'

/** Parameters that name no field of any row, such as a cache buster: no request needs them. */
export interface IdleNames {
  /** What is reported of each. */
  readonly parts: ReadonlyMap<string, IgnoredPart>
  isCurrent(): boolean
}

const MOST = 20

/** Whether nothing else in a query changes what it means: `company.name` is a field with `_expand=company`. */
function isAlone(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name) && !Object.hasOwn(PARAMETERS, name)
}

/** The query without idle names: requests that differ only in their values share a response. */
export function withoutIdle(query: Query, { parts, isCurrent }: IdleNames) {
  if (!isCurrent()) return undefined
  const rest: Query = {}
  const ignored: IgnoredPart[] = []
  for (const name of Object.keys(query)) {
    const part = typeof query[name] === 'string' ? parts.get(name) : undefined
    if (part) ignored.push(part)
    else setField(rest, name, query[name])
  }
  return ignored.length > 0 ? { query: rest, ignored } : undefined
}

export function recordIdle(
  idleNames: Map<string, IdleNames>,
  collection: string,
  { ignored, isCurrent }: Reading,
): void {
  const before = idleNames.get(collection)
  const parts = new Map(before?.isCurrent() ? before.parts : [])
  for (const part of ignored?.parts ?? []) {
    if (part.reason === 'unknown field' && isAlone(part.name)) parts.set(part.name, part)
  }
  if (parts.size <= MOST) idleNames.set(collection, { parts, isCurrent })
  else idleNames.delete(collection)
}
