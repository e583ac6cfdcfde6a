import type { Request } from 'express'
import type { Dependents, Filter } from '../storage/change.ts'
import type { Within } from '../storage/question.ts'
import type { Condition } from '../storage/types.ts'
import { change, type RouterContext, type WriteResponse } from './context.ts'
import { queryOf } from './query/query-string.ts'
import { RequestError } from './request-error.ts'
import { dependentsOf } from './resource-writes.ts'
import { objectBody, patchOf, textsOf } from './write-body.ts'
import { filterOf } from './write-filter.ts'

/** `PATCH /products?company_id=3`: changes every item that matches, or none. */
export async function updateMatching(
  context: RouterContext,
  req: Request,
  collection: string,
  parent?: Within,
): Promise<WriteResponse> {
  const where = whereOf(req, parent)
  const patch = patchOf(req)
  const options = parent ? { within: parent } : {}
  const rows = patch
    ? await change(context, { kind: 'patch-where', collection, where, patch }, options)
    : await change(
        context,
        { kind: 'merge-where', collection, where, fields: objectBody(req.body) },
        { ...options, ...textsOf(req) },
      )
  return rows && { data: rows, total: rows.length }
}

/** `DELETE /products?price_lte=1` */
export async function destroyMatching(
  context: RouterContext,
  req: Request,
  collection: string,
  parent?: Within,
): Promise<WriteResponse> {
  const where = whereOf(req, parent)
  const dependents = checkDependents(context, dependentsOf(context, req))
  const removed = await change(context, { kind: 'remove-where', collection, where, dependents })
  return removed && { data: {}, removed, total: removed.length }
}

function checkDependents({ engine }: RouterContext, dependents: Dependents): Dependents {
  const names = dependents === 'all' ? [] : dependents
  const unknown = names.find((name) => engine.kindOf(name) !== 'collection')
  if (unknown === undefined) return dependents
  const message = `_dependent names ${unknown}, which is not a collection; correct the name. Nothing was changed.`
  throw new RequestError('INVALID_QUERY', message)
}

/** Under a parent only its own items can match, and `_all=true` means all of those. */
function whereOf(req: Request, parent: Within | undefined): Filter {
  const filter = filterOf(queryOf(req), req.method)
  if (!parent) return filter
  const isChild: Condition = { path: parent.key, op: 'eq', values: [parent.id], required: true }
  return { ...filter, where: [...filter.where, isChild] }
}
