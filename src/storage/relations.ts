import pluralize from 'pluralize'
import type { Naming, Reader, Relations, Row } from './types.ts'

/** Where relations are looked up, and how they are named there. */
export interface Related extends Reader {
  readonly naming: Naming
}

/** The field by which rows point at a row of `parent`: `company_id` for `companies`. */
export function foreignKey(parent: string, { foreignKeySuffix }: Naming): string {
  return `${pluralize.singular(parent)}${foreignKeySuffix}`
}

/** The row with its relations put in: a new object, or the row itself where there is nothing to put in. */
export function attachRelations(source: Related, collection: string, row: Row, names: Relations): Row {
  return attachFound(row, findRelations(source, collection, names), ({ find }) => find(row))
}

/** What stands in relation to the rows of a collection. */
export function findRelations(
  source: Related,
  collection: string,
  { embed, expand }: Relations,
): readonly Relation[] {
  const [embedded, expanded] = [new Set(embed), new Set(expand)]
  return [
    ...[...embedded].map((name) => childrenOf(source, collection, name) ?? parentOf(source, name)),
    ...[...expanded].map((name) => parentOf(source, name)),
  ].filter((relation) => relation !== undefined)
}

/** The row with what was found put in: a new object, or the row itself where nothing was. */
export function attachFound<Named extends { readonly name: string }>(
  row: Row,
  relations: readonly Named[],
  found: (relation: Named) => Found,
): Row {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row
  let attached = row
  for (const relation of relations) {
    const value = found(relation)
    if (value !== undefined) attached = { ...attached, [relation.name]: value }
  }
  return attached
}

/** What the relations of many rows will be looked up by: a field of a collection each. */
export function lookupsOf(
  source: Related,
  collection: string,
  { embed }: Relations,
): readonly { readonly collection: string; readonly field: string }[] {
  const field = foreignKey(collection, source.naming)
  return embed.filter((name) => source.rows(name) !== undefined).map((name) => ({ collection: name, field }))
}

/** The collections that relations lead to. */
export function collectionsOf(source: Related, { embed, expand }: Relations): readonly string[] {
  const names = [...embed, ...embed.map((name) => pluralize(name)), ...expand.map((name) => pluralize(name))]
  return [...new Set(names)].filter((name) => source.rows(name) !== undefined)
}

/** What stands in a relation to a row; undefined where there is nothing to show. */
export type Found = Row | readonly Row[] | undefined

export interface Relation {
  readonly name: string
  find(row: Row): Found
}

/** `_embed=products`: the rows of that collection that point at the row. */
function childrenOf(source: Related, collection: string, name: string): Relation | undefined {
  if (source.rows(name) === undefined) return undefined
  const key = foreignKey(collection, source.naming)
  return {
    name,
    find(row) {
      const id = ownField(row, source.naming.id)
      return id === undefined ? [] : source.findBy(name, key, id)
    },
  }
}

/** `_expand=company`: the row that `company_id` points at. A name in the plural has no such key, so nothing comes of it. */
function parentOf(source: Related, name: string): Relation | undefined {
  const collection = pluralize(name)
  if (source.rows(collection) === undefined) return undefined
  const key = `${name}${source.naming.foreignKeySuffix}`
  return {
    name,
    find(row) {
      const id = ownField(row, key)
      return id === undefined ? undefined : source.find(collection, id)
    },
  }
}

/**
 * The rows that depend on a row, and those that depend on them, by collection: what a cascading deletion takes
 * along. Only the collections that are named, or all. The row itself is never among them.
 */
export function dependentsOf(
  source: Related & { names(): readonly string[] },
  collection: string,
  row: Row,
  among: 'all' | readonly string[],
): Map<string, Row[]> {
  const names = source
    .names()
    .filter((name) => source.rows(name) && (among === 'all' || among.includes(name)))
  const dependents = new Map<string, Row[]>()
  // Rows may point at each other in a circle.
  const seen = new Set<Row>([row])
  const pending = [{ collection, row }]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const id = ownField(parent.row, source.naming.id)
    if (id === undefined) continue
    const key = foreignKey(parent.collection, source.naming)
    for (const name of names) {
      for (const child of source.findBy(name, key, id)) {
        if (seen.has(child)) continue
        seen.add(child)
        const known = dependents.get(name)
        if (known) known.push(child)
        else dependents.set(name, [child])
        pending.push({ collection: name, row: child })
      }
    }
  }
  return dependents
}

/** A field of the row's own; null counts as missing. */
function ownField(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? (row[name] ?? undefined) : undefined
}
