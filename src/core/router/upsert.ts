import type { Request } from 'express'
import type { WriteOptions } from '../engine/change.ts'
import { idOf } from '../engine/id-of.ts'
import { readRows } from '../engine/read-rows.ts'
import type { Row } from '../engine/types.ts'
import { StorageError } from '../kernel/catalogue/error-classes.ts'
import { change, type ItemWrite, type RouterContext, type WriteResponse } from './context.ts'
import { urlOf } from './links.ts'
import { EXISTS, preconditionFailed } from './precondition.ts'
import { queryOf } from './query/query-string.ts'
import { checkId, textsOf } from './write-body.ts'

/** `PUT /products/999?_upsert=true`, or every PUT of an item if the router is configured so. */
export function isUpsert({ upsert }: RouterContext, req: Request): boolean {
  if (req.method !== 'PUT') return false
  const hasParameter = req.url.includes('_upsert') || Object.hasOwn(req, 'query')
  const value = hasParameter ? queryOf(req)._upsert : undefined
  return value === undefined ? upsert : value === 'true'
}

export function isUpsertUnread(req: Request): boolean {
  const value = req.method === 'PUT' ? queryOf(req)._upsert : undefined
  return value !== undefined && value !== 'true' && value !== 'false'
}

/** An item may be created and deleted by other requests in between. */
const MOST_ROUNDS = 8

export async function upsertItem(
  { context, req, name: collection, id }: ItemWrite,
  fields: Row,
  options: WriteOptions,
): Promise<WriteResponse> {
  const key = idOf(collection, context.engine.naming)
  const mustBeNew = req.headers['if-none-match']?.trim() === '*'
  const row = { ...fields, [key]: await idLike(context, collection, id) }
  checkId(row, key)
  for (let rounds = 1; ; rounds++) {
    const replaced = mustBeNew
      ? undefined
      : await change(context, { kind: 'replace', collection, id, fields }, { ...options, ...textsOf(req) })
    if (replaced) return { data: replaced, row: replaced }
    if (options.unchangedSince)
      throw preconditionFailed('The item that If-Match names was deleted meanwhile.')
    try {
      const insert = { kind: 'insert', collection, rows: [row], keepsIds: true } as const
      const [created] = (await change(context, insert, textsOf(req, key))) ?? []
      return created && { status: 201, data: created, row: created, location: urlOf(req, collection, id) }
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'DUPLICATE_ID')) throw error
      if (mustBeNew) throw preconditionFailed(EXISTS)
      // Another request created it meanwhile, so it can be replaced now; or it exists, unreadable for this client.
      if (rounds >= MOST_ROUNDS) throw error
    }
  }
}

/** An id from a text, of the type that the ids of a collection have. */
export async function idLike(
  { engine }: Pick<RouterContext, 'engine'>,
  collection: string,
  id: string,
): Promise<string | number> {
  const number = Number(id)
  if (!Number.isFinite(number) || String(number) !== id) return id
  const [first] = (await readRows(engine, collection, 1)) ?? []
  return first === undefined || typeof first[idOf(collection, engine.naming)] === 'number' ? number : id
}
