import { asItIsNow } from '../storage/json/pretty-json.ts'
import type { Store } from '../storage/local/store.ts'
import { attachRelations } from '../storage/relations/attach.ts'
import type { JoinedRows } from '../storage/relations/joined-rows.ts'
import { foreignKey } from '../storage/relations/relations.ts'
import type { Condition, Envelope, ListQuery, Relations, Selection } from '../storage/types.ts'
import { type Work, waitFor, workInSlices } from '../work/in-slices.ts'
import { readJoined } from './joined-reading.ts'
import { parseQuery, parseRelations } from './query/parse-query.ts'
import { checkQuery } from './query/query-limits.ts'
import { servedName, type Target } from './target.ts'

/** What a read finds. Depends on nothing but the URL and the data. */
export interface Reading {
  readonly data: unknown
  /** For long lists with relations: the same, row by row. `data` makes a copy of all of them each time it is asked for. */
  readonly joined?: JoinedRows
  /** Then it may be many times as large as the data. */
  readonly hasRelations?: boolean
  /** For lists: what its headers tell. */
  readonly list?: ListHead
  /** Whether the same read would find the same now. Only to be trusted while nobody else changes the data. */
  isCurrent(): boolean
}

export interface ListHead extends Omit<Selection, 'items'> {
  readonly collection: string
  readonly window: ListQuery['window']['kind']
}

/** `GET /db` shows everything, even where a collection has that name: writes go to the collection. */
export type ReadTarget = Target | { readonly kind: 'database' }

/** A read that was understood, and not done yet. */
export interface Asked {
  /** The same for all lists that mean the same, however their URLs are written. */
  readonly key?: string
  /**
   * Undefined is a 404.
   * @param isWanted whether its client is still there
   */
  find(isWanted?: () => boolean): Reading | undefined | Promise<Reading | undefined>
}

export function ask(store: Store, target: ReadTarget, query: Record<string, unknown>): Asked {
  switch (target.kind) {
    case 'database':
      return { find: () => readDatabase(store) }
    case 'collection':
      return askList(store, target.name, checkQuery(parseQuery(query)))
    case 'item':
      return { find: () => readItem(store, target.name, target.id, parseRelations(query)) }
    case 'object':
      return { find: () => readObject(store, target.name) }
    case 'children':
      return askChildren(store, target, query)
  }
}

function askList(store: Store, collection: string, query: ListQuery): Asked {
  return {
    key: JSON.stringify([collection, query]),
    find: (isWanted) => workInSlices(readList(store, collection, query, isWanted)),
  }
}

function* readList(
  store: Store,
  collection: string,
  query: ListQuery,
  isWanted: (() => boolean) | undefined,
): Work<Reading> {
  // Asked before: until a long search has found something, the data may have changed.
  const isCurrent = unchanged(store, collection, query)
  const { items, ...head } = yield* waitFor(store.select(collection, query, isWanted))
  const list = { ...head, collection, window: head.page ? 'page' : query.window.kind } as const
  // It may be the table's own list.
  const rows = { data: items.slice(), list, isCurrent }
  const reading = hasRelations(query) ? yield* readJoined(store, rows, query) : rows
  return head.envelope ? inEnvelope(reading, head.envelope) : reading
}

/** A page as json-server 1.0 answers it. */
function inEnvelope({ data, joined: _, ...rest }: Reading, envelope: Envelope): Reading {
  return { ...rest, data: { ...envelope, data } }
}

function readItem(
  store: Store,
  collection: string,
  id: string,
  relations: Relations,
): Reading | undefined | Promise<Reading | undefined> {
  if (hasRelations(relations)) return workInSlices(readRelated(store, collection, id, relations))
  const row = store.find(collection, id)
  if (!row) return undefined
  // Rows are never changed, only replaced: the same row is the same answer, whatever happened around it.
  return { data: row, isCurrent: () => store.find(collection, id) === row }
}

function* readRelated(
  store: Store,
  collection: string,
  id: string,
  relations: Relations,
): Work<Reading | undefined> {
  const isCurrent = unchanged(store, collection, relations)
  const row = store.find(collection, id)
  if (!row) return undefined
  const [data] = yield* attachRelations(store, collection, [row], relations)
  return { data, hasRelations: true, isCurrent }
}

function readObject(store: Store, name: string): Reading {
  const data = store.data[name]
  return { data, isCurrent: () => store.data[name] === data }
}

function readDatabase(store: Store): Reading {
  const { version } = store
  return { data: asItIsNow(store.data), isCurrent: () => store.version === version }
}

/**
 * The foreign key in the path is never dropped as unknown: under a parent that is no collection, such as the
 * `/health/1/products` that an API key guard lets pass, there is nothing.
 */
function askChildren(
  store: Store,
  { parent, id, name, isCollection }: Target & { kind: 'children' },
  query: Record<string, unknown>,
): Asked {
  if (!isCollection) {
    return { find: () => (isCollectionName(store, parent) ? readObject(store, name) : undefined) }
  }
  const asked = checkQuery(parseQuery(query))
  const key = foreignKey(parent, store.naming)
  const others = asked.where.filter((one) => !('path' in one) || one.path !== key || one.op !== 'eq')
  const isChild: Condition = { path: key, op: 'eq', values: [id], required: true }
  return askList(store, name, { ...asked, where: [...others, isChild] })
}

/** Whether a path's first part names a collection, in whatever case. */
export function isCollectionName(store: Store, name: string): boolean {
  const known = servedName(store, name)
  return known !== undefined && store.kindOf(known) === 'collection'
}

/** With relations any other collection may have a part in the answer. */
function unchanged(store: Store, collection: string, relations: Relations): () => boolean {
  if (hasRelations(relations)) {
    const { version } = store
    return () => store.version === version
  }
  // By its number: whoever kept the table itself would keep all rows of a file that was long replaced.
  const version = store.table(collection)?.version
  return () => store.table(collection)?.version === version
}

function hasRelations({ embed, expand }: Relations): boolean {
  return embed.length + expand.length > 0
}
