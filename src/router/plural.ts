import type { Request, Response } from 'express'
import type { Draft } from '../storage/draft.ts'
import { patchRow, removeRow, replaceRow } from '../storage/operations.ts'
import { objectBody, objectOrArrayBody } from './body.ts'
import type { Answer, RouterContext } from './context.ts'
import { urlOf } from './links.ts'
import { parseDependents } from './parse-query.ts'
import { queryOf } from './request-query.ts'
import { exposeHeaders } from './respond.ts'

/** The foreign key that a nested route (`/companies/1/products`) hands down. */
export interface Parent {
  readonly key: string
  readonly id: string
}

/** `POST /products`, `POST /companies/1/products`; an array is inserted as a whole or not at all. */
export async function create(
  context: RouterContext,
  req: Request,
  res: Response,
  name: string,
  parent?: Parent,
): Promise<Answer> {
  const body = objectOrArrayBody(req.body, context.store.naming.id)
  const rows = [body].flat().map((row) => (parent ? { ...row, [parent.key]: parent.id } : row))
  const created = await write(context, (draft) => draft.insert(name, rows))
  const [first] = created
  if (Array.isArray(body) || !first) {
    exposeHeaders(req, res)
    return { status: 201, data: created }
  }
  res.setHeader('Location', urlOf(req, name, String(first[context.store.naming.id])))
  exposeHeaders(req, res, 'Location')
  return { status: 201, data: first }
}

/** `PUT /products/1`, `PATCH /products/1` */
export async function update(
  context: RouterContext,
  req: Request,
  res: Response,
  name: string,
  id: string,
): Promise<Answer> {
  const fields = objectBody(req.body)
  const change = req.method === 'PATCH' ? patchRow : replaceRow
  const row = await write(context, (draft) => change(draft, name, id, fields))
  exposeHeaders(req, res)
  return row && { data: row }
}

/** `DELETE /products/1`, `DELETE /companies/1?_dependent=products` */
export async function destroy(
  context: RouterContext,
  req: Request,
  res: Response,
  name: string,
  id: string,
): Promise<Answer> {
  const dependents = context.cascade ? 'all' : parseDependents(queryOf(req))
  const isRemoved = await write(context, (draft) => removeRow(draft, name, id, dependents))
  exposeHeaders(req, res)
  return isRemoved ? { data: {} } : undefined
}

async function write<T>({ store, isFake }: RouterContext, apply: (draft: Draft) => T): Promise<T> {
  return isFake ? store.pretend(apply) : store.write(apply)
}
