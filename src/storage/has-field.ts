import type { Engine, MaybePromise } from './engine.ts'
import type { ListQuery } from './types.ts'

/** Whether any row of a collection has a field of this name. */
export function hasField(engine: Engine, collection: string, name: string): MaybePromise<boolean> {
  const reading = engine.read({ kind: 'list', collection, query: queryFor(name) })
  return reading instanceof Promise ? reading.then(({ found }) => isThere(found)) : isThere(reading.found)
}

/** A word gives way to a field of its name; if there is none, this one is ignored. */
function queryFor(name: string): ListQuery {
  const word = { name, values: [''], means: { ignored: { name, reason: 'matches nothing' } } } as const
  return { where: [], sort: [], window: { kind: 'limit', count: 0 }, embed: [], expand: [], words: [word] }
}

function isThere(found: { readonly ignored?: readonly unknown[] } | undefined): boolean {
  return found !== undefined && found.ignored === undefined
}
