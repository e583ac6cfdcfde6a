import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Dependents } from '../change.ts'
import type { Catalog } from '../engine.ts'
import { lookupIn } from '../index/lookup.ts'
import { isRow } from '../is-row.ts'
import { keyOf } from '../query/key-of.ts'
import type { Lookup, Naming, Reader, Relations, Row } from '../types.ts'
import { pluralOf, singularOf } from '../word-forms.ts'

/** Where relations are looked up, and their naming. */
export interface Related extends Reader {
  readonly naming: Naming
}

/** The field that references a row of `parent`: `company_id` for `companies`. */
export function foreignKey(parent: string, { foreignKeySuffix }: Naming): string {
  return `${singularOf(parent)}${foreignKeySuffix}`
}

/** The field that lists the ids of referenced rows: `tag_ids` for `tags`. */
export function listKey(collection: string, naming: Naming): string {
  return `${foreignKey(collection, naming)}s`
}

/** `_embed=a.b.c.d.e` has as many levels as a query may have. */
export const MOST_LEVELS = 5

/** The collections that relations may lead to. */
export function collectionsOf(catalog: Catalog, { embed, expand }: Relations): readonly string[] {
  // More parts than these are refused.
  const parts = [...embed, ...expand].flatMap((name) => [name, ...name.split('.', MOST_LEVELS)])
  const names = new Set([...new Set(parts)].flatMap((name) => [name, pluralOf(name)]))
  return [...names].filter((name) => catalog.kindOf(name) === 'collection')
}

/** An own property of the row; null counts as missing. */
export function ownField(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? (row[name] ?? undefined) : undefined
}

/** Whether a row references the parent with this id, as nested lists compare it. */
export function isChildOf(row: Row, key: string, id: string): boolean {
  const value = isRow(row) ? ownField(row, key) : undefined
  return value !== undefined && keyOf(value) === id
}

/** How rows are found that depend on others. */
export interface Way {
  readonly collection: string
  /** Its rows by the id that they depend on. */
  readonly find: Lookup
  /** Whether it is a rule of the server that they go along. Else the client asks for it. */
  readonly isRule?: boolean
}

/** Rows that go with those that they depend on. */
export interface Dependent {
  /** By collection. */
  readonly rows: Map<string, Row[]>
  /** Those of them that go by a rule of the server, whatever the client asks for. */
  readonly ruled: ReadonlySet<Row>
}

/**
 * The rows that depend on some rows, directly or indirectly, by collection: what a cascading delete
 * removes. Only in the named collections, or in all. The rows themselves are never among them.
 */
export function dependentsOf(
  source: Related & { names(): readonly string[] },
  collection: string,
  rows: readonly Row[],
  among: Dependents,
): Work<Dependent> {
  return dependentsBy(source, collection, rows, (parent) => waysByName(source, parent, among))
}

/** The same, where it is known how the rows are found that depend on those of a collection. */
export function* dependentsBy(
  source: Related,
  collection: string,
  rows: readonly Row[],
  waysFrom: (parent: string) => Work<readonly Way[]>,
): Work<Dependent> {
  const dependents = new Map<string, Row[]>()
  const known = new Map<string, readonly Way[]>()
  // Rows may reference each other in a cycle.
  const seen = new Set<Row>(rows)
  const ruled = new Set<Row>()
  const pending = rows.map((row) => ({ collection, row }))
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const id = ownField(parent.row, source.naming.id)
    const text = id === undefined ? undefined : keyOf(id)
    if (text === undefined) continue
    const ways = known.get(parent.collection) ?? (yield* waysFrom(parent.collection))
    known.set(parent.collection, ways)
    for (const { collection: name, find, isRule } of ways) {
      for (const child of find(text)) {
        if (isRule) ruled.add(child)
        if (seen.has(child)) continue
        seen.add(child)
        if (seen.size % STRETCH === 0) yield
        const others = dependents.get(name)
        if (others) others.push(child)
        else dependents.set(name, [child])
        pending.push({ collection: name, row: child })
      }
    }
    if (pending.length % STRETCH === 0) yield
  }
  return { rows: dependents, ruled }
}

/** By the names of foreign keys, as in json-server: in the named collections, or in all. */
function* waysByName(
  source: Related & { names(): readonly string[] },
  parent: string,
  among: Dependents,
): Work<readonly Way[]> {
  // Includes objects, where nothing is found. Asking for rows here would make a changed collection assemble them.
  const names = source.names().filter((name) => among === 'all' || among.includes(name))
  const field = foreignKey(parent, source.naming)
  const ways: Way[] = []
  for (const name of names) ways.push({ collection: name, find: yield* lookupIn(source, name, field) })
  return ways
}
