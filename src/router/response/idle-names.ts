import type { Query } from '../query/query-string.ts'
import type { Reading } from '../read.ts'

/** Parameters that name no field of any row, such as a cache buster: their values make no difference. */
export interface IdleNames {
  readonly names: ReadonlySet<string>
  isCurrent(): boolean
}

const MOST = { names: 20, characters: 100 } as const

/** The query without idle values: requests that differ only in them share a response. */
export function withoutIdle(query: Query, { names, isCurrent }: IdleNames): Query | undefined {
  if (!isCurrent()) return undefined
  const shorter = { ...query }
  let isShorter = false
  for (const name of names) {
    if (typeof query[name] !== 'string' || !Object.hasOwn(query, name)) continue
    shorter[name] = ''
    isShorter = true
  }
  return isShorter ? shorter : undefined
}

export function recordIdle(
  idleNames: Map<string, IdleNames>,
  collection: string,
  { idle = [], isCurrent }: Reading,
): void {
  const before = idleNames.get(collection)
  const names = new Set(before?.isCurrent() ? before.names : [])
  for (const name of idle) if (name.length <= MOST.characters) names.add(name)
  if (names.size <= MOST.names) idleNames.set(collection, { names, isCurrent })
  else idleNames.delete(collection)
}
