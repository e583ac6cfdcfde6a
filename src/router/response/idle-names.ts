import type { Reading } from '../read.ts'

/** Parameters that name no field of any row, such as a cache buster: their values make no difference. */
export interface IdleNames {
  readonly names: ReadonlySet<string>
  isCurrent(): boolean
}

const MOST = { names: 20, characters: 100 } as const

/** The query without idle values: requests that differ only in them share a response. */
export function withoutIdle(
  query: Readonly<Record<string, unknown>>,
  { names, isCurrent }: IdleNames,
): Record<string, unknown> | undefined {
  if (!isCurrent()) return undefined
  const meant = { ...query }
  let isShorter = false
  for (const name of names) {
    if (typeof query[name] !== 'string' || !Object.hasOwn(query, name)) continue
    meant[name] = ''
    isShorter = true
  }
  return isShorter ? meant : undefined
}

export function recordIdle(
  known: Map<string, IdleNames>,
  collection: string,
  { idle = [], isCurrent }: Reading,
): void {
  const before = known.get(collection)
  const names = new Set(before?.isCurrent() ? before.names : [])
  for (const name of idle) if (name.length <= MOST.characters) names.add(name)
  if (names.size <= MOST.names) known.set(collection, { names, isCurrent })
  else known.delete(collection)
}
