import type { Engine, MaybePromise } from './engine.ts'
import type { Listing, Reading } from './question.ts'
import type { ListQuery, Row } from './types.ts'

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

function when<T, U>(value: MaybePromise<T>, then: (value: T) => U): MaybePromise<U> {
  return value instanceof Promise ? value.then(then) : then(value)
}
