import { StorageError } from '../../errors.ts'
import type { Work } from '../../work/in-slices.ts'
import type { Relations } from '../types.ts'
import { pluralOf } from '../word-forms.ts'
import type { Relation } from './relation.ts'
import { foreignKey, listKey, MOST_LEVELS, type Related } from './relations.ts'

/** What tells how collections are related. */
export interface Schema extends Related {
  /** Whether any row of a collection has a field of its own with this name. */
  hasField(collection: string, field: string): Work<boolean>
  /** How many rows a collection has; undefined if there is none of that name. */
  sizeOf(collection: string): number | undefined
  /** What is served: collections and single objects. */
  names(): readonly string[]
}

/** Far more than anybody needs; each may look at all rows. */
const MOST_DEEPER = 50

/** This many names are resolved in one go. */
const FEW_NAMES = 16

/** Finds out what the names of relations mean. A name that means nothing is ignored, as in json-server. */
export function* resolveRelations(
  schema: Schema,
  collection: string,
  { embed, expand }: Relations,
): Work<readonly Relation[]> {
  const asked = [
    ...[...new Set(embed)].map((name) => ({ name, isExpand: false })),
    ...[...new Set(expand)].map((name) => ({ name, isExpand: true })),
  ]
  return yield* resolveLevel(schema, collection, asked, 1, { deeper: 0 })
}

/**
 * Whether nothing can ever be attached by this relation: no such collection, or no key that leads there. Where there are
 * no rows yet, nobody can know.
 * @param wanted one name, dots included
 */
export function* leadsNowhere(schema: Schema, collection: string, wanted: Relations): Work<boolean> {
  const [name = ''] = [...wanted.embed, ...wanted.expand]
  const [relation] = yield* resolveRelations(schema, collection, wanted)
  return yield* endsBefore(schema, collection, relation, name)
}

interface Asked {
  readonly name: string
  /** Whether `_expand` asks for it, which means parents. What comes after a dot is resolved as `_embed` is. */
  readonly isExpand: boolean
}

type Head = Omit<Relation, 'deeper'>

function* resolveLevel(
  schema: Schema,
  collection: string,
  asked: readonly Asked[],
  level: number,
  count: { deeper: number },
): Work<readonly Relation[]> {
  const heads = new Map<string, { readonly head: Head; readonly deeper: Asked[] }>()
  const firsts = new Map<string, Head | undefined>()
  const hasDots = schema.names().some((name) => name.includes('.'))
  for (const [at, { name, isExpand }] of asked.entries()) {
    // Finding the plural of a name takes a while.
    if (at % FEW_NAMES === FEW_NAMES - 1) yield
    const mayBeWhole = hasDots || !name.includes('.')
    const whole = mayBeWhole ? yield* resolveName(schema, collection, { name, isExpand }, false) : undefined
    const dot = whole ? -1 : name.indexOf('.')
    const first = name.slice(0, Math.max(dot, 0))
    const seen = `${isExpand} ${first}`
    if (dot > 0 && !firsts.has(seen))
      firsts.set(seen, yield* resolveName(schema, collection, { name: first, isExpand }, true))
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
    const deeper = yield* resolveLevel(schema, head.collection, names, level + 1, count)
    relations.push({ ...head, isBounded, deeper })
  }
  return relations
}

/** @param isDotted whether other names come after it */
function* resolveName(
  schema: Schema,
  collection: string,
  { name, isExpand }: Asked,
  isDotted: boolean,
): Work<Head | undefined> {
  if (!isExpand) return yield* childrenOf(schema, collection, name)
  const own = `${name}${schema.naming.foreignKeySuffix}`
  if (schema.sizeOf(name) === undefined || (yield* schema.hasField(collection, own)))
    return parentOf(schema, name)
  return isDotted ? yield* childrenOf(schema, collection, name) : listOf(schema, name)
}

/**
 * `_embed=products`: the rows of that collection that point at the row. Where none has a key for that, the relation is
 * in lists of keys: `tag_ids` of a post, and `/tags/1?_embed=posts` by the same field. Else a parent in the singular.
 */
function* childrenOf(schema: Schema, collection: string, name: string): Work<Head | undefined> {
  if (schema.sizeOf(name) === undefined) return parentOf(schema, name)
  const field = foreignKey(collection, schema.naming)
  if (yield* schema.hasField(name, field)) {
    return { name, collection: name, way: { by: 'field', field }, isList: true, isBounded: false }
  }
  const list = listKey(name, schema.naming)
  const entries = listKey(collection, schema.naming)
  const way = (yield* schema.hasField(name, entries)) ? { by: 'entries' as const, field: entries } : undefined
  return { name, collection: name, list, ...(way && { way }), isList: true, isBounded: true }
}

/** `_expand=company`: the row that `company_id` points at. */
function parentOf(schema: Schema, name: string): Head | undefined {
  const collection = pluralOf(name)
  if (schema.sizeOf(collection) === undefined) return undefined
  const own = `${name}${schema.naming.foreignKeySuffix}`
  return { name, collection, way: { by: 'id', own }, isList: false, isBounded: false }
}

/** `_expand=tags`: the rows that `tag_ids` lists. */
function listOf(schema: Schema, name: string): Head {
  const list = listKey(name, schema.naming)
  return { name, collection: name, list, isList: false, isBounded: true }
}

function* endsBefore(
  schema: Schema,
  collection: string,
  relation: Relation | undefined,
  name: string,
): Work<boolean> {
  if (!relation) return isFilled(schema, collection)
  if (!(yield* hasKey(schema, collection, relation))) return true
  if (relation.name === name) return false
  const rest = name.slice(relation.name.length + 1)
  return yield* endsBefore(schema, relation.collection, relation.deeper[0], rest)
}

function* hasKey(
  schema: Schema,
  collection: string,
  { way, list, collection: other }: Relation,
): Work<boolean> {
  if (!isFilled(schema, collection) || !isFilled(schema, other)) return true
  if (way && way.by !== 'id') return true
  if (way && (yield* schema.hasField(collection, way.own))) return true
  return list !== undefined && (yield* schema.hasField(collection, list))
}

function isFilled(schema: Schema, collection: string): boolean {
  return (schema.sizeOf(collection) ?? 0) > 0
}

function refuse(what: string): never {
  throw new StorageError(
    'INVALID_QUERY',
    `_embed and _expand ask for more than ${what}; ask for less at a time.`,
  )
}
