import { inStretches, STRETCH, type Work } from '../../work/in-slices.ts'
import { keyOf } from '../query/key-of.ts'
import type { Lookup, Reader, Row } from '../types.ts'
import { fieldText } from './id-index.ts'

/** How often to wait for an index before grouping rows instead: writes may drop it faster than it is built. */
const MOST_WAITS = 3

/** Rows by an own field: through an index if there is one, else grouped once. */
export function* lookupIn(source: Reader, collection: string, field: string): Work<Lookup> {
  const lookup = yield* waitForLookup(() => source.lookup(collection, field))
  return lookup ?? (yield* groupRows(source.rows(collection)?.slice() ?? [], field))
}

/** Waits for an index to be built; undefined if there is none. */
export function* waitForLookup(ask: () => Lookup | Promise<void> | undefined): Work<Lookup | undefined> {
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    const lookup = ask()
    if (!(lookup instanceof Promise)) return lookup
    yield lookup
  }
  return undefined
}

/** Groups rows by the text of a field, in row order. */
export function* groupRows(rows: readonly Row[], field: string): Work<Lookup> {
  const groups = new Map<string, Row[]>()
  yield* inStretches(rows.length, (at) => {
    const row = rows[at]
    const text = fieldText(row, field)
    if (row === undefined || text === undefined) return
    const group = groups.get(text)
    if (group) group.push(row)
    else groups.set(text, [row])
  })
  return (text) => groups.get(text) ?? []
}

/** Groups rows by the entries of an array in an own field; only for the entries asked for. */
export function* groupEntries(rows: readonly Row[], field: string, asked: ReadonlySet<string>): Work<Lookup> {
  const groups = new Map<string, Set<Row>>()
  let seen = 0
  for (const row of rows) {
    if (++seen % STRETCH === 0) yield
    for (const entry of listOf(row, field) ?? []) {
      if (++seen % STRETCH === 0) yield
      const key = entryKey(entry)
      if (key === undefined || !asked.has(key)) continue
      const group = groups.get(key)
      if (group) group.add(row)
      else groups.set(key, new Set([row]))
    }
  }
  return (text) => [...(groups.get(text) ?? [])]
}

/** The array in an own field of a row. */
export function listOf(row: unknown, field: string): readonly unknown[] | undefined {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, field)) return undefined
  const value: unknown = Reflect.get(row, field)
  return Array.isArray(value) ? value : undefined
}

/** The id that an array entry refers to; none if it is null, an array or an object. */
export function entryKey(entry: unknown): string | undefined {
  return typeof entry === 'object' || entry === undefined ? undefined : keyOf(entry)
}
