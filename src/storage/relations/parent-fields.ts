import { hasFieldIn, type Source } from '../data/database.ts'
import type { ListQuery } from '../types.ts'
import { everyLeaf } from '../where.ts'
import { type Relation, resolveRelations } from './resolve-relations.ts'

/** A parent whose fields filters and sorts may use. */
export interface Parent {
  readonly relation: Relation
  readonly key: string
}

/** Whether a query may be about fields of parents: it attaches relations, and has a dotted path. */
export function mayUseParents(query: ListQuery): boolean {
  if (query.embed.length + query.expand.length === 0) return false
  const { words = [] } = query
  const sort = [...query.sort, ...words.flatMap(({ means }) => means.sort ?? [])]
  return [...everyLeaf(query), ...sort].some(({ path }) => path.includes('.'))
}

/** The parents that a query attaches. Where any row has a field of that name, paths mean that field instead. */
export async function parentsOf(
  source: Source,
  collection: string,
  query: ListQuery,
): Promise<readonly Parent[]> {
  return await usableParents(source, collection, await resolveRelations(source, collection, query))
}

export async function usableParents(
  source: Source,
  collection: string,
  relations: readonly Relation[],
): Promise<readonly Parent[]> {
  const parents: Parent[] = []
  for (const relation of relations) {
    const { name, way } = relation
    // A filter would take a key with dots or brackets for a path.
    if (way?.by !== 'id' || /[.[]/.test(way.own) || (await hasFieldIn(source, collection, name))) continue
    parents.push({ relation, key: way.own })
  }
  return parents
}

export interface ParentPath {
  readonly parent: Parent
  readonly rest: string
}

export function findParent(parents: readonly Parent[], path: string): ParentPath | undefined {
  const parent = parents.find(({ relation }) => path.startsWith(`${relation.name}.`))
  return parent && { parent, rest: path.slice(parent.relation.name.length + 1) }
}

/** The names of relations, those of their relations included. */
export function pathsTo(relations: readonly Relation[]): readonly string[] {
  return relations.flatMap(({ name, deeper }) => [name, ...pathsTo(deeper).map((path) => `${name}.${path}`)])
}
