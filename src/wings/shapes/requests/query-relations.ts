import type { EngineAccess } from '../../../core/engine/engine.ts'
import { idOf } from '../../../core/engine/id-of.ts'
import { collectionOfOne, pluralOf } from '../../../core/engine/relations/relations.ts'
import { names } from '../../../core/router/query/parameter-values.ts'
import type { Query } from '../../../core/router/query/query-string.ts'
import { fieldsOf } from './stored-names.ts'
import type { Translation } from './translate-query.ts'

/**
 * A query that attaches the parents that it filters or sorts by, and shows no more of relations than it asks for.
 * @param attached relations that are asked for
 * @param engine as the client may use it: what is left out would tell the fields of rows that it may not read
 * @returns also the parents that are attached for that alone, and whether the data still has the same ones
 */
export async function withRelations(
  { query, paths, picks }: Translation,
  attached: readonly string[],
  engine: EngineAccess,
  resource: string,
): Promise<{
  readonly query: Query
  readonly parents: readonly string[]
  readonly isCurrent: () => boolean
}> {
  const shown = new Set(attached.flatMap(prefixesOf))
  const [expand, omit] = [new Set<string>(), new Set<string>()]
  const reads: (() => boolean)[] = []
  for (const path of paths) {
    const parents = await parentsIn(engine, resource, path.split('.'), reads)
    const hidden = prefixesOf(parents.join('.')).find((prefix) => !shown.has(prefix))
    if (hidden === undefined) continue
    expand.add(parents.join('.'))
    omit.add(hidden)
  }
  for (const relation of shown) {
    const own = relation.split('.')
    const last = own.at(-1) ?? ''
    const collection = collectionOfOne(last, engine) ?? pluralOf(last)
    const picked = picks.get(relation) ?? picks.get(collection)
    if (!picked || engine.kindOf(collection) !== 'collection') continue
    const { own: fields } = await fieldsOf(engine, collection)
    for (const field of fields) {
      const isShown =
        field === idOf(collection, engine.naming) || field.includes('.') || picked.includes(field)
      if (!isShown) omit.add(`${relation}.${field}`)
    }
  }
  return {
    query: {
      ...query,
      ...(expand.size > 0 && { _expand: [...names(query._expand), ...expand].join(',') }),
      ...(omit.size > 0 && { _omit: [...names(query._omit), ...omit].join(',') }),
    },
    parents: [...expand],
    isCurrent: () => reads.every((isCurrent) => isCurrent()),
  }
}

/** `a.b.c` → `a`, `a.b`, `a.b.c` */
function prefixesOf(path: string): readonly string[] {
  const parts = path === '' ? [] : path.split('.')
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
}

/**
 * As far as a path leads through parents: a field of that name comes first.
 * @param reads takes what tells whether that is still so
 */
async function parentsIn(
  engine: EngineAccess,
  collection: string,
  [first = '', ...rest]: readonly string[],
  reads: (() => boolean)[],
): Promise<readonly string[]> {
  if (rest.length === 0) return []
  const { own, isCurrent } = await fieldsOf(engine, collection)
  reads.push(isCurrent)
  const key = first + engine.naming.foreignKeySuffix
  if (own.includes(first) || !own.includes(key) || key === idOf(collection, engine.naming)) return []
  const parent = collectionOfOne(first, engine) ?? pluralOf(first)
  if (engine.kindOf(parent) === 'collection')
    return [first, ...(await parentsIn(engine, parent, rest, reads))]
  // It may come.
  reads.push((await fieldsOf(engine, parent)).isCurrent)
  return []
}
