import type { IgnoredPart } from '../exchange.ts'
import type { Engine, MaybePromise } from '../storage/engine.ts'
import type { Reading as EngineReading, JoinedList, Listing, Question, Within } from '../storage/question.ts'
import { hasRelations, isShaped } from '../storage/relations/join-rows.ts'
import { foreignKey } from '../storage/relations/relations.ts'
import type { Condition, ListQuery, Relations, Row, Selection } from '../storage/types.ts'
import { when } from '../work/when.ts'
import { parseQuery, parseRelations } from './query/parse-query.ts'
import { checkQuery } from './query/query-limits.ts'
import { isCollectionName, type Target } from './target.ts'

/** The result of a read, ready to send. Depends only on the URL and the data. */
export interface Reading {
  readonly data: unknown
  /** For long lists with relations: the same, row by row. `data` copies all of them on every access. */
  readonly joined?: JoinedList
  /** If so, it may be many times as large as the data. */
  readonly hasRelations?: boolean
  /** For lists: the values of its headers. */
  readonly list?: ListHead
  /** What had no effect, and on which resource. */
  readonly ignored?: { readonly resource: string; readonly parts: readonly IgnoredPart[] }
  /** What its URL says about that: `_strict=true`. */
  readonly isStrict?: boolean
  /** Whether no parameter is judged: it takes none, or `_explain` says what they mean. */
  readonly isIndifferent?: boolean
  /** Whether the same read would find the same now; never where the engine cannot tell. */
  isCurrent(): boolean
}

export interface ListHead extends Omit<Selection, 'items'> {
  readonly collection: string
  readonly window: ListQuery['window']['kind']
}

/** `GET /db` shows everything, even if a collection has that name: writes go to the collection. */
export type ReadTarget = Target | { readonly kind: 'database' }

/** A read that was parsed but not yet run. */
export interface Asked {
  /** The same for all lists that mean the same, however their URLs are written. */
  readonly key?: string
  /** What a list asks the engine. */
  readonly list?: Question<'list'>
  /**
   * Undefined is a 404.
   * @param isWanted whether the client is still connected
   */
  find(isWanted?: () => boolean): MaybePromise<Reading | undefined>
}

export function ask(engine: Engine, target: ReadTarget, query: Record<string, unknown>): Asked {
  switch (target.kind) {
    case 'database':
      return { find: () => when(engine.read({ kind: 'database' }), whole) }
    case 'collection':
      return askList(engine, target.name, checkQuery(parseQuery(query)))
    case 'item':
      return askItem(engine, target.name, target.id, parseRelations(query))
    case 'object':
      return askObject(engine, target.name)
    case 'children':
      return askChildren(engine, target, query)
    case 'child':
      return askChild(engine, target, parseRelations(query))
  }
}

function askList(engine: Engine, collection: string, query: ListQuery): Asked {
  const question: Question<'list'> = { kind: 'list', collection, query }
  return {
    key: JSON.stringify([collection, query]),
    list: question,
    find: (isWanted) => when(engine.read(question, { isWanted }), (reading) => listed(question, reading)),
  }
}

function askItem(
  engine: Engine,
  collection: string,
  id: string,
  relations: Relations,
  within?: Within,
): Asked {
  const question = { kind: 'item', collection, id, ...(within && { within }) } as const
  if (!isShaped(relations)) return { find: () => when(engine.read(question), plain) }
  const related = (reading: EngineReading<Row | undefined>) => {
    const found = plain(reading)
    return found && { ...found, hasRelations: hasRelations(relations) }
  }
  return { find: () => when(engine.read({ ...question, relations }), related) }
}

/** `/companies/9/products/10`: like `/products/10`, if it belongs to company 9. */
function askChild(
  engine: Engine,
  { parent, parentId, name, id }: Target & { kind: 'child' },
  relations: Relations,
): Asked {
  if (!isCollectionName(engine, parent)) return { find: () => undefined }
  const within = { key: foreignKey(parent, engine.naming), id: parentId }
  return askItem(engine, name, id, relations, within)
}

function askObject(engine: Engine, name: string): Asked {
  return { find: () => when(engine.read({ kind: 'object', name }), whole) }
}

/**
 * The foreign key in the path is never ignored as unknown: a parent that is not a collection has no children, such as
 * the `/health/1/products` that an API key guard lets pass.
 */
function askChildren(
  engine: Engine,
  { parent, id, name, isCollection }: Target & { kind: 'children' },
  query: Record<string, unknown>,
): Asked {
  if (!isCollection) {
    return isCollectionName(engine, parent) ? askObject(engine, name) : { find: () => undefined }
  }
  const asked = checkQuery(parseQuery(query))
  const key = foreignKey(parent, engine.naming)
  const others = asked.where.filter((one) => !('path' in one) || one.path !== key || one.op !== 'eq')
  const isChild: Condition = { path: key, op: 'eq', values: [id], required: true }
  return askList(engine, name, { ...asked, where: [...others, isChild] })
}

function plain({ found, isCurrent = never }: EngineReading<unknown>): Reading | undefined {
  return found === undefined ? undefined : { data: found, isCurrent }
}

/** What no parameter changes. */
function whole(reading: EngineReading<unknown>): Reading | undefined {
  const found = plain(reading)
  return found && { ...found, isIndifferent: true }
}

function listed(
  { collection, query }: Question<'list'>,
  { found, isCurrent = never }: EngineReading<Listing | undefined>,
): Reading | undefined {
  if (!found) return undefined
  const { rows, ...head } = found
  const list = { ...head, collection, window: head.page ? 'page' : query.window.kind } as const
  const rest = { list, isCurrent, ...(hasRelations(query) && { hasRelations: true }) }
  if (head.envelope) return { data: { ...head.envelope, data: arrayOf(rows) }, ...rest }
  if (!('sizeUpTo' in rows)) return { data: rows, ...rest }
  return {
    get data() {
      return rows.toArray()
    },
    joined: rows,
    ...rest,
  }
}

function arrayOf(rows: Listing['rows']): readonly Row[] {
  return 'toArray' in rows ? rows.toArray() : rows
}

function never(): boolean {
  return false
}
