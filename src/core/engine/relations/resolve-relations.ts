import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import { hasFieldIn, type TableSource } from '../data/database.ts'
import { idOf } from '../id-of.ts'
import type { Relations } from '../types.ts'
import {
  collectionOfOne,
  foreignKey,
  listKey,
  MOST_LEVELS,
  onlyReference,
  referenceNamed,
} from './relations.ts'

export interface Relation {
  readonly name: string
  readonly collection: string
  /** The row's field with a list of ids. If the row has one, it beats `join`. */
  readonly list?: string
  readonly join?: Join | undefined
  readonly isList: boolean
  /** Whether json-server lacks it: then its rows count toward the limit of a query. */
  readonly isBounded: boolean
  readonly deeper: readonly Relation[]
}

/** `own` is the field of the row that is looked up: its key, or its id. */
type Join =
  | { readonly by: 'id'; readonly own: string }
  /** To children, by their `company_id`, or by their list `company_ids`. */
  | { readonly by: 'field' | 'entries'; readonly own: string; readonly field: string }

const MOST_DEEPER = 50

/** A name without meaning is ignored, as in json-server. */
export async function resolveRelations(
  source: TableSource,
  collection: string,
  { embed, expand }: Relations,
): Promise<readonly Relation[]> {
  const requested = [
    ...[...new Set(embed)].map((name) => ({ name, isExpand: false })),
    ...[...new Set(expand)].map((name) => ({ name, isExpand: true })),
  ]
  return new Resolver(source).resolve(collection, requested, 1)
}

/** Whether the relation can never attach anything. Unknown, so false, while there are no rows. */
export async function attachesNothing(
  source: TableSource,
  collection: string,
  wanted: Relations,
): Promise<boolean> {
  let [name = ''] = [...wanted.embed, ...wanted.expand]
  let [relation] = await resolveRelations(source, collection, wanted)
  let from = collection
  while (relation) {
    if (!(await hasKey(source, from, relation))) return true
    if (relation.name === name) return false
    name = name.slice(relation.name.length + 1)
    from = relation.collection
    relation = relation.deeper[0]
  }
  return isFilled(source, from)
}

interface Requested {
  readonly name: string
  /** Requested by `_expand`, so a parent. After a dot, names are resolved as for `_embed`. */
  readonly isExpand: boolean
}

type Head = Omit<Relation, 'deeper'>

class Resolver {
  readonly #source: TableSource
  #deeper = 0

  constructor(source: TableSource) {
    this.#source = source
  }

  async resolve(
    collection: string,
    requested: readonly Requested[],
    level: number,
  ): Promise<readonly Relation[]> {
    const heads = new Map<string, { readonly head: Head; readonly deeper: Requested[] }>()
    const pace = new TimeSlice()
    const hasDots = this.#source.names().some((name) => name.includes('.'))
    for (const { name, isExpand } of requested) {
      if (pace.isUsedUp) await pace.yieldToEventLoop()
      const mayBeName = hasDots || !name.includes('.')
      const whole = mayBeName ? await this.#headOf(collection, { name, isExpand }, false) : undefined
      const dot = whole ? -1 : name.indexOf('.')
      const first = { name: name.slice(0, Math.max(dot, 0)), isExpand }
      const head = dot > 0 ? await this.#headOf(collection, first, true) : whole
      if (!head) continue
      const key = JSON.stringify(head)
      const entry = heads.get(key) ?? { head, deeper: [] }
      heads.set(key, entry)
      if (dot < 0) continue
      if (name.split('.').length > MOST_LEVELS + 1 - level) refuseMoreThan(`${MOST_LEVELS} levels`)
      entry.deeper.push({ name: name.slice(dot + 1), isExpand: false })
    }
    const relations: Relation[] = []
    for (const { head, deeper: names } of heads.values()) {
      if (level > 1 && ++this.#deeper > MOST_DEEPER) refuseMoreThan(`${MOST_DEEPER} relations of relations`)
      const isBounded = head.isBounded || names.length > 0 || level > 1
      relations.push({ ...head, isBounded, deeper: await this.resolve(head.collection, names, level + 1) })
    }
    return relations
  }

  async #headOf(
    collection: string,
    { name, isExpand }: Requested,
    isDotted: boolean,
  ): Promise<Head | undefined> {
    const { naming } = this.#source
    const reference = referenceNamed(naming, collection, name)
    if (reference && this.#source.kindOf(reference.collection) === 'collection')
      return referred(name, reference, isExpand)
    if (this.#source.kindOf(name) !== 'collection') return this.#parent(collection, name)
    if (!isExpand) return this.#children(collection, name)
    if (await hasKeyIn(this.#source, collection, `${name}${naming.foreignKeySuffix}`))
      return this.#parent(collection, name)
    if (isDotted) return this.#children(collection, name)
    return { name, collection: name, list: listKey(name, naming), isList: false, isBounded: true }
  }

  #parent(child: string, name: string): Head | undefined {
    const { naming } = this.#source
    const collection = collectionOfOne(name, this.#source)
    const own = `${name}${naming.foreignKeySuffix}`
    if (collection === undefined || own === idOf(child, naming)) return undefined
    return { name, collection, join: { by: 'id', own }, isList: false, isBounded: false }
  }

  /**
   * By the foreign key of the children. If none has it, by a list of ids, `product_ids` here or `company_ids` there, or by
   * the only key that the settings name.
   */
  async #children(collection: string, name: string): Promise<Head> {
    const { naming } = this.#source
    const field = foreignKey(collection, naming)
    const own = idOf(collection, naming)
    if (await hasKeyIn(this.#source, name, field)) {
      return { name, collection: name, join: { by: 'field', own, field }, isList: true, isBounded: false }
    }
    const entries = listKey(collection, naming)
    const hasEntries = await hasKeyIn(this.#source, name, entries)
    const only = onlyReference(naming, name, collection)
    const join: Join | undefined = hasEntries
      ? { by: 'entries', own, field: entries }
      : only && { by: only.isList ? 'entries' : 'field', own, field: only.field }
    return { name, collection: name, list: listKey(name, naming), join, isList: true, isBounded: true }
  }
}

function referred(
  name: string,
  { field, collection, isList }: NonNullable<ReturnType<typeof referenceNamed>>,
  isExpand: boolean,
): Head {
  return isList
    ? { name, collection, list: field, isList: !isExpand, isBounded: true }
    : { name, collection, join: { by: 'id', own: field }, isList: false, isBounded: false }
}

/** Its own id is no key, whatever it is called. */
async function hasKeyIn(source: TableSource, collection: string, field: string): Promise<boolean> {
  return field !== idOf(collection, source.naming) && hasFieldIn(source, collection, field)
}

async function hasKey(
  source: TableSource,
  from: string,
  { join, list, collection }: Relation,
): Promise<boolean> {
  if (!(await isFilled(source, from)) || !(await isFilled(source, collection))) return true
  if (join && (join.by !== 'id' || (await hasFieldIn(source, from, join.own)))) return true
  return list !== undefined && (await hasFieldIn(source, from, list))
}

async function isFilled(source: TableSource, collection: string): Promise<boolean> {
  return ((await source.table(collection))?.size ?? 0) > 0
}

function refuseMoreThan(what: string): never {
  const message = `_embed and _expand ask for more than ${what}; ask for less at a time.`
  throw new StorageError('INVALID_QUERY', message)
}
