import { when } from '../work/when.ts'
import type { Counts, Engine, MaybePromise } from './engine.ts'
import type { Listing, Reading } from './question.ts'
import type { Data, ListQuery, Row } from './types.ts'

/** All rows of a collection, or the first so many; undefined where there is none of that name. */
export function readRows(
  engine: Engine,
  collection: string,
  most = Number.POSITIVE_INFINITY,
): MaybePromise<readonly Row[] | undefined> {
  return when(readFirst(engine, collection, most), ({ found }) => {
    const rows = found?.rows
    return rows && 'toArray' in rows ? rows.toArray() : rows
  })
}

/** How many rows a collection has; undefined where there is none of that name. */
export function countRows(engine: Engine, collection: string): MaybePromise<number | undefined> {
  return when(readFirst(engine, collection, 0), ({ found }) => found?.total)
}

/** Whether any row of a collection has a field of this name. */
export function hasField(engine: Engine, collection: string, name: string): MaybePromise<boolean> {
  const reading = engine.read({ kind: 'list', collection, query: queryFor(name) })
  return when(reading, ({ found }) => isThere(found))
}

function readFirst(
  engine: Engine,
  collection: string,
  most: number,
): MaybePromise<Reading<Listing | undefined>> {
  const window: ListQuery['window'] = Number.isFinite(most) ? { kind: 'limit', count: most } : { kind: 'all' }
  return engine.read({
    kind: 'list',
    collection,
    query: { where: [], sort: [], window, embed: [], expand: [] },
  })
}

/** A word gives way to a field of its name; if there is none, this one is ignored. */
function queryFor(name: string): ListQuery {
  const word = { name, values: [''], means: { ignored: { name, reason: 'matches nothing' } } } as const
  return { where: [], sort: [], window: { kind: 'limit', count: 0 }, embed: [], expand: [], words: [word] }
}

function isThere(found: { readonly ignored?: readonly unknown[] } | undefined): boolean {
  return found !== undefined && found.ignored === undefined
}

/** Number of items per collection. Singular resources are not counted. */
export function countItems(data: Data): Counts {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.length]] : [])),
  )
}
