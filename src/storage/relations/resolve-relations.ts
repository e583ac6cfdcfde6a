import { StorageError } from '../../errors.ts'
import { Pace } from '../../work/pace.ts'
import { hasFieldIn, type Source } from '../data/source.ts'
import type { Relations } from '../types.ts'
import { pluralOf } from '../word-forms.ts'
import type { Relation } from './relation.ts'
import { foreignKey, listKey, MOST_LEVELS } from './relations.ts'

/** Far more than anybody needs; each may look at all rows. */
const MOST_DEEPER = 50

/** Finds out what the names of relations mean. A name that means nothing is ignored, as in json-server. */
export async function resolveRelations(
  source: Source,
  collection: string,
  { embed, expand }: Relations,
): Promise<readonly Relation[]> {
  const asked = [
    ...[...new Set(embed)].map((name) => ({ name, isExpand: false })),
    ...[...new Set(expand)].map((name) => ({ name, isExpand: true })),
  ]
  return await resolveLevel(source, collection, asked, 1, { deeper: 0 })
}

/** Whether this one relation can never attach anything. Where there are no rows yet, nobody can know. */
export async function leadsNowhere(source: Source, collection: string, wanted: Relations): Promise<boolean> {
  const [name = ''] = [...wanted.embed, ...wanted.expand]
  const [relation] = await resolveRelations(source, collection, wanted)
  return await endsBefore(source, collection, relation, name)
}

interface Asked {
  readonly name: string
  /** Whether `_expand` asks for it, which means parents. What comes after a dot is resolved as `_embed` is. */
  readonly isExpand: boolean
}

type Head = Omit<Relation, 'deeper'>

async function resolveLevel(
  source: Source,
  collection: string,
  asked: readonly Asked[],
  level: number,
  count: { deeper: number },
): Promise<readonly Relation[]> {
  const heads = new Map<string, { readonly head: Head; readonly deeper: Asked[] }>()
  const firsts = new Map<string, Head | undefined>()
  const pace = new Pace()
  const hasDots = source.names().some((name) => name.includes('.'))
  for (const { name, isExpand } of asked) {
    // Finding the plural of a name takes a while.
    if (pace.isDue) await pace.turn()
    const mayBeWhole = hasDots || !name.includes('.')
    const whole = mayBeWhole ? await resolveName(source, collection, { name, isExpand }, false) : undefined
    const dot = whole ? -1 : name.indexOf('.')
    const first = name.slice(0, Math.max(dot, 0))
    const seen = `${isExpand} ${first}`
    if (dot > 0 && !firsts.has(seen))
      firsts.set(seen, await resolveName(source, collection, { name: first, isExpand }, true))
    const head = dot > 0 ? firsts.get(seen) : whole
    if (!head) continue
    const key = JSON.stringify(head)
    const known = heads.get(key) ?? { head, deeper: [] }
    heads.set(key, known)
    if (dot < 0) continue
    if (name.split('.').length > MOST_LEVELS + 1 - level) refuse(`${MOST_LEVELS} levels`)
    known.deeper.push({ name: name.slice(dot + 1), isExpand: false })
  }
  const relations: Relation[] = []
  for (const { head, deeper: names } of heads.values()) {
    if (level > 1 && ++count.deeper > MOST_DEEPER) refuse(`${MOST_DEEPER} relations of relations`)
    const isBounded = head.isBounded || names.length > 0 || level > 1
    const deeper = await resolveLevel(source, head.collection, names, level + 1, count)
    relations.push({ ...head, isBounded, deeper })
  }
  return relations
}

/** @param isDotted whether other names come after it */
async function resolveName(
  source: Source,
  collection: string,
  { name, isExpand }: Asked,
  isDotted: boolean,
): Promise<Head | undefined> {
  if (!isExpand) return await childrenOf(source, collection, name)
  const own = `${name}${source.naming.foreignKeySuffix}`
  if (source.kindOf(name) !== 'collection' || (await hasFieldIn(source, collection, own)))
    return parentOf(source, name)
  return isDotted ? await childrenOf(source, collection, name) : listOf(source, name)
}

/**
 * `_embed=products`: the rows of that collection that point at the row. Where none has a key for that, the relation is
 * in lists of keys: `tag_ids` of a post, and `/tags/1?_embed=posts` by the same field. Else a parent in the singular.
 */
async function childrenOf(source: Source, collection: string, name: string): Promise<Head | undefined> {
  if (source.kindOf(name) !== 'collection') return parentOf(source, name)
  const field = foreignKey(collection, source.naming)
  if (await hasFieldIn(source, name, field)) {
    return { name, collection: name, way: { by: 'field', field }, isList: true, isBounded: false }
  }
  const list = listKey(name, source.naming)
  const entries = listKey(collection, source.naming)
  const way = (await hasFieldIn(source, name, entries))
    ? { by: 'entries' as const, field: entries }
    : undefined
  return { name, collection: name, list, ...(way && { way }), isList: true, isBounded: true }
}

/** `_expand=company`: the row that `company_id` points at. */
function parentOf(source: Source, name: string): Head | undefined {
  const collection = pluralOf(name)
  if (source.kindOf(collection) !== 'collection') return undefined
  const own = `${name}${source.naming.foreignKeySuffix}`
  return { name, collection, way: { by: 'id', own }, isList: false, isBounded: false }
}

/** `_expand=tags`: the rows that `tag_ids` lists. */
function listOf(source: Source, name: string): Head {
  const list = listKey(name, source.naming)
  return { name, collection: name, list, isList: false, isBounded: true }
}

async function endsBefore(
  source: Source,
  collection: string,
  relation: Relation | undefined,
  name: string,
): Promise<boolean> {
  if (!relation) return isFilled(source, collection)
  if (!(await hasKey(source, collection, relation))) return true
  if (relation.name === name) return false
  const rest = name.slice(relation.name.length + 1)
  return await endsBefore(source, relation.collection, relation.deeper[0], rest)
}

async function hasKey(
  source: Source,
  collection: string,
  { way, list, collection: other }: Relation,
): Promise<boolean> {
  if (!(await isFilled(source, collection)) || !(await isFilled(source, other))) return true
  if (way && way.by !== 'id') return true
  if (way && (await hasFieldIn(source, collection, way.own))) return true
  return list !== undefined && (await hasFieldIn(source, collection, list))
}

async function isFilled(source: Source, collection: string): Promise<boolean> {
  return ((await source.table(collection))?.size ?? 0) > 0
}

function refuse(what: string): never {
  throw new StorageError(
    'INVALID_QUERY',
    `_embed and _expand ask for more than ${what}; ask for less at a time.`,
  )
}
