import type { Work } from '../../../work/in-slices.ts'
import { findParent, parentsOf, type Selecting } from '../../relations/parent-fields.ts'
import { leadsNowhere } from '../../relations/resolve-relations.ts'
import type { Ignored, ListQuery, Relations, SortKey } from '../../types.ts'

/** Names that are looked into: each may take a look at all rows. */
const MOST = 20

/** What a query sorts by, attaches or shows that no row has: `_sort=prcie`, `_embed=prodcts`, `_fields=nmae`. */
export function* ignoredNames(
  local: Selecting,
  collection: string,
  query: ListQuery,
): Work<readonly Ignored[]> {
  const { sort, words, embed, expand, fields, omit } = query
  const isPlain = sort.length + embed.length + expand.length === 0 && !words && !fields && !omit
  if (isPlain || !local.sizeOf(collection)) return []
  return [
    ...(yield* ignoredSorts(local, collection, query)),
    ...(yield* ignoredRelations(local, collection, query)),
    ...(yield* ignoredFields(local, collection, '_fields', fields, query)),
    ...(yield* ignoredFields(local, collection, '_omit', omit, query)),
  ]
}

function* ignoredSorts(local: Selecting, collection: string, query: ListQuery): Work<readonly Ignored[]> {
  const sorts = [...query.sort, ...(query.words ?? []).flatMap(({ means }) => means.sort ?? [])]
  const ignored: Ignored[] = []
  for (const { path } of sorts.slice(0, MOST)) {
    const name = yield* sortedBy(local, collection, path)
    if (name === local.naming.id || (yield* local.hasField(collection, name))) continue
    if (!(yield* isOfParent(local, collection, name, query))) ignored.push(unknownField('_sort', name))
  }
  return ignored
}

/** Without the sign in front, unless it is part of the field's name. */
function* sortedBy(local: Selecting, collection: string, path: SortKey['path']): Work<string> {
  return path.startsWith('-') && !(yield* local.hasField(collection, path)) ? path.slice(1) : path
}

/** Whether a path leads to a field of a parent that the query attaches. */
export function* isOfParent(
  local: Selecting,
  collection: string,
  path: string,
  query: ListQuery,
): Work<boolean> {
  if (!path.includes('.') || query.embed.length + query.expand.length === 0) return false
  const found = findParent(yield* parentsOf(local, collection, query), path)
  if (!found) return false
  const { relation } = found.parent
  const deeper = { ...query, embed: relation.deeper.map(({ name }) => name), expand: [] }
  return (
    (yield* local.hasField(relation.collection, found.rest)) ||
    (yield* isOfParent(local, relation.collection, found.rest, deeper))
  )
}

function* ignoredRelations(
  local: Selecting,
  collection: string,
  { embed, expand }: Relations,
): Work<readonly Ignored[]> {
  const asked = [
    ...embed.map((name) => ({ word: '_embed', name, relations: { embed: [name], expand: [] } })),
    ...expand.map((name) => ({ word: '_expand', name, relations: { embed: [], expand: [name] } })),
  ]
  const ignored: Ignored[] = []
  for (const { word, name, relations } of asked.slice(0, MOST)) {
    if (yield* leadsNowhere(local, collection, relations))
      ignored.push({ name: `${word}=${name}`, reason: 'unknown relation', detail: name })
  }
  return ignored
}

/** Fields of a relation that is attached are its own business. */
function* ignoredFields(
  local: Selecting,
  collection: string,
  word: string,
  paths: readonly string[] = [],
  { embed, expand }: Relations,
): Work<readonly Ignored[]> {
  if (paths.length === 0 || (yield* local.hasField(collection, word))) return []
  const attached = new Set([...embed, ...expand].flatMap((name) => [name, name.split('.', 1)[0]]))
  const ignored: Ignored[] = []
  for (const path of paths.slice(0, MOST)) {
    const isKnown = path === local.naming.id || attached.has(path) || attached.has(path.split('.', 1)[0])
    if (!isKnown && !(yield* local.hasField(collection, path))) ignored.push(unknownField(word, path))
  }
  return ignored
}

function unknownField(word: string, path: string): Ignored {
  return { name: `${word}=${path}`, reason: 'unknown field', detail: path }
}
