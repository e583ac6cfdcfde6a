import type { Request } from 'express'
import type { Dependents, WriteOptions } from '../engine/change.ts'
import { idOf } from '../engine/id-of.ts'
import { rightsIn } from '../engine/rules/rights.ts'
import { change, type ItemWrite, type RouterContext, type Write, type WriteResponse } from './context.ts'
import { urlOf } from './links.ts'
import { precondition } from './precondition.ts'
import { parseDependents } from './query/parse-query.ts'
import { queryOf } from './query/query-string.ts'
import { isUpsert, upsertItem } from './upsert.ts'
import { objectBody, objectOrArrayBody, patchOf, textsOf } from './write-body.ts'

/** `POST /products`, `POST /companies/1/products`; an array is inserted entirely or not at all. */
export async function create({ context, req, name, within }: Write): Promise<WriteResponse> {
  const id = idOf(name, context.engine.naming)
  const body = objectOrArrayBody(req.body, id)
  const sent = [body].flat()
  const rows = within ? sent.map((row) => ({ ...row, [within.key]: within.id })) : sent
  // The response to a DELETE had it, and the dashboard undoes that.
  const place = req.headers['x-restable-place']
  const isPlaced = rows.length === 1 && /^\d{1,9}$/.test(String(place)) && isFromDashboard(req)
  const insert = {
    kind: 'insert',
    collection: name,
    rows,
    ...(isPlaced && { place: Number(place) }),
    ...(Array.isArray(body) && { isList: true }),
  } as const
  const created = await change(context, insert, textsOf(req, within?.key))
  if (!created) return undefined
  const [first] = created
  if (Array.isArray(body) || !first) {
    return { status: 201, data: created }
  }
  const location = urlOf(req, name, String(first[id]))
  return { status: 201, data: first, location, row: first }
}

/** `PUT /products/1`, `PATCH /products/1` */
export async function update(write: ItemWrite): Promise<WriteResponse> {
  const { context, req, name, id, within } = write
  const options = await itemOptions(write)
  const patch = patchOf(req)
  const item = { collection: name, id }
  const fields = patch ? {} : objectBody(req.body)
  // No upsert for nested items: one that is not found may belong to another parent.
  if (isUpsert(context, req) && !within) return upsertItem(write, fields, options)
  const kind = req.method === 'PATCH' ? 'merge' : 'replace'
  const row = patch
    ? await change(context, { kind: 'patch', ...item, patch }, options)
    : await change(context, { kind, ...item, fields }, { ...options, ...textsOf(req) })
  return row && { data: row, row }
}

/** `DELETE /products/1`, `DELETE /companies/1?_dependent=products` */
export async function destroy(write: ItemWrite): Promise<WriteResponse> {
  const { context, req, name, id } = write
  const options = await itemOptions(write)
  const dependents = dependentsOf(context, req)
  const removed = await change(context, { kind: 'remove', collection: name, id, dependents }, options)
  if (!removed) return undefined
  // The position counts rows that the client may not be able to read.
  const mayCount = !context.access || rightsIn(context.access, name).read.reach === 'all'
  const { row, place: position } = removed
  return { data: {}, removed: row, ...(isFromDashboard(req) && mayCount && { position }) }
}

/** Collections whose dependent rows a DELETE removes: those of `_dependent`, or all with `cascade`. */
export function dependentsOf({ cascade }: RouterContext, req: Request): Dependents {
  return cascade ? 'all' : parseDependents(queryOf(req))
}

/** `POST /profile` and `PUT /profile` replace the object, `PATCH /profile` merges the body into it. */
export async function writeObject({ context, req, name, within }: Write): Promise<WriteResponse> {
  if (within && req.method !== 'POST') return undefined
  const options = within ? {} : await precondition(context, req, { kind: 'object', name })
  const patch = patchOf(req)
  const body = patch ? {} : objectBody(req.body)
  const fields = within ? { ...body, [within.key]: within.id } : body
  const kind = req.method === 'PATCH' ? 'merge-object' : 'replace-object'
  const data = patch
    ? await change(context, { kind: 'patch-object', name, patch }, options)
    : await change(context, { kind, name, fields }, { ...options, ...textsOf(req, within?.key) })
  if (!data) return undefined
  return { data, row: data, ...(req.method === 'POST' && { status: 201, location: urlOf(req, name) }) }
}

async function itemOptions({ context, req, name, id, within }: ItemWrite): Promise<WriteOptions> {
  const question = { kind: 'item', collection: name, id, ...(within && { within }) } as const
  const options = await precondition(context, req, question, !within && isUpsert(context, req))
  return within ? { ...options, within } : options
}

/** The page undoes a DELETE with it: the response has the row's position, and a POST restores it there. */
export const POSITION_HEADER = 'X-Restable-Place'

function isFromDashboard(req: Request): boolean {
  return req.headers['x-restable-page'] !== undefined
}
