import type { Request } from 'express'
import { patchRow, removeRow, removeWithDependents, replaceRow } from '../../storage/local/operations.ts'
import { type Answer, change, type RouterContext } from '../context.ts'
import { urlOf } from '../links.ts'
import { parseDependents } from '../query/parse-query.ts'
import { queryOf } from '../query/request-query.ts'
import { checkMerge, objectBody, objectOrArrayBody } from './body.ts'
import { isPageOfOurs, wantedPlace } from './place-header.ts'

/** The foreign key that a nested route (`/companies/1/products`) hands down. */
export interface Parent {
  readonly key: string
  readonly id: string
}

/** `POST /products`, `POST /companies/1/products`; an array is inserted as a whole or not at all. */
export async function create(
  context: RouterContext,
  req: Request,
  name: string,
  parent?: Parent,
): Promise<Answer> {
  const body = objectOrArrayBody(req.body, context.store.naming.id)
  const rows = [body].flat().map((row) => (parent ? { ...row, [parent.key]: parent.id } : row))
  const place = wantedPlace(req)
  const created = await change(context, function* (draft) {
    const inserted = yield* draft.insertMany(name, rows)
    const [row] = inserted
    if (place !== undefined && row && inserted.length === 1) draft.place(name, row, place)
    return inserted
  })
  const [first] = created
  if (Array.isArray(body) || !first) {
    return { status: 201, data: created }
  }
  const location = urlOf(req, name, String(first[context.store.naming.id]))
  return { status: 201, data: first, location }
}

/** `PUT /products/1`, `PATCH /products/1` */
export async function update(
  context: RouterContext,
  req: Request,
  name: string,
  id: string,
): Promise<Answer> {
  const fields = objectBody(req.body)
  const row = await change(context, (draft) => {
    if (req.method !== 'PATCH') return replaceRow(draft, name, id, fields)
    checkMerge(draft.find(name, id) ?? {}, fields)
    return patchRow(draft, name, id, fields)
  })
  return row && { data: row }
}

/** `DELETE /products/1`, `DELETE /companies/1?_dependent=products` */
export async function destroy(
  context: RouterContext,
  req: Request,
  name: string,
  id: string,
): Promise<Answer> {
  const dependents = context.cascade ? 'all' : parseDependents(queryOf(req))
  const isAsked = isPageOfOurs(req)
  const removed = await change(context, function* (draft) {
    const row = isAsked ? draft.find(name, id) : undefined
    const place = row ? draft.placeOf(name, row) : -1
    const isRemoved =
      dependents.length > 0
        ? yield* removeWithDependents(draft, name, id, dependents)
        : removeRow(draft, name, id)
    return isRemoved && { place }
  })
  if (!removed) return undefined
  return { data: {}, ...(removed.place >= 0 && { place: removed.place }) }
}
