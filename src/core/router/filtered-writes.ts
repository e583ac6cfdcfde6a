import type { Request } from 'express'
import type { Dependents, Filter } from '../engine/change.ts'
import type { Within } from '../engine/question.ts'
import type { Condition, Word } from '../engine/types.ts'
import { everyLeaf } from '../engine/where.ts'
import { change, type RouterContext, type Write, type WriteResponse } from './context.ts'
import { readDialect } from './query/dialects.ts'
import { checkQuery, parseQuery } from './query/parse-query.ts'
import { type Query, queryOf } from './query/query-string.ts'
import { RequestError } from './request-error.ts'
import { dependentsOf } from './resource-writes.ts'
import { objectBody, patchOf, textsOf } from './write-body.ts'

/** `PATCH /products?company_id=3`: changes every item that matches, or none. */
export async function updateMatching({ context, req, name, within }: Write): Promise<WriteResponse> {
  const filtered = { collection: name, where: whereOf(req, within) }
  const patch = patchOf(req)
  const options = within ? { within } : {}
  const rows = patch
    ? await change(context, { kind: 'patch-where', ...filtered, patch }, options)
    : await change(
        context,
        { kind: 'merge-where', ...filtered, fields: objectBody(req.body) },
        { ...options, ...textsOf(req) },
      )
  return rows && { data: rows, total: rows.length }
}

/** `DELETE /products?price_lte=1` */
export async function destroyMatching({ context, req, name, within }: Write): Promise<WriteResponse> {
  const where = whereOf(req, within)
  const dependents = checkDependents(context, dependentsOf(context, req))
  const removed = await change(context, { kind: 'remove-where', collection: name, where, dependents })
  return removed && { data: {}, removed, total: removed.length }
}

function checkDependents({ engine }: RouterContext, dependents: Dependents): Dependents {
  const names = dependents === 'all' ? [] : dependents
  const unknown = names.find((name) => engine.kindOf(name) !== 'collection')
  if (unknown === undefined) return dependents
  return refuseFilter(`_dependent names ${unknown}, which is not a collection; correct the name.`)
}

/** Under a parent only its own items can match, and `_all=true` means all of those. */
function whereOf(req: Request, parent: Within | undefined): Filter {
  const filter = filterOf(queryOf(req), req.method)
  if (!parent) return filter
  const isChild: Condition = { path: parent.key, op: 'eq', values: [parent.id], required: true }
  return { ...filter, where: [...filter.where, isChild] }
}

/** The filter of a PATCH or DELETE. Nothing in it is ignored, since that would change unintended rows. */
function filterOf(query: Query, method: string): Filter {
  for (const [name, value] of Object.entries(query)) {
    if (MEANINGLESS.has(name) || (name === '_dependent' && method !== 'DELETE'))
      refuseFilter(meansNothing(name))
    if (!isText(value)) refuseFilter(`The value of ${name} cannot be read; write it as ${name}=value.`)
  }
  const { _dependent, _all, _strict, _explain, ...filters } = query
  checkDialect(filters)
  const { search, where, words: parsed = [], ignored } = checkQuery(parseQuery(filters))
  const words = [
    ...parsed.map(asFilter),
    ...(_explain === undefined ? [] : [asFilter(wordOf('_explain', _explain))]),
    ...(_all === undefined ? [] : [toggle('_all', _all, ['true'])]),
    ...(_strict === undefined ? [] : [toggle('_strict', _strict, ['true', 'false'])]),
  ]
  // Words with an error may be names of fields: the engine decides, and refuses them otherwise.
  const mayBeField = words.some(({ means }) => means.error !== undefined)
  if (everyLeaf({ where, words }).length === 0 && search === undefined && _all === undefined && !mayBeField) {
    const done = method === 'DELETE' ? 'deleted' : 'changed'
    refuseFilter(
      `Without a filter every item would be ${done}; add one, or _all=true if that is what you mean.`,
    )
  }
  return { where, words, ...(search !== undefined && { search }), ...(ignored && { ignored }) }
}

/** Refuses an empty search or filter, and parameters of dialects that are not filters. */
function checkDialect(query: Query): void {
  const { filters = [], names = new Set() } = readDialect(query) ?? {}
  const idle = ['sort', 'range', 'embed'].find((name) => names.has(name))
  if (idle !== undefined) refuseFilter(meansNothing(idle))
  const [name = 'filter'] = names
  if (filters.some((filter) => Object.keys(filter).length === 0))
    refuseFilter(`${name} is empty; leave it out.`)
  if ([query, ...filters].some(({ q }) => [q].flat()[0] === '')) refuseFilter('q is empty; leave it out.')
}

const MEANINGLESS: ReadonlySet<string> = new Set(
  '_sort _order _page _limit _start _end _embed _expand _upsert'.split(' '),
)

function asFilter(word: Word): Word {
  const { name, means } = word
  if (name !== '_where') return refused(word, meansNothing(name))
  const isEmpty = means.error === undefined && means.where?.length === 0
  return isEmpty ? refused(word, '_where is empty; leave it out.') : word
}

function toggle(name: string, value: unknown, allowed: readonly string[]): Word {
  const word = wordOf(name, value)
  return word.values.every((one) => allowed.includes(one))
    ? word
    : refused(word, `${name} can only be ${allowed.join(' or ')}.`)
}

function wordOf(name: string, value: unknown): Word {
  return { name, values: [value].flat().map(String), means: {} }
}

function refused(word: Word, message: string): Word {
  return { ...word, means: { error: `${message} Nothing was changed.` } }
}

function meansNothing(name: string): string {
  return `${name} means nothing where rows are changed; leave it out.`
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.length > 0 && value.every(isText))
}

function refuseFilter(message: string): never {
  throw new RequestError('INVALID_QUERY', `${message} Nothing was changed.`)
}
