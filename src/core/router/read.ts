import type { Catalog } from '../engine/engine.ts'
import { idOf } from '../engine/id-of.ts'
import type { JoinedList, Question } from '../engine/question.ts'
import { foreignKey } from '../engine/relations/relations.ts'
import type { Condition, ListQuery, Selection } from '../engine/types.ts'
import type { IgnoredPart } from '../kernel/catalogue/exchange.ts'
import { checkQuery, parseItemQuery, parseQuery } from './query/parse-query.ts'
import type { Query } from './query/query-string.ts'
import { type ParentItem, parentOf, type Target } from './target.ts'

/** The result of a read. Depends only on the URL and the data. */
export interface RenderableResult {
  readonly data: unknown
  /** For long lists with relations: `data` row by row, which copies all of them on each access. */
  readonly joined?: JoinedList
  /** If so, the response may be many times as large as the data. */
  readonly hasRelations?: boolean
  /** Measured already: serializing it blocks nothing. */
  readonly isShort?: boolean
  readonly list?: ListHead
  readonly ignored?: { readonly resource: string; readonly parts: readonly IgnoredPart[] }
  readonly isStrict?: boolean
  /** Whether ignored parameters are not reported: it takes none, or `_explain` lists them. */
  readonly isIndifferent?: boolean
  /** A 404. */
  readonly isMissing?: boolean
  /** The response to `_explain`: neither a list nor an item. */
  readonly isExplanation?: boolean
  /** Writes `data`, which is known to take no time. */
  readonly write?: () => Buffer
  /** The frame around the rows of `joined`. */
  readonly frame?: Frame
  /** The media type, if it is not that of JSON. */
  readonly type?: string
  isCurrent(): boolean
}

/** The text around the rows of a list, as JSON with two spaces. */
export interface Frame {
  readonly before: string
  readonly after: string
  /** How deep in the whole the list is. */
  readonly depth: number
  /** The whole, not as text. */
  around(rows: readonly unknown[]): unknown
}

/** A 404. */
export const NOTHING: RenderableResult = { data: {}, isMissing: true, isCurrent: () => false }

export interface ListHead extends Omit<Selection, 'items' | 'ignored'> {
  readonly collection: string
}

/** `GET /db` is everything, even if a collection has that name: writes go to the collection. */
export type ReadTarget = Target | { readonly kind: 'database' }

export type ReadQuestion = Question<'database' | 'object' | 'item' | 'list'>

export function questionOf(catalog: Catalog, target: ReadTarget, query: Query): ReadQuestion | undefined {
  if (target.kind === 'database') return { kind: 'database' }
  const { name, parent } = target
  if (target.kind === 'list') {
    const list = checkQuery(parseQuery(query, parent ? pathTo(target) : name))
    return { kind: 'list', collection: name, query: parent ? childrenOf(catalog, name, parent, list) : list }
  }
  const within = parent && parentOf(catalog, parent, name)
  if (parent && !within) return undefined
  if (target.kind !== 'item') return { kind: 'object', name }
  return {
    kind: 'item',
    collection: name,
    id: target.id,
    ...(within && { within }),
    ...parseItemQuery(query),
  }
}

function pathTo({ name, parent, above = [] }: Target): string {
  return [...above, ...(parent ? [parent] : [])].map((one) => `${one.name}/${one.id}/`).join('') + name
}

/** Under a parent that is not a collection, as in `/health/1/products`, the required key leaves no rows. */
function childrenOf(
  { naming }: Catalog,
  child: string,
  { name, id, key = foreignKey(name, naming) }: ParentItem,
  list: ListQuery,
): ListQuery {
  const rest = list.where.filter((one) => !('path' in one) || one.path !== key || one.op !== 'eq')
  const isChild: Condition = {
    path: key,
    op: 'eq',
    values: key === idOf(child, naming) ? [] : [id],
    required: true,
  }
  return { ...list, where: [...rest, isChild] }
}
