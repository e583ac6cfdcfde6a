import pluralize from 'pluralize'
import type { Work } from '../../work/in-slices.ts'
import { groupRows, lookupIn } from '../index/lookup.ts'
import { isRow } from '../is-row.ts'
import { keyOf } from '../query/key-of.ts'
import type { Lookup, Relations, Row } from '../types.ts'
import { foreignKey, ownField, type Related } from './relations.ts'

/** Where the relations of many rows are looked up. */
export interface Source extends Related {
  /** Changes with every write. */
  readonly version: number
  /** Whether only the store changes the data. */
  readonly isOwned: boolean
}

/** A requested relation. */
interface Relation {
  /** Its name in the response. */
  readonly name: string
  /** The row's field to look up. */
  readonly own: string
  /** The related collection, and the field to match there. */
  readonly collection: string
  readonly field: string
  readonly isParent: boolean
}

/** What is related to a row; undefined if there is nothing. */
type Found = Row | readonly Row[] | undefined

/** Finds related rows by the row's key. */
type Find = (key: string) => Found

/** Milliseconds to work before taking a copy of what is needed, so that others can write meanwhile. */
const BRIEFLY = 4

/** From this many rows on, one pass over all parents beats an unindexed lookup of each. */
const MANY = 16

/** One relation of some rows: what belongs to each. */
export interface Column {
  readonly name: string
  readonly found: readonly Found[]
}

/** Looks up what belongs to each of the rows: a consistent snapshot, whatever others write meanwhile. */
export function* findRelated(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
  briefly = BRIEFLY,
): Work<readonly Column[]> {
  const relations = relationsOf(source, collection, wanted)
  const columns = relations.map(({ name }) => ({ name, found: new Array<Found>(rows.length) }))
  let finds = yield* findNow(source, relations, rows.length)
  const { version } = source
  let kept: readonly (readonly Row[])[] | undefined
  let isApart = false
  const end = performance.now() + briefly
  for (const [at, row] of rows.entries()) {
    if (kept) {
      yield
      if (!isApart && source.version !== version) {
        finds = yield* findAmong(relations, kept)
        isApart = true
      }
    } else if (performance.now() >= end) kept = rowsOf(source, relations)
    for (const [number, relation] of relations.entries()) {
      const column = columns[number]
      if (column) column.found[at] = findFor(row, relation, finds[number])
    }
  }
  return columns
}

function findFor(row: Row, { own, isParent }: Relation, find: Find | undefined): Found {
  const id = isRow(row) ? ownField(row, own) : undefined
  const key = id === undefined ? undefined : keyOf(id)
  const found = key === undefined ? undefined : find?.(key)
  return found ?? (isParent ? undefined : [])
}

function relationsOf(source: Source, collection: string, { embed, expand }: Relations): readonly Relation[] {
  return [
    ...[...new Set(embed)].map((name) => childrenOf(source, collection, name) ?? parentOf(source, name)),
    ...[...new Set(expand)].map((name) => parentOf(source, name)),
  ].filter((relation) => relation !== undefined)
}

/** `_embed=products`: the rows of that collection that reference the row. */
function childrenOf(source: Source, collection: string, name: string): Relation | undefined {
  if (source.rows(name) === undefined) return undefined
  const field = foreignKey(collection, source.naming)
  return { name, own: source.naming.id, collection: name, field, isParent: false }
}

/** `_expand=company`: the row that `company_id` references. A plural name has no such key, so it finds nothing. */
function parentOf(source: Source, name: string): Relation | undefined {
  const collection = pluralize(name)
  if (source.rows(collection) === undefined) return undefined
  const own = `${name}${source.naming.foreignKeySuffix}`
  return { name, own, collection, field: source.naming.id, isParent: true }
}

/** Indexes are built along the way, while others may write: what was found first must still be right at the end. */
function* findNow(source: Source, relations: readonly Relation[], count: number): Work<readonly Find[]> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { version } = source
    const finds: Find[] = []
    for (const relation of relations) finds.push(yield* findOf(source, relation, count))
    if (source.version === version) return finds
  }
  return yield* findAmong(relations, rowsOf(source, relations))
}

const MOST_TRIES = 3

function* findOf(source: Source, { collection, field, isParent }: Relation, count: number): Work<Find> {
  if (!isParent) return sharing(yield* lookupIn(source, collection, field))
  if (source.isOwned || count <= MANY) return (key) => source.find(collection, key)
  return firstOf(yield* lookupIn(source, collection, field))
}

/** The same among copied rows. */
function* findAmong(
  relations: readonly Relation[],
  rows: readonly (readonly Row[])[],
): Work<readonly Find[]> {
  const finds: Find[] = []
  for (const [at, { field, isParent }] of relations.entries()) {
    const lookup = yield* groupRows(rows[at] ?? [], field)
    finds.push(isParent ? firstOf(lookup) : lookup)
  }
  return finds
}

function firstOf(lookup: Lookup): Find {
  return (key) => lookup(key)[0]
}

function rowsOf(source: Source, relations: readonly Relation[]): readonly (readonly Row[])[] {
  return relations.map(({ collection }) => source.rows(collection)?.slice() ?? [])
}

/** Rows with the same id share one list, instead of thousands of copies. */
function sharing(lookup: Lookup): Lookup {
  const known = new Map<string, readonly Row[]>()
  return (key) => {
    const shared = known.get(key)
    if (shared) return shared
    const found = lookup(key)
    if (found.length > MANY) known.set(key, found)
    return found
  }
}
